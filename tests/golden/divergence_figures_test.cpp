// The figures of the catalogue's rows on paths: which lanes take which path, where they reconverge, and the
// cost of a warp that stays until its last lane has finished.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/warps/lane_timeline.h"
#include "analysis/warps/warp_divergence.h"
#include "catalogue_run.h"

namespace warplens::app {
namespace {

using analysis::LaneEvent;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::UnorderedElementsAre;

/// The different sets of lanes that walked together in the first warp of block 0.
std::set<std::uint32_t> paths(const Executed& run) {
    std::set<std::uint32_t> masks;
    for (const auto& stretch : analysis::lane_timeline(*run.trace, 0).stretches)
        masks.insert(stretch.active.bits);
    return masks;
}

std::vector<std::uint32_t> masks_of(const Executed& run, LaneEvent::Kind kind) {
    std::vector<std::uint32_t> masks;
    for (const auto& event : analysis::lane_timeline(*run.trace, 0).events)
        if (event.kind == kind) masks.push_back(event.lanes.bits);
    return masks;
}

TEST(paths, a_branch_in_a_branch_meets_with_16_lanes_and_then_with_32) {
    const Executed run = execute("branch_nested", {}, {0});
    EXPECT_THAT(paths(run), UnorderedElementsAre(0x000000ff, 0x0000ff00, 0x0000ffff, 0xffff0000, 0xffffffff));
    EXPECT_THAT(masks_of(run, LaneEvent::Kind::meet), ElementsAre(0x0000ffff, 0xffffffff));
    EXPECT_THAT(masks_of(run, LaneEvent::Kind::split), UnorderedElementsAre(0xffffffff, 0x0000ffff));
}

TEST(paths, a_switch_walks_each_case_that_a_lane_needs) {
    const auto four = paths(execute("branch_switch", {{"cases", "4"}}, {0}));
    EXPECT_THAT(four, IsSupersetOf({0x11111111u, 0x22222222u, 0x44444444u, 0x88888888u, 0xffffffffu}));
    EXPECT_THAT(paths(execute("branch_switch", {{"cases", "1"}}, {0})), UnorderedElementsAre(0xffffffffu));
    EXPECT_EQ(execute("branch_switch", {{"cases", "1"}}, {0}).report->branches_divergent, 0u);
}

TEST(paths, the_same_source_with_a_long_body_is_a_branch_and_with_a_short_one_is_none) {
    const auto even_and_odd = paths(execute("branch_heavy", {}, {0}));
    EXPECT_THAT(even_and_odd, IsSupersetOf({0x55555555u, 0xaaaaaaaau}));
    EXPECT_THAT(paths(execute("branch_parity", {}, {0})), UnorderedElementsAre(0xffffffffu));
    EXPECT_THAT(paths(execute("branchless_select", {}, {0})), UnorderedElementsAre(0xffffffffu));
}

TEST(paths, lanes_that_return_early_leave_and_their_warp_stays_for_its_primes) {
    // Lane i looks at i + 2. Rounds of its loop: up to the smallest divisor, or to the square root of a
    // prime.
    const Executed run = execute("early_exit", {{"n", "32"}, {"block", "32"}});
    std::uint32_t primes = 0, even = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t number = lane + 2;
        bool prime = true;
        for (std::uint32_t d = 2; d * d <= number; ++d) prime &= number % d != 0;
        primes |= std::uint32_t{prime} << lane;
        even |= std::uint32_t{number % 2 == 0 && number > 2} << lane;
    }
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::int32_t found = element(run, "smallest", lane),
                           number = static_cast<std::int32_t>(lane) + 2;
        EXPECT_EQ(found == number, (primes >> lane & 1) != 0) << number;
        EXPECT_EQ(found == 2, number == 2 || (even >> lane & 1) != 0) << number;
    }
    // 31 is the prime that keeps the warp longest: it is tried with 2, 3, 4 and 5.
    const auto longest = analysis::lane_timeline(*run.trace, 0);
    EXPECT_LT(longest.mean_active_lanes(), 24);
    EXPECT_GT(run.report->branches_divergent, 0u);
}

TEST(paths, a_mandelbrot_set_diverges_along_its_edge_only) {
    const Executed run = execute("mandelbrot", {{"W", "128"}, {"H", "128"}});
    const auto warps = analysis::warps_by_divergence(*run.trace);
    const auto together = std::count_if(warps.begin(), warps.end(),
                                        [](const auto& warp) { return warp.branches_divergent == 0; });
    const auto all = static_cast<std::ptrdiff_t>(warps.size());
    EXPECT_GT(together, all / 4) << "of " << all;
    EXPECT_LT(together, all) << "the edge runs through some";
    EXPECT_LT(warps.front().mean_active_lanes(), 24);
}

}  // namespace
}  // namespace warplens::app
