#include "app/pipeline/same_threads.h"

#include <gmock/gmock.h>

namespace warplens::app {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(same_threads, are_in_the_blocks_that_cover_them) {
    const LaunchGeometry now{{8, 1, 1}, {256, 1, 1}}, halves{{16, 1, 1}, {128, 1, 1}},
        twice{{4, 1, 1}, {512, 1, 1}}, more{{16, 1, 1}, {256, 1, 1}}, flat{{4, 2, 1}, {256, 1, 1}};
    EXPECT_THAT(blocks_of_the_same_threads({2, 3}, now, halves, true), Optional(ElementsAre(4, 5, 6, 7)));
    EXPECT_THAT(blocks_of_the_same_threads({2, 3}, now, twice, true), Optional(ElementsAre(1)));
    EXPECT_EQ(blocks_of_the_same_threads({1, 2}, now, twice, true), std::nullopt) << "halves of two blocks";
    EXPECT_EQ(blocks_of_the_same_threads({2, 3}, now, more, false), std::nullopt);
    EXPECT_EQ(blocks_of_the_same_threads({2, 3}, now, flat, false), std::nullopt);
    EXPECT_THAT(blocks_of_the_same_threads({2, 3}, now, now, true), Optional(ElementsAre(2, 3)));
}

TEST(same_threads, are_found_in_each_dimension) {
    const LaunchGeometry now{{4, 4, 1}, {16, 16, 1}}, wide{{2, 8, 1}, {32, 8, 1}},
        large{{2, 2, 1}, {32, 32, 1}}, layers{{4, 4, 2}, {16, 16, 1}};
    EXPECT_THAT(blocks_of_the_same_threads({0, 1}, now, wide, false), Optional(ElementsAre(0, 2)));
    EXPECT_EQ(blocks_of_the_same_threads({0}, now, wide, false), std::nullopt) << "half of each";
    EXPECT_THAT(blocks_of_the_same_threads({10, 11, 14, 15}, now, large, false), Optional(ElementsAre(3)));
    EXPECT_EQ(blocks_of_the_same_threads({0}, now, layers, false), std::nullopt);
}

TEST(same_threads, may_be_fewer_in_the_last_block) {
    // 1,000 threads, rounded up to 1,024 and to 1,008
    const LaunchGeometry now{{4, 1, 1}, {256, 1, 1}}, other{{21, 1, 1}, {48, 1, 1}};
    EXPECT_THAT(blocks_of_the_same_threads({0, 1, 2, 3}, now, other, false), Optional(testing::SizeIs(21)));
    EXPECT_EQ(blocks_of_the_same_threads({0, 1, 2, 3}, now, other, true), std::nullopt)
        << "a loop that goes on by the grid goes on differently";
    const LaunchGeometry last{{2, 1, 1}, {512, 1, 1}}, first{{3, 1, 1}, {256, 1, 1}};
    EXPECT_THAT(blocks_of_the_same_threads({2}, first, last, false), Optional(ElementsAre(1)));
}

TEST(same_threads, have_the_same_block_where_the_grid_is_the_same) {
    const LaunchGeometry rows{{512, 1, 1}, {256, 1, 1}}, larger{{512, 1, 1}, {512, 1, 1}};
    EXPECT_THAT(blocks_of_the_same_threads({7, 9}, rows, larger, false), Optional(ElementsAre(7, 9)));
    EXPECT_EQ(blocks_of_the_same_threads({7, 9}, rows, larger, true), std::nullopt);
}

TEST(same_work, is_that_of_neighbouring_blocks) {
    const LaunchGeometry now{{10, 1, 1}, {256, 1, 1}}, rows{{80, 1, 1}, {256, 1, 1}},
        vectors{{3, 1, 1}, {256, 1, 1}}, planes{{80, 2, 1}, {256, 1, 1}};
    EXPECT_THAT(blocks_of_the_same_work({1, 9}, now, rows, {1, 8}),
                Optional(ElementsAre(8, 9, 10, 11, 12, 13, 14, 15, 72, 73, 74, 75, 76, 77, 78, 79)));
    EXPECT_THAT(blocks_of_the_same_work({4, 5, 6, 7}, now, vectors, {4, 1}), Optional(ElementsAre(1)));
    EXPECT_THAT(blocks_of_the_same_work({8, 9}, now, vectors, {4, 1}), Optional(ElementsAre(2)))
        << "the last ones";
    EXPECT_EQ(blocks_of_the_same_work({5, 6, 7, 8}, now, vectors, {4, 1}), std::nullopt) << "a part of two";
    EXPECT_EQ(blocks_of_the_same_work({1}, now, planes, {1, 8}), std::nullopt);
}

TEST(in_groups, are_boxes_of_neighbours) {
    EXPECT_THAT(in_groups({0, 9}, {4, 1, 1}, {11, 1, 1}), ElementsAre(0, 1, 2, 3, 8, 9, 10));
    EXPECT_THAT(in_groups({5}, {2, 2, 1}, {4, 3, 1}), ElementsAre(0, 1, 4, 5));
    EXPECT_THAT(in_groups({11}, {2, 2, 1}, {4, 3, 1}), ElementsAre(10, 11));
}

}  // namespace
}  // namespace warplens::app
