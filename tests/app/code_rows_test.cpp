// Where a listing breaks lines that are too long for its pane.
#include "app/views/source/code_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace warplens::app {
namespace {

using testing::ElementsAre;

std::vector<CodeLine> lines_of(const std::vector<std::string>& texts) {
    std::vector<CodeLine> lines;
    for (const std::string& text : texts) {
        lines.emplace_back();
        lines.back().number = static_cast<std::uint32_t>(lines.size());
        lines.back().text = text;
    }
    return lines;
}

/// The parts of a line as they are drawn.
std::vector<std::string> parts(const std::vector<CodeLine>& lines, const CodeRows& rows, std::size_t line) {
    const BrokenLine& broken = rows.parts_of(line);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < broken.starts.size(); ++i) {
        const std::size_t next = i + 1 < broken.starts.size() ? broken.starts[i + 1] : std::string::npos;
        texts.push_back(std::string(i ? broken.hang : 0, ' ') +
                        lines[line].text.substr(broken.starts[i], next - broken.starts[i]));
    }
    return texts;
}

const std::string loop = "    for (unsigned distance = 1; distance < size; distance *= 2) {";

TEST(CodeRows, all_long_lines_are_broken_where_they_have_room) {
    const auto lines = lines_of({"{", loop, "        sum += x;  // a sentence that is too long for it", "}"});
    const CodeRows rows = code_rows(lines, {}, 40, 20);
    EXPECT_THAT(rows.first, ElementsAre(0, 1, 3, 5, 6));
    EXPECT_THAT(parts(lines, rows, 1),
                ElementsAre("    for (unsigned distance = 1; ", "      distance < size; distance *= 2) {"));
    EXPECT_THAT(parts(lines, rows, 2),
                ElementsAre("        sum += x;  // a sentence that ", "          is too long for it"));
    EXPECT_TRUE(rows.parts_of(0).is_whole());
}

TEST(CodeRows, where_most_lines_are_too_long_only_the_chosen_one_is_broken) {
    const auto lines = lines_of({loop, loop, loop, loop + "  // why"});
    const CodeRows rows = code_rows(lines, {2, 3}, 40, 4);
    EXPECT_THAT(rows.first, ElementsAre(0, 1, 3, 4, 5));
    EXPECT_TRUE(rows.parts_of(0).is_whole());
    EXPECT_TRUE(rows.parts_of(2).is_whole());
    EXPECT_EQ(parts(lines, rows, 1).size(), 2u);
}

TEST(CodeRows, a_comment_is_no_reason_to_break_only_the_chosen_line) {
    const auto lines = lines_of({loop + loop, loop + loop, loop + "  // why"});
    EXPECT_THAT(parts(lines, code_rows(lines, {3}, loop.size() + 2, 3), 2), ElementsAre(loop + "  // why"));
}

TEST(CodeRows, a_listing_that_grows_by_up_to_a_half_is_broken_though_it_does_not_fit) {
    const auto lines = lines_of({"a", "b", loop, "c"});
    EXPECT_EQ(code_rows(lines, {}, 40, 3).first.back(), 5u);
}

TEST(CodeRows, an_indentation_that_takes_much_of_the_pane_is_given_up) {
    const auto lines = lines_of({std::string(12, ' ') + "value = first + second;"});
    EXPECT_THAT(parts(lines, code_rows(lines, {1}, 24, 9), 0), ElementsAre("value = first + second;"));
}

}  // namespace
}  // namespace warplens::app
