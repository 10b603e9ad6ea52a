#include "app/ui/number.h"

#include <gtest/gtest.h>

#include <limits>

namespace warplens::app {
namespace {

TEST(numbers, three_digits_have_no_exponent) {
    EXPECT_EQ(three_digits(0.125), "0.125");
    EXPECT_EQ(three_digits(13.94), "13.9");
    EXPECT_EQ(three_digits(999.4), "999");
    EXPECT_EQ(three_digits(1536.4), "1,540");
    EXPECT_EQ(three_digits(2'345'678), "2,350,000");
    EXPECT_EQ(three_digits(0), "0");
}

TEST(numbers, thousands_are_separated_by_commas) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1048576), "1,048,576");
    EXPECT_EQ(grouped_signed(-1234), "−1,234");
    EXPECT_EQ(grouped_signed(std::numeric_limits<std::int64_t>::min()), "−9,223,372,036,854,775,808");
}

TEST(numbers, decimals_lose_their_trailing_zeros) {
    EXPECT_EQ(decimal(2), "2");
    EXPECT_EQ(decimal(8.5), "8.5");
    EXPECT_EQ(decimal(1.0 / 3, 3), "0.333");
    EXPECT_EQ(decimal(12345.678, 1), "12,345.7");
    EXPECT_EQ(decimal(-1234.5), "−1,234.5");
    EXPECT_EQ(decimal(-0.001), "0");
    EXPECT_EQ(decimal(1200, 0), "1,200");
    EXPECT_EQ(percent(0.625), "62.5 %");
    EXPECT_EQ(percent(0.003, 0), "0.3 %") << "a little is not nothing";
    EXPECT_EQ(percent(0.0004, 1), "0.04 %");
    EXPECT_EQ(percent(0.0000004, 0), "0 %");
    EXPECT_EQ(percent(0, 0), "0 %");
}

TEST(numbers, bytes_carry_their_unit) {
    EXPECT_EQ(bytes_words(96), "96 B");
    EXPECT_EQ(bytes_words(4224), "4.125 KiB");
    EXPECT_EQ(bytes_words(64 * 1024 * 1024), "64 MiB");
}

TEST(numbers, narrow_columns_get_four_characters_at_most) {
    EXPECT_EQ(compact(0), "0");
    EXPECT_EQ(compact(412.4), "412");
    EXPECT_EQ(compact(999.4), "999");
    EXPECT_EQ(compact(999.6), "1k");
    EXPECT_EQ(compact(5712), "5.7k");
    EXPECT_EQ(compact(9970), "10k");
    EXPECT_EQ(compact(41'234), "41k");
    EXPECT_EQ(compact(3'140'000), "3.1M");
}

TEST(numbers, one_thing_has_no_plural) {
    EXPECT_EQ(counted(1, "lane"), "1 lane");
    EXPECT_EQ(counted(32, "lane"), "32 lanes");
    EXPECT_EQ(counted(2, "pass", "passes"), "2 passes");
}

}  // namespace
}  // namespace warplens::app
