// Refreshes of DRAM: how many reads wait, how long, and that one stack follows another.
#include "simt/timing/dram_refresh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace warplens::simt {
namespace {

const MemoryPlaces& h200_places() { return memory_places(default_gpu()); }

TEST(dram_refresh, a_read_waits_as_often_and_as_long_as_the_parameters_say) {
    const DramRefresh refresh(h200_places(), 0);
    double sum = 0, longest = 0;
    int waiting = 0;
    const int reads = static_cast<int>(h200_places().refresh_interval);
    for (int at = 0; at < reads; ++at) {
        const double wait = refresh.serves(at, 0) - at;
        ASSERT_GE(wait, 0);
        sum += wait;
        longest = std::max(longest, wait);
        waiting += wait > 0 ? 1 : 0;
    }
    EXPECT_NEAR(sum / reads, refresh.mean(), 0.5);
    EXPECT_NEAR(longest, h200_places().refresh, 1);
    EXPECT_NEAR(waiting, h200_places().refresh, 1);
}

TEST(dram_refresh, one_stack_is_refreshed_after_another) {
    const DramRefresh refresh(h200_places(), 0);
    std::set<double> waits;
    for (SectorId sector = 0; sector < 4096; ++sector) waits.insert(refresh.serves(0, sector));
    // Of the stacks one begins now, and those that are done or have yet to begin let reads pass.
    EXPECT_EQ(*waits.begin(), 0);
    EXPECT_EQ(*waits.rbegin(), h200_places().refresh);
}

TEST(dram_refresh, a_phase_of_a_quarter_has_the_refreshes_a_quarter_of_the_interval_earlier) {
    const double quarter = h200_places().refresh_interval / 4;
    const DramRefresh from_begin(h200_places(), 0), later(h200_places(), 0.25);
    int waiting = 0;
    for (double at = 0; at < 10000; at += 7) {
        const double wait = later.serves(at, 0) - at;
        EXPECT_NEAR(wait, from_begin.serves(at + quarter, 0) - (at + quarter), 1e-6);
        waiting += wait > 0 ? 1 : 0;
    }
    EXPECT_GT(waiting, 0);
}

TEST(dram_refresh, a_gpu_whose_refresh_is_not_known_has_it_in_its_mean_latency) {
    const DramRefresh refresh(memory_places(**find_gpu("A100")), 0.5);
    EXPECT_EQ(refresh.mean(), 0);
    for (double at = 0; at < 10000; at += 7) EXPECT_EQ(refresh.serves(at, 0), at);
}

}  // namespace
}  // namespace warplens::simt
