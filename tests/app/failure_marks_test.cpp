// The lines of a kernel's file that a failure names.
#include "app/window/failure_marks.h"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

TEST(failure_marks, are_the_lines_that_the_sentence_names) {
    const auto marks = failure_marks(
        "a/k.cu:12: error: identifier \"x\" is undefined; 2 more errors at lines 14, 20", "a/k.cu");
    ASSERT_EQ(marks.size(), 3u);
    EXPECT_EQ(marks[0].line, 12u);
    EXPECT_EQ(marks[0].words, "identifier \"x\" is undefined");
    EXPECT_EQ(marks[2].line, 20u);
    EXPECT_TRUE(failure_marks("there is not enough memory", "a/k.cu").empty());
    EXPECT_TRUE(failure_marks("b.h:3: error: no", "a/k.cu").empty());
}

TEST(failure_marks, a_failure_in_a_header_is_marked_at_the_line_that_includes_it) {
    const std::vector<instrumentation::IncludeLine> includes{{2, {"a/first.h"}},
                                                             {4, {"a/inc/second.h", "a/inc/third.h"}}};
    const auto marks = failure_marks(
        "./inc/third.h:7: error: expected a ;; 2 more errors at lines 9, a/k.cu:20", "a/k.cu", includes);
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0].line, 4u);
    EXPECT_EQ(marks[0].words, "in third.h, line 7: expected a ;");
    EXPECT_EQ(marks[1].line, 20u) << "the header's line 9 is none of this file's";
    // A header that no known line includes, and after it a failure of the file itself.
    const auto unknown = failure_marks("x.h:7: error: no; 1 more error at line a/k.cu:3", "a/k.cu", includes);
    ASSERT_EQ(unknown.size(), 1u);
    EXPECT_EQ(unknown[0].line, 3u);
}

}  // namespace
}  // namespace warplens::app
