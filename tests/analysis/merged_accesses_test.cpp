#include "analysis/report/merged_accesses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::analysis {
namespace {

Site load(std::string opcode, std::string text, std::uint32_t bytes, std::uint32_t ptx_line) {
    Site site;
    site.opcode = std::move(opcode);
    site.text = std::move(text);
    site.kind = SiteKind::memory;
    site.space = Space::shared;
    site.operation = Operation::load;
    site.bytes_per_lane = bytes;
    site.ptx_line = ptx_line;
    return site;
}

struct BothLevels {
    Program ptx, machine;
    LaunchReport ptx_report, machine_report;

    void add_ptx(const Site& site, std::uint64_t requests) { add(ptx, ptx_report, site, requests); }
    void add_machine(const Site& site, std::uint64_t requests) {
        add(machine, machine_report, site, requests);
    }
    std::vector<MergedAccess> merged() {
        ptx.basic_blocks = {{0, static_cast<std::uint32_t>(ptx.sites.size())}};
        return merged_accesses(ptx_report, ptx, machine_report, machine);
    }

  private:
    static void add(Program& program, LaunchReport& report, const Site& site, std::uint64_t requests) {
        SiteReport counts;
        counts.site = static_cast<SiteId>(program.sites.size());
        counts.steps = counts.access.requests = requests;
        program.sites.push_back(site);
        report.sites.push_back(counts);
    }
};

/// Loads of one row, in the order in which a compiler leaves them.
BothLevels row_of_four(std::uint64_t machine_requests) {
    BothLevels both;
    for (const int offset : {0, 8, 4, 12})
        both.add_ptx(
            load("ld.shared.f32",
                 "ld.shared.f32 %f" + std::to_string(offset) + ", [%rd3+" + std::to_string(offset) + "];", 4,
                 10 + static_cast<std::uint32_t>(offset)),
            16);
    both.add_ptx(load("ld.shared.f32", "ld.shared.f32 %f9, [%rd4];", 4, 30), 16);
    both.add_machine(load("LDS.128", "LDS.128 R8, [R18]", 16, 10), machine_requests);
    both.add_machine(load("LDS", "LDS R2, [R20]", 4, 30), 16);
    return both;
}

TEST(merged_accesses, four_neighbours_are_one_wide_load) {
    BothLevels both = row_of_four(16);
    const auto merged = both.merged();
    ASSERT_EQ(merged.size(), 1u);
    EXPECT_EQ(merged[0].machine, 0u);
    EXPECT_THAT(merged[0].ptx, testing::ElementsAre(0u, 2u, 1u, 3u));  // by address
    EXPECT_EQ(merge_words(merged[0], both.machine), "4 PTX loads → 1 LDS.128");
}

TEST(merged_accesses, nothing_is_claimed_where_the_requests_differ) {
    EXPECT_TRUE(row_of_four(15).merged().empty());
}

TEST(merged_accesses, a_base_that_is_written_between_two_loads_separates_them) {
    BothLevels both = row_of_four(16);
    Site add;
    add.opcode = "add.s64";
    add.text = "add.s64 %rd3, %rd3, 16;";
    both.ptx.sites.insert(both.ptx.sites.begin() + 2, add);
    both.ptx_report.sites.insert(both.ptx_report.sites.begin() + 2, SiteReport{});
    EXPECT_TRUE(both.merged().empty());
}

TEST(merged_accesses, consecutive_iterations_are_counted) {
    BothLevels both;
    both.add_ptx(load("ld.shared.f32", "ld.shared.f32 %f1, [%rd3];", 4, 10), 64);
    both.add_machine(load("LDS.128", "LDS.128 R8, [R18]", 16, 10), 16);
    const auto merged = both.merged();
    ASSERT_EQ(merged.size(), 1u);
    EXPECT_EQ(merged[0].executions, 4u);
    EXPECT_EQ(merge_words(merged[0], both.machine), "4 executions of 1 PTX load → 1 LDS.128");
}

}  // namespace
}  // namespace warplens::analysis
