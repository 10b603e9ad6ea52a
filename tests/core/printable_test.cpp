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
