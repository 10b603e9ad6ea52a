// Text from a file, made safe for a terminal.
#include "core/printable.h"

#include <gmock/gmock.h>

#include <random>

namespace warplens {
namespace {

using testing::HasSubstr;

TEST(printable, control_characters_are_written_and_not_sent) {
    EXPECT_EQ(printable("\x1b]0;title\x07 and\ttab\n"), "\\x1b]0;title\\x07 and\ttab\n");
    EXPECT_EQ(printable("a\rb\x7f"), "a\\x0db\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\xc2\\x9b31m");
    EXPECT_EQ(printable("32 µs → 4 × 8"), "32 µs → 4 × 8");
    EXPECT_EQ(printable("Gr\xfc\xdf"), "Gr\\xfc\\xdf");
    EXPECT_EQ(printable("\xed\xa0\x80\xc0\xaf"), "\\xed\\xa0\\x80\\xc0\\xaf");
}

TEST(printable, what_turns_the_direction_of_a_line_is_written) {
    EXPECT_EQ(printable("user\u202etxt.exe"), "user\\xe2\\x80\\xaetxt.exe");
    EXPECT_EQ(printable("\u2066a\u2069\u200f\u061c\u2028"),
              "\\xe2\\x81\\xa6a\\xe2\\x81\\xa9\\xe2\\x80\\x8f\\xd8\\x9c\\xe2\\x80\\xa8");
    EXPECT_EQ(printable("א \u200b\u2070"), "א \u200b\u2070");
}

TEST(printable, a_message_is_one_line_of_bounded_length) {
    EXPECT_EQ(one_line("a\n\nb\tc\r\n"), "a; b c; ");
    const std::string cut = one_line("begin " + std::string(2'600'000, 'x') + " end");
    EXPECT_LE(cut.size(), longest_message);
    EXPECT_THAT(cut, testing::StartsWith("begin "));
    EXPECT_THAT(cut, testing::EndsWith(" end"));
    EXPECT_THAT(cut, HasSubstr("bytes left out"));
    std::mt19937 random(17);
    for (int i = 0; i < 2000; ++i) {
        std::string text(random() % 3000, '\0');
        for (char& c : text) c = random() % 2 == 0 ? '\xc3' : static_cast<char>(random());
        const std::string line = one_line(text);
        ASSERT_LE(line.size(), longest_message);
        ASSERT_EQ(line, printable(line)) << "a character was cut in two";
        ASSERT_EQ(line.find('\n'), std::string::npos);
    }
}

}  // namespace
}  // namespace warplens
