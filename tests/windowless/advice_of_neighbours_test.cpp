// What advice promises lanes that would be neighbours: where a changed kernel gains it, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// The warps of a block read whole sectors together: with rows for columns it takes 0.7 % less.
TEST(advice, sectors_whose_other_bytes_are_hits_of_other_warps_promise_nothing) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice =
        advice_for(with_knob("", "    out[base + y * 32 + x] = in[(base + x * 32 + y) % 16384];\n"));
    EXPECT_THAT(advice.modelled, IsEmpty()) << advice_text(advice);
}

TEST(advice, wasted_sectors_without_a_knob_name_the_line_and_the_limit) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice =
        advice_for(with_knob("", "    out[base + y * 32 + x] = in[(base + x * 512 + y * 8) % 16384];\n"));
    EXPECT_THAT(advice.modelled, testing::Contains(HasSubstr("let neighbouring lanes access")))
        << advice_text(advice);
    EXPECT_THAT(advice.modelled, testing::Contains(StartsWith("Line 19: let "))) << advice_text(advice);
}

}  // namespace
}  // namespace warplens::app
