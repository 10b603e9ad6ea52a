#include "analysis/report/whole_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/read_json.h"
#include "tests/support/synthetic.h"

namespace warplens::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The report of a grid in which each executed block makes so many requests of 32 neighboring words.
LaunchReport fold_some(const std::vector<int>& requests, std::uint32_t blocks_in_grid,
                       bool with_last = false) {
    static const Program program = trace::example_program();
    LaunchFold fold(program);
    for (std::uint64_t block = 0; block < requests.size(); ++block) {
        auto events = fold.begin_block(block);
        trace::Addresses addresses{};
        for (int request = 0; request < requests[block]; ++request) {
            for (std::size_t lane = 0; lane < addresses.size(); ++lane)
                addresses[lane] = 4096 * (block + 1) + 128 * static_cast<unsigned>(request) + 4 * lane;
            events->access(0, {0, LaneMask::all(), Space::global, Operation::load, 4, &addresses});
        }
        const bool last = with_last && block + 1 == requests.size();
        fold.finish(last ? blocks_in_grid - 1 : block, std::move(events));
    }
    return fold.report(trace::example_launch({blocks_in_grid, 64, 1}));
}

TEST(whole_grid, alike_blocks_stand_for_those_that_were_left_out) {
    const LaunchReport two = fold_some({3, 3}, 100);
    ASSERT_TRUE(two.blocks_alike);
    ASSERT_TRUE(infers_whole_grid(two));
    EXPECT_EQ(*over_whole_grid(two, two.global_load.requests), 100u * 3);
    EXPECT_EQ(*over_whole_grid(two, two.global_load.used_bytes), 100u * 3 * 128);
    EXPECT_THAT(to_text(two, trace::example_program()),
                HasSubstr("global load: 300 requests, 1,200 sectors, 38,400 bytes used"));
    const auto json = read_json(to_json(two, trace::example_program()));
    EXPECT_EQ(json["whole_grid"]["global_load"]["sectors"], 1200);
}

TEST(whole_grid, nothing_is_inferred_from_one_block_or_from_blocks_that_differ) {
    const LaunchReport one = fold_some({3}, 100);
    EXPECT_FALSE(infers_whole_grid(one));
    EXPECT_FALSE(over_whole_grid(one, 7));
    const LaunchReport differ = fold_some({3, 3, 2}, 100);
    EXPECT_FALSE(differ.blocks_alike) << "the last one ends early";
    EXPECT_THAT(over_whole_grid(differ, 7).error().message, HasSubstr("3 of 100 blocks"));
    EXPECT_THAT(to_text(differ, trace::example_program()), Not(HasSubstr("inferred")));
    EXPECT_FALSE(read_json(to_json(differ, trace::example_program())).contains("whole_grid"));
}

TEST(whole_grid, the_last_block_of_a_sample_stands_for_itself_alone) {
    const LaunchReport edge = fold_some({8, 8, 1}, 100, true);
    ASSERT_TRUE(edge.last_block);
    EXPECT_EQ(edge.last_block->sectors, 4u);
    EXPECT_EQ(edge.last_block->used_bytes, 128u);
    EXPECT_DOUBLE_EQ(scaled_to_grid(edge, double(edge.global_load.sectors), 4), 99 * 32 + 4);
    const LaunchReport other = fold_some({8, 8, 1}, 100);
    EXPECT_FALSE(other.last_block) << "its third block is not the grid's last";
    EXPECT_DOUBLE_EQ(scaled_to_grid(other, 17, 0), 17.0 * 100 / 3);
    EXPECT_FALSE(fold_some({8, 1}, 2).last_block) << "nothing was left out";
    EXPECT_DOUBLE_EQ(scaled_to_grid(fold_some({8, 1}, 2), 9, 1), 9);
}

TEST(whole_grid, is_the_sum_itself_where_all_blocks_were_executed) {
    const LaunchReport all = fold_some({3, 2}, 2);
    EXPECT_FALSE(infers_whole_grid(all));
    EXPECT_EQ(*over_whole_grid(all, 7), 7u);
}

}  // namespace
}  // namespace warplens::analysis
