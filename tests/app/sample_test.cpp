#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/pipeline/block_sample.h"

namespace warplens::app {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(sample, takes_the_blocks_that_the_first_sm_runs_and_the_last) {
    EXPECT_THAT(sample_blocks(1000, 132, 4), ElementsAre(0, 132, 264, 999));
    EXPECT_THAT(sample_blocks(1000, 132, 9), ElementsAre(0, 132, 264, 396, 528, 660, 792, 924, 999));
}

TEST(sample, spreads_what_is_left_over_the_grid) {
    const auto blocks = sample_blocks(1000, 132, 20);
    EXPECT_LE(blocks.size(), 20u);
    EXPECT_GE(blocks.size(), 18u) << "a block may be chosen twice";
    for (const std::uint64_t of_sm : {0, 132, 264, 396, 528, 660, 792, 924, 999})
        EXPECT_THAT(blocks, Contains(of_sm));
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        EXPECT_LT(blocks[i - 1], blocks[i]);
        EXPECT_LE(blocks[i] - blocks[i - 1], 132u);
    }
}

TEST(sample, is_the_whole_grid_where_that_fits) {
    EXPECT_THAT(sample_blocks(40, 132, 40), SizeIs(40));
    EXPECT_THAT(sample_blocks(40, 132, 100), SizeIs(40));
    EXPECT_THAT(sample_blocks(1, 132, 5), ElementsAre(0));
    EXPECT_THAT(sample_blocks(0, 132, 5), IsEmpty());
}

TEST(sample, a_single_block_is_the_first) {
    EXPECT_THAT(sample_blocks(1000, 132, 1), ElementsAre(0));
    EXPECT_THAT(sample_blocks(1000, 132, 2), ElementsAre(0, 999));
}

TEST(sample, a_gpu_whose_sms_are_not_known_is_sampled_all_the_same) {
    EXPECT_THAT(sample_blocks(10, 0, 4), ElementsAre(0, 1, 2, 9));
}

}  // namespace
}  // namespace warplens::app
