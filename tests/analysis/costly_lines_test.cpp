#include "analysis/report/costly_lines.h"

#include <gtest/gtest.h>

namespace warplens::analysis {
namespace {

AccessTotals shared_loads(std::uint64_t requests, std::uint64_t wavefronts, std::uint64_t ideal) {
    AccessTotals access;
    access.requests = requests;
    access.wavefronts = wavefronts;
    access.ideal_wavefronts = ideal;
    access.worst_wavefronts = static_cast<std::uint32_t>(wavefronts / ideal);
    return access;
}

struct CountedCode {
    Program program;
    LaunchReport report;

    explicit CountedCode(const std::string& file) { program.sources.emplace_back().name = file; }
    void add(const std::string& opcode, std::uint32_t line, const AccessTotals& access) {
        Site site;
        site.opcode = opcode;
        site.kind = SiteKind::memory;
        site.space = Space::shared;
        site.operation = Operation::load;
        site.file = 0;
        site.line = line;
        SiteReport counts;
        counts.site = static_cast<SiteId>(program.sites.size());
        counts.access = access;
        program.sites.push_back(site);
        report.sites.push_back(counts);
    }
};

/// Line 10 has a conflict at both levels, line 20 only where its loads are not merged.
std::vector<CostlyLine> of_two_lines(CountedCode& ptx, const std::string& machine_file) {
    for (int i = 0; i < 4; ++i) ptx.add("ld.shared.f32", 20, shared_loads(16, 64, 16));
    ptx.add("ld.shared.f32", 10, shared_loads(16, 32, 16));
    CountedCode machine(machine_file);
    machine.add("LDS.128", 20, shared_loads(16, 64, 64));
    machine.add("LDS", 10, shared_loads(16, 32, 16));
    ptx.report.machine_code =
        std::make_shared<const MachineRun>(MachineRun{std::move(machine.report), std::move(machine.program)});
    return costly_lines(ptx.report, ptx.program);
}

TEST(costly_lines, what_the_machine_code_does_at_its_ideal_comes_last_and_says_so) {
    CountedCode ptx("k.cu");
    const auto lines = of_two_lines(ptx, "k.cu");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].first->line, 10u);
    EXPECT_EQ(lines[0].cost_in_machine_code(), "") << "the same as the PTX";
    EXPECT_EQ(lines[1].cost(), "4 wavefronts per request (ideal 1); worst 4-way");
    EXPECT_EQ(lines[1].cost_in_machine_code(), "in the machine code LDS.128: the ideal");
}

TEST(costly_lines, a_line_of_another_file_says_nothing) {
    CountedCode ptx("k.cu");
    const auto lines = of_two_lines(ptx, "other.cuh");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].first->line, 20u) << "the most wasteful by the PTX";
    for (const CostlyLine& line : lines) EXPECT_EQ(line.cost_in_machine_code(), "");
}

TEST(costly_lines, without_machine_code_the_counts_of_the_ptx_decide) {
    CountedCode ptx("k.cu");
    of_two_lines(ptx, "k.cu");
    ptx.report.machine_code = nullptr;
    const auto lines = costly_lines(ptx.report, ptx.program);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].first->line, 20u);
    EXPECT_FALSE(lines[0].machine);
}

}  // namespace
}  // namespace warplens::analysis
