#include "tests/simt/ptx_case.h"

#include <gmock/gmock.h>

namespace warplens {
namespace {

constexpr std::string_view text =
    "// title\n"
    ".version 8.4\n"
    "// case one\n"
    "// argument u32 0000002a\n"
    "// in u32 f32\n"
    "// out f32 some.form with words\n"
    "// out f32 rough.f32 within 2 ulp\n"
    "// rows\n"
    "// 00000001 3f800000 : 3f800000 nan\n"
    "// 00000002 3f800000 : 00000000 3f800000\n"
    ".visible .entry one()\n"
    "// case two\n"
    "// block 1 2 1\n"
    "// problem trap\n"
    "// out u32 x\n"
    "// rows\n"
    "// : 00000001\n"
    "// : 00000002\n"
    ".visible .entry two()\n";

TEST(ptx_case, is_read_from_the_comment_above_its_kernel) {
    const auto cases = read_ptx_cases(text);
    ASSERT_TRUE(cases.has_value()) << cases.error().message;
    ASSERT_EQ(cases->size(), 2u);
    const PtxCase& one = cases->front();
    EXPECT_EQ(one.name, "one");
    EXPECT_EQ(one.block, (Dim3{2, 1, 1}));
    EXPECT_EQ(one.arguments.at(0).bits, 42u);
    EXPECT_EQ(one.results.at(0).form, "some.form with words");
    EXPECT_EQ(one.results.at(1).nearness, Nearness::ulp);
    EXPECT_EQ(one.rows.at(1).inputs, (std::vector<std::uint64_t>{2, 0x3f800000}));
    EXPECT_TRUE(one.rows.at(0).results.at(1).any_nan);
    EXPECT_EQ(cases->at(1).block, (Dim3{1, 2, 1}));
    EXPECT_EQ(cases->at(1).problem, "trap");
}

TEST(ptx_case, a_row_with_a_value_too_few_is_an_error) {
    const auto cases = read_ptx_cases("// case one\n// in u32\n// out u32 x\n// rows\n// 00000001 :\n");
    ASSERT_FALSE(cases.has_value());
    EXPECT_THAT(cases.error().message, ::testing::HasSubstr("not as many values"));
}

TEST(ptx_case, nearness_counts_neighbours_and_never_forgives_special_values) {
    const PtxCaseResult near{"f32", "", Nearness::ulp, 2};
    EXPECT_TRUE(is_as_expected(near, {0x3f800000, false}, 0x3f800002));
    EXPECT_FALSE(is_as_expected(near, {0x3f800000, false}, 0x3f800003));
    EXPECT_FALSE(is_as_expected(near, {0x7f800000, false}, 0x7f7fffff));
    EXPECT_FALSE(is_as_expected(near, {0x00000000, false}, 0x80000000));
    EXPECT_FALSE(is_as_expected(near, {0x7f7fffff, false}, 0x7fffffff));
    EXPECT_TRUE(is_as_expected(near, {0, true}, 0xffc00001));
    const PtxCaseResult relative{"f64", "", Nearness::relative, 0x1p-20};
    EXPECT_TRUE(is_as_expected(relative, {0x4000000000000000, false}, 0x4000000080000000));
    EXPECT_FALSE(is_as_expected(relative, {0x4000000000000000, false}, 0x4000000400000000));
    const PtxCaseResult half{"f16", "", Nearness::absolute, 0x1p-8};
    EXPECT_TRUE(is_as_expected(half, {0x3c00, false}, 0x3c04));
    EXPECT_FALSE(is_as_expected(half, {0x3c00, false}, 0x3c05));
    EXPECT_TRUE(is_as_expected(half, {0xb800, false}, 0xb7f8));
    const PtxCaseResult exact{"f32", "", Nearness::exact, 0};
    EXPECT_FALSE(is_as_expected(exact, {0x7fffffff, false}, 0x7fc00000));
}

}  // namespace
}  // namespace warplens
