#include "analysis/report/machine_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Counted by PTX, and by machine code with `steps`.
LaunchReport counted_by_both(std::uint64_t machine_steps, const std::string& machine_golden = "passed") {
    LaunchReport report;
    report.steps = 100;
    report.active_lanes = 3200;
    report.shared_load.requests = 40;
    report.golden = "passed";
    LaunchReport machine = report;
    machine.level = Level::machine;
    machine.steps = machine_steps;
    machine.active_lanes = 32 * machine_steps;
    machine.golden = machine_golden;
    report.machine_code = std::make_shared<const MachineRun>(MachineRun{machine, {}});
    return report;
}

TEST(machine_counts, counts_that_differ_are_listed_with_both_values) {
    EXPECT_THAT(machine_count_lines(counted_by_both(80)),
                ElementsAre(HasSubstr("a profiler counts it"), HasSubstr("machine code"),
                            testing::MatchesRegex(" +steps +100 +80"), "  Every other count is the same."));
}

TEST(machine_counts, problems_are_findings_and_no_count_of_both) {
    LaunchReport report = counted_by_both(100);
    report.problems.emplace_back();
    EXPECT_THAT(machine_count_lines(report), ElementsAre(HasSubstr("every count is the same")));
}

TEST(machine_counts, equal_counts_are_one_line) {
    EXPECT_THAT(machine_count_lines(counted_by_both(100)), ElementsAre(HasSubstr("every count is the same")));
}

TEST(machine_counts, another_result_is_said_also_where_all_counts_are_equal) {
    EXPECT_THAT(machine_count_lines(counted_by_both(100, "failed: out[3]")),
                ElementsAre(HasSubstr("every count is the same"), "  Its golden check: failed: out[3]"));
}

TEST(machine_counts, a_profiler_counts_printf_too) {
    LaunchReport report = counted_by_both(80);
    report.printed.emplace();
    EXPECT_THAT(machine_count_lines(report), testing::Not(testing::Contains(HasSubstr("printf"))));
    report.printed->calls.emplace_back();
    EXPECT_THAT(machine_count_lines(report), testing::Contains(HasSubstr("inside printf")));
}

TEST(machine_counts, the_reason_stands_where_they_are_missing) {
    LaunchReport report;
    EXPECT_THAT(machine_count_lines(report), IsEmpty());
    EXPECT_TRUE(machine_counts_json(report).is_null());
    report.machine_code_absent = "there is none";
    EXPECT_THAT(machine_count_lines(report), ElementsAre("Machine code  not counted: there is none"));
}

TEST(machine_counts, json_has_the_machine_codes_counts_by_metric) {
    const warplens::Json json = machine_counts_json(counted_by_both(80));
    EXPECT_EQ(json["steps"].as_unsigned(), 80u);
    EXPECT_EQ(json["shared_load.requests"].as_unsigned(), 40u);
    EXPECT_EQ(json["golden"].as_string(), "passed");
}

}  // namespace
}  // namespace warplens::analysis
