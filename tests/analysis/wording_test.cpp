#include "analysis/wording.h"

#include <gtest/gtest.h>

namespace warplens::analysis {
namespace {

TEST(wording, a_duration_has_the_unit_that_suits_it) {
    EXPECT_EQ(duration(6.7e-12), "0.0067 ns");
    EXPECT_EQ(duration(1.4e-9), "1.4 ns");
    EXPECT_EQ(duration(42e-9), "42 ns");
    EXPECT_EQ(duration(4.87e-6), "4.87 µs");
    EXPECT_EQ(duration(1.25e-3), "1.25 ms") << "not 1.2 kµs";
    EXPECT_EQ(duration(2), "2 s");
}

TEST(wording, a_small_value_is_not_zero) {
    EXPECT_EQ(with_prefix(1024.0 / 529'000, "flop"), "0.0019 flop");
    EXPECT_EQ(with_prefix(0.000098, "flop"), "0.000098 flop");
    EXPECT_EQ(with_prefix(0.01, "flop"), "0.01 flop");
    EXPECT_EQ(with_prefix(0, "B", "bytes"), "0 bytes");
}

}  // namespace
}  // namespace warplens::analysis
