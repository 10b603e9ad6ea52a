#include "app/pipeline/gpu/register_limit.h"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

using instrumentation::RecordMode;

/// 100,000 blocks of 256 threads, of which an H100's SM holds 8 with at most 32 registers.
trace::Launch large_grid(std::uint32_t registers) {
    trace::Launch launch;
    launch.geometry = {{100000, 1, 1}, {256, 1, 1}, 0};
    launch.resources.registers_per_thread = registers;
    return launch;
}

std::uint32_t limit(RecordMode mode, const trace::Launch& launch, std::uint32_t spills = 0) {
    return register_limit(mode, launch, **find_gpu("H100"), false, spills);
}

TEST(register_limit, light_mode_takes_six_more_unless_that_costs_resident_blocks) {
    EXPECT_EQ(limit(RecordMode::light, large_grid(22)), 28u);
    EXPECT_EQ(limit(RecordMode::light, large_grid(31)), 32u) << "with 37 six blocks instead of eight";
    EXPECT_EQ(limit(RecordMode::light, large_grid(10)), 24u) << "the assembler accepts no less";
    trace::Launch small = large_grid(96);
    small.geometry.grid.x = 100;
    EXPECT_EQ(limit(RecordMode::light, small), 102u) << "one block per SM: no reason to take more than six";
}

TEST(register_limit, what_spilled_takes_what_costs_no_resident_block_and_then_what_it_needs) {
    EXPECT_EQ(limit(RecordMode::light, large_grid(16), 1), 32u);
    EXPECT_EQ(limit(RecordMode::light, large_grid(16), 2), 0u);
    EXPECT_EQ(limit(RecordMode::light, large_grid(31), 1), 0u) << "it had 32";
    EXPECT_EQ(limit(RecordMode::proof, large_grid(31), 1), 0u);
    EXPECT_FALSE(spills_more(16, 0));
    EXPECT_TRUE(spills_more(56, 0));
    EXPECT_FALSE(spills_more(56, 48));
}

TEST(register_limit, proof_mode_is_limited_only_where_six_more_would_cost_resident_blocks) {
    EXPECT_EQ(limit(RecordMode::proof, large_grid(22)), 0u);
    EXPECT_EQ(limit(RecordMode::proof, large_grid(31)), 32u);
    EXPECT_EQ(limit(RecordMode::full, large_grid(31)), 0u);
    EXPECT_EQ(limit(RecordMode::light, large_grid(0)), 0u) << "not known";
}

}  // namespace
}  // namespace warplens::app
