// `diff A B` as a person types it: two builds of a kernel, and two .cubin files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/folders.h"
#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

#ifdef WARPLENS_SASS

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using Diff = TypedCommands;

const std::string stored = source_folder() + "/tests/hardware/machine_code/code/";

/// Otherwise the kernels of the catalogue have no machine code.
bool can_assemble() {
    return warplens({"diff", "saxpy", "n=8192"}).error.find("there is no machine code") == std::string::npos;
}

TEST_F(Diff, a_setting_that_changes_no_code_changes_only_what_was_executed) {
    if (!can_assemble()) GTEST_SKIP() << "machine code takes NVRTC or ptxas";
    const Outcome text = warplens({"diff", "saxpy", "--set", "n=4096", "n=8192"});
    EXPECT_EQ(text.code, 0) << text.error;
    EXPECT_THAT(
        text.out,
        AllOf(HasSubstr("machine level"), HasSubstr("The opcodes and their counts are equal."),
              HasSubstr("0 with other operands, 0 removed, 0 added"), HasSubstr("executed by warps")));
}

TEST_F(Diff, runs_that_were_stopped_are_no_success) {
    if (!can_assemble()) GTEST_SKIP() << "machine code takes NVRTC or ptxas";
    const Outcome stopped =
        warplens({"diff", "matmul_naive", "--set", "N=1024", "N=512", "--time-limit", "0.05"});
    EXPECT_THAT(stopped.error, HasSubstr("stopped at the time limit of 0.05 s"));
    EXPECT_EQ(stopped.code, 1);
}

TEST_F(Diff, json_has_the_counts_of_both_reports) {
    if (!can_assemble()) GTEST_SKIP() << "machine code takes NVRTC or ptxas";
    const auto report = [&](const char* n) {
        return read_json(warplens({"report", "saxpy", "--set", n, "--level", "machine", "--no-advice",
                                   "--check-races", "off", "--format", "json"})
                             .out);
    };
    const auto before = report("n=4096"), after = report("n=8192");
    const Outcome outcome = warplens({"diff", "saxpy", "--set", "n=4096", "n=8192", "--format", "json"});
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto diff = read_json(outcome.out);
    EXPECT_EQ(diff["level"], "machine");
    EXPECT_EQ(diff["before"]["steps"], before["steps"]);
    EXPECT_EQ(diff["after"]["steps"], after["steps"]);
    ASSERT_EQ(diff["instructions"].size(), before["sites"].size());
    std::uint64_t executed = 0;
    for (const auto& pair : diff["instructions"]) {
        EXPECT_EQ(pair["kind"], "same");
        EXPECT_EQ(pair["before"]["machine_offset"], pair["after"]["machine_offset"]);
        executed += pair["after"]["steps"].get<std::uint64_t>();
    }
    EXPECT_EQ(executed, after["steps"].get<std::uint64_t>());
}

TEST_F(Diff, cubins_are_compared_without_being_executed) {
    const std::string softmax = stored + "softmax_rows.cubin", layernorm = stored + "layernorm_rows.cubin";
    const Outcome same = warplens({"diff", softmax, softmax});
    EXPECT_EQ(same.code, 0) << same.error;
    EXPECT_THAT(same.out, AllOf(HasSubstr("The opcodes and their counts are equal."),
                                HasSubstr("compared but not executed")));
    const Outcome other = warplens({"diff", softmax, layernorm, "--format", "json"});
    EXPECT_EQ(other.code, 0) << other.error;
    const auto diff = read_json(other.out);
    EXPECT_EQ(diff["before"]["entry"], "softmax_rows");
    EXPECT_EQ(diff["after"]["entry"], "layernorm_rows");
    EXPECT_TRUE(diff["before"]["steps"].is_null());
    std::size_t before = 0, after = 0;
    for (const auto& pair : diff["instructions"]) {
        before += pair["before"].is_null() ? 0 : 1;
        after += pair["after"].is_null() ? 0 : 1;
    }
    EXPECT_EQ(before, diff["before"]["instructions"].get<std::size_t>());
    EXPECT_EQ(after, diff["after"]["instructions"].get<std::size_t>());
}

TEST_F(Diff, what_cannot_be_compared_is_refused_in_one_sentence) {
    const std::string cubin = stored + "softmax_rows.cubin";
    EXPECT_THAT(refusal({"diff", cubin, "PAD=1"}), HasSubstr("a .cubin takes no settings"));
    EXPECT_THAT(refusal({"diff", "saxpy", cubin, "n=1"}), HasSubstr("a .cubin takes no settings"));
    EXPECT_THAT(refusal({"diff", "saxpy", "n=8192", "--format", "csv"}), HasSubstr("it is text or json"));
    EXPECT_THAT(refusal({"diff", path("none.cubin"), cubin}), HasSubstr("none.cubin"));
    EXPECT_THAT(refusal({"diff", cubin, cubin, "--kernel", "other"}),
                HasSubstr("no kernel `other` in the file"));
    EXPECT_THAT(refusal({"diff", cubin, cubin, "--grid", "4"}), HasSubstr("give --grid, --block"));
    EXPECT_THAT(refusal({"diff", cubin, cubin, "--max-steps", "4"}), HasSubstr("leave --max-steps out"));
    EXPECT_THAT(refusal({"diff", cubin, "saxpy", "--set", "n=1"}), HasSubstr("write n=1 after saxpy"));
    EXPECT_THAT(refusal({"diff", file("run.wltrace", ""), "saxpy"}), HasSubstr("has no machine code"));
    EXPECT_THAT(refusal({"diff",
                         file("torn.cubin",
                              "\x7f"
                              "ELF"),
                         cubin}),
                HasSubstr("torn.cubin"));
}

TEST_F(Diff, a_cubin_is_listed_as_the_flags_say_or_not_at_all) {
    const std::string cubin = stored + "softmax_rows.cubin";
    EXPECT_THAT(warplens({"sass", cubin, "--kernel", "softmax_rows"}).out, HasSubstr("kernel softmax_rows"));
    EXPECT_THAT(refusal({"sass", cubin, "--kernel", "other"}),
                AllOf(HasSubstr("no function `other`"), HasSubstr("it has softmax_rows")));
    EXPECT_THAT(refusal({"sass", cubin, "--set", "n=1"}), HasSubstr("leave --set out"));
    EXPECT_THAT(refusal({"sass", cubin, "--gpu", "A100"}), HasSubstr("leave --gpu out"));
}

}  // namespace
}  // namespace warplens::app

#endif
