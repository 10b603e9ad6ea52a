// Where the lines of a text are after an edit.
#include "app/scene/line_map.h"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

TEST(line_map, follows_lines_that_moved_and_takes_a_rewritten_one_for_the_same) {
    const auto map = map_lines("a\nb\nc\nd\n", "new\na\nB\nc\n");
    EXPECT_EQ(map[1], 2u);
    EXPECT_EQ(map[2], 3u) << "b was written again";
    EXPECT_EQ(map[3], 4u);
    EXPECT_EQ(map[4], 0u) << "d is gone";
}

TEST(line_map, pairs_lines_by_their_words_where_a_part_was_written_again) {
    const auto map = map_lines("begin\n  part[t] = x;\n  sum += part[t + s];\nend\n",
                               "begin\n  float m = warp_max(x);\n  int i = 0;\n  sum += part[i + s];\nend\n");
    EXPECT_EQ(map[2], 0u) << "nothing there stores part";
    EXPECT_EQ(map[3], 4u);
    EXPECT_EQ(map[4], 5u);
}

}  // namespace
}  // namespace warplens::app
