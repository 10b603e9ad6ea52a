#include "analysis/warps/waves.h"

#include <gtest/gtest.h>

namespace warplens::analysis {
namespace {

TEST(waves, one_block_more_than_fits_costs_a_whole_wave) {
    const Waves full = waves_of(1056, 8, 132), more = waves_of(1057, 8, 132);
    EXPECT_EQ(full.count, 1u);
    EXPECT_DOUBLE_EQ(full.efficiency(), 1);
    EXPECT_EQ(more.count, 2u);
    EXPECT_EQ(more.last_blocks, 1u);
    EXPECT_NEAR(more.efficiency(), 0.5, 0.001);
}

TEST(waves, the_tail_changes_with_the_number_of_sms) {
    EXPECT_EQ(waves_of(1024, 2, 132).count, 4u);
    EXPECT_DOUBLE_EQ(waves_of(1024, 2, 132).idle_in_last(), 1 - 232.0 / 264);
    EXPECT_EQ(waves_of(1024, 2, 128).count, 4u);
    EXPECT_DOUBLE_EQ(waves_of(1024, 2, 128).idle_in_last(), 0);
    EXPECT_EQ(waves_of(1024, 2, 66).count, 8u);
    EXPECT_EQ(waves_of(1024, 2, 264).count, 2u);
}

TEST(waves, they_are_put_in_a_sentence) {
    EXPECT_EQ(waves_in_words(waves_of(1024, 2, 132), 2, 132),
              "1,024 blocks, 264 at once (132 SMs × 2): 4 waves, the last 88 % full");
    EXPECT_EQ(waves_in_words(waves_of(1, 8, 132), 8, 132),
              "1 block, 1,056 at once (132 SMs × 8): one wave, less than 1 % full");
    EXPECT_EQ(waves_in_words(waves_of(64, 0, 132), 0, 132), "No block of this launch fits on an SM.");
}

}  // namespace
}  // namespace warplens::analysis
