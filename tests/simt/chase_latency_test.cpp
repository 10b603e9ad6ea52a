// The latency staircase: each working set is served by the level that holds it.
#include <gtest/gtest.h>

#include "simt/timing/chase_latency.h"

namespace warplens::simt {
namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * kib;

TEST(chase_latency, rises_in_steps_where_the_working_set_leaves_a_cache) {
    const GpuSpec& gpu = default_gpu();
    const SmTiming& timing = sm_timing(gpu);
    const auto cycles = [&](std::uint64_t bytes) {
        return chase_latency(timing, timing.l1_bytes, bytes).cycles;
    };
    EXPECT_DOUBLE_EQ(cycles(4 * kib), timing.l1_hit_latency);
    EXPECT_NEAR(cycles(64 * kib), timing.l1_hit_latency, 10);
    EXPECT_NEAR(cycles(mib), timing.l2_hit_latency, 10);
    EXPECT_DOUBLE_EQ(cycles(16 * mib), timing.l2_hit_latency);
    EXPECT_GT(cycles(1024 * mib),
              timing.l2_hit_latency + 0.9 * (timing.dram_latency - timing.l2_hit_latency));
}

TEST(chase_latency, never_falls_and_its_shares_are_everything) {
    const SmTiming& timing = sm_timing(default_gpu());
    const auto stairs = latency_staircase(timing, timing.l1_bytes);
    ASSERT_GT(stairs.size(), 12u);
    for (std::size_t i = 0; i < stairs.size(); ++i) {
        EXPECT_NEAR(stairs[i].from_l1 + stairs[i].from_l2 + stairs[i].from_dram, 1, 1e-9);
        if (i > 0) {
            EXPECT_EQ(stairs[i].bytes, 2 * stairs[i - 1].bytes);
            EXPECT_GE(stairs[i].cycles, stairs[i - 1].cycles - 1e-9);
        }
    }
    EXPECT_GT(stairs.front().from_l1, 0.99);
    EXPECT_GT(stairs.back().from_dram, 0.5);
}

}  // namespace
}  // namespace warplens::simt
