// Notes of one cause are one sentence with all their lines.
#include "analysis/report/grouped_notes.h"

#include <gtest/gtest.h>

namespace warplens::analysis {
namespace {

Problem note(const char* message, std::uint32_t line) {
    Problem problem;
    problem.kind = ProblemKind::ended_threads;
    problem.message = message;
    problem.line = line;
    problem.site = line;
    return problem;
}

TEST(grouped_notes, the_same_words_of_several_lines_stand_once) {
    const auto groups = grouped_notes({note("672 threads arrive", 59), note("672 threads arrive", 73),
                                       note("96 threads arrive", 74), note("672 threads arrive", 91)});
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].sentence(), "Lines 59, 73 and 91: 672 threads arrive.");
    EXPECT_TRUE(groups[0].concerns(73));
    EXPECT_FALSE(groups[0].concerns(74));
    EXPECT_EQ(groups[1].sentence(), "Line 74: 96 threads arrive.");
}

TEST(grouped_notes, without_a_line_each_stands_alone) {
    EXPECT_EQ(grouped_notes({note("many grids", 0), note("many grids", 0)}).size(), 2u);
}

}  // namespace
}  // namespace warplens::analysis
