// A buffer as the command line writes it, and texts that are not one.
#include "instrumentation/catalog/buffer_text.h"

#include <gtest/gtest.h>

namespace warplens::instrumentation {
namespace {

TEST(buffer_text, has_a_type_a_length_and_a_fill) {
    const auto buffer = parse_buffer_text("buffer:f32[1048576]=iota", "arg0");
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->name, "arg0");
    EXPECT_EQ(buffer->element_type, "f32");
    EXPECT_EQ(buffer->length, "1048576");
    EXPECT_EQ(buffer->fill, "iota");
    EXPECT_EQ(parse_buffer_text("buffer:u8[3]", "a")->fill, "none");
}

TEST(buffer_text, is_filled_with_a_constant) {
    const auto buffer = parse_buffer_text("buffer:i32[4]=const:-2", "a");
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->fill, "constant");
    EXPECT_EQ(buffer->fill_argument, "-2");
}

TEST(buffer_text, is_filled_with_random_values_of_its_type) {
    for (const auto& [type, below] : {std::pair{"f32", ""}, {"u8", "256"}, {"i8", "128"}, {"i64", "256"}}) {
        const auto buffer = parse_buffer_text(std::string("buffer:") + type + "[4]=random", "a");
        ASSERT_TRUE(buffer) << type;
        EXPECT_EQ(buffer->seed, "1") << type;
        EXPECT_EQ(buffer->fill_argument, below) << type;
    }
}

TEST(buffer_text, is_nothing_of_another_form) {
    for (const char* text : {"", "f32[4]", "buffer:", "buffer:f32", "buffer:f32[]", "buffer:f32[n]",
                             "buffer:f8[4]", "buffer:f32]4[", "buffer:f32[4]zero",
                             "buffer:f32[4]=", "buffer:f32[4]=ones", "buffer:f32[4]=const:"})
        EXPECT_FALSE(parse_buffer_text(text, "a")) << text;
}

}  // namespace
}  // namespace warplens::instrumentation
