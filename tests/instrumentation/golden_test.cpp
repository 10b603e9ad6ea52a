// The golden check: what it accepts, which errors it finds, and their messages.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {

using testing::HasSubstr;

namespace {

struct Case {
    KernelFile kernel;
    PreparedLaunch launch;
    std::vector<float> out;

    explicit Case(const std::string& source = sample_source,
                  const std::map<std::string, std::string>& set = {})
        : kernel(sample_kernel(source)), launch(prepared_launch(kernel, set)) {
        for (const float x : elements<float>(launch.buffers.at(0))) out.push_back(2 * x);
    }

    Result<GoldenResult> check() const {
        return check_golden(kernel, launch,
                            {launch.buffers[0].data.data(), reinterpret_cast<const std::byte*>(out.data())});
    }
};

Case with_lua(const std::string& body, const std::string& tolerance = "0.0") {
    return Case(sample_with("lua = '''\nreturn function(i)\n    return a * in_[i]\nend\n",
                            "tolerance = " + tolerance + "\nlua = '''\n" + body + "\n"));
}

}  // namespace

TEST(golden, passes_when_all_elements_agree) {
    const auto result = Case().check();
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_TRUE(result->declared);
    EXPECT_TRUE(result->passed) << result->failure;
    EXPECT_EQ(result->elements_checked, 100u);
    EXPECT_EQ(result->elements_total, 100u);
}

TEST(golden, names_the_first_element_that_differs_and_counts_them_all) {
    Case broken;
    broken.out[35] = 12;
    broken.out[99] = 0;
    const auto result = broken.check();
    ASSERT_TRUE(result.has_value());
    EXPECT_FALSE(result->passed);
    EXPECT_EQ(result->failure, "out[35]: 12, expected 70 (2 of 100 elements differ)");
}

TEST(golden, tolerance_is_relative_above_one) {
    Case close = with_lua("return function(i) return 2 * i end", "1e-3");
    close.out[0] = 0.0009f;
    close.out[99] = 198.1f;
    EXPECT_TRUE(close.check()->passed) << close.check()->failure;
    close.out[99] = 198.3f;
    EXPECT_FALSE(close.check()->passed);
}

TEST(golden, nan_equals_only_nan_and_infinity_only_itself) {
    Case nan = with_lua("return function(i) return i == 3 and 0/0 or 1/0 end", "0.5");
    std::fill(nan.out.begin(), nan.out.end(), INFINITY);
    nan.out[3] = NAN;
    EXPECT_TRUE(nan.check()->passed) << nan.check()->failure;
    nan.out[3] = 1;
    EXPECT_FALSE(nan.check()->passed);
    nan.out[3] = NAN;
    nan.out[4] = 7;
    EXPECT_FALSE(nan.check()->passed);
    nan.out[4] = NAN;
    EXPECT_FALSE(nan.check()->passed);
}

TEST(golden, expected_values_are_rounded_to_the_buffers_precision) {
    Case third = with_lua("return function(i) return i / 3 end");
    for (std::size_t i = 0; i < third.out.size(); ++i) {
        third.out[i] = static_cast<float>(static_cast<double>(i) / 3);
    }
    EXPECT_TRUE(third.check()->passed) << third.check()->failure;
}

TEST(golden, integers_are_compared_exactly) {
    std::string source = sample_with("out = { type = \"f32\"", "out = { type = \"u32\"");
    source.replace(source.find("a * in_[i]"), 10, "4000000000 + i");
    Case integers(source);
    std::vector<std::uint32_t> results(100);
    for (std::uint32_t i = 0; i < 100; ++i) results[i] = 4000000000u + i;
    std::memcpy(integers.out.data(), results.data(), 400);
    EXPECT_TRUE(integers.check()->passed) << integers.check()->failure;
    results[7] += 1;
    std::memcpy(integers.out.data(), results.data(), 400);
    EXPECT_EQ(integers.check()->failure,
              "out[7]: 4000000008, expected 4000000007 (1 of 100 elements differ)");
}

TEST(golden, a_read_out_of_range_is_an_error_not_a_nil) {
    EXPECT_THAT(message_of(with_lua("return function(i) return in_[i + 1] end").check()),
                HasSubstr("in[100] is out of range; it has elements 0 to 99"));
    EXPECT_THAT(message_of(with_lua("return function(i) return in_[-1] end").check()), HasSubstr("in[-1]"));
    EXPECT_THAT(message_of(with_lua("return function(i) return in_[0.5] end").check()), HasSubstr("in[0.5]"));
}

TEST(golden, mistakes_in_the_chunk_name_its_line) {
    EXPECT_THAT(message_of(with_lua("return function(i)\n return an * 2 end").check()),
                HasSubstr("lua:2: unknown name `an`"));
    EXPECT_THAT(message_of(with_lua("return 3").check()), HasSubstr("must return a function"));
    EXPECT_THAT(message_of(with_lua("return function(i) end").check()), HasSubstr("does not give a number"));
    EXPECT_THAT(message_of(with_lua("in_[0] = 1 return function(i) return 1 end").check()),
                HasSubstr("attempt to index"));
    EXPECT_THAT(message_of(with_lua("while true do end").check()), HasSubstr("does not end"));
}

TEST(golden, a_slow_check_takes_an_even_sample_and_says_so) {
    Case slow(
        sample_with("    return a * in_[i]", "    for k = 1, 1000 do local x = k * k end return a * in_[i]"),
        {{"n", "1000000"}});
    const auto result = slow.check();
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_TRUE(result->passed) << result->failure;
    EXPECT_EQ(result->elements_total, 1000000u);
    EXPECT_GT(result->elements_checked, 1000u);
    EXPECT_LT(result->elements_checked, 100000u);
    for (std::size_t i = 400000; i < 401000; ++i) slow.out[i] = -1;  // a thousandth of all
    EXPECT_FALSE(slow.check()->passed);
    EXPECT_THAT(slow.check()->failure, HasSubstr("elements checked differ"));
}

}  // namespace warplens::instrumentation
