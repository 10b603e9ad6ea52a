#include "analysis/report/printed_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/report/launch_report.h"
#include "tests/support/read_json.h"
#include "tests/support/synthetic.h"

namespace warplens::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Json = nlohmann::json;

Printed printed_by(std::uint32_t block, std::uint32_t thread, std::string text, std::uint32_t line = 7) {
    Printed one;
    one.block = {block, 0, 0};
    one.thread = {thread, 0, 0};
    one.line = line;
    one.text = std::move(text);
    return one;
}

TEST(printed_words, a_call_s_text_is_cut_at_its_line_breaks_and_the_last_one_ends_it) {
    EXPECT_THAT(printed_lines("hello\n"), ElementsAre("hello"));
    EXPECT_THAT(printed_lines("a\n\nb"), ElementsAre("a", "", "b"));
    EXPECT_THAT(printed_lines(""), ElementsAre(""));
    EXPECT_THAT(printed_lines("\n"), ElementsAre(""));
}

TEST(printed_words, what_no_font_shows_is_spelled_out) {
    EXPECT_THAT(printed_lines("a\tb"), ElementsAre("a       b"));
    EXPECT_THAT(printed_lines("12345678\tb"), ElementsAre("12345678        b"));
    EXPECT_THAT(printed_lines("\x1b[1m\r"), ElementsAre("\\x1b[1m\\x0d"));
    EXPECT_THAT(printed_lines("\xff\xc3"), ElementsAre("\\xff\\xc3"));
    EXPECT_THAT(printed_lines("µ–"), ElementsAre("µ–"));
}

TEST(printed_words, the_section_names_block_thread_and_line_and_aligns_the_text) {
    PrintedCalls printed;
    printed.calls = {printed_by(0, 9, "first\n"), printed_by(0, 10, "second\nthird\n", 0)};
    EXPECT_THAT(printed_section(printed),
                ElementsAre("Printed  2 calls of printf", "  block (0,0,0), thread (9,0,0), line 7  first",
                            "  block (0,0,0), thread (10,0,0)         second",
                            "                                         third"));
}

TEST(printed_words, the_section_shows_the_first_twenty_and_counts_the_others) {
    PrintedCalls printed;
    for (std::uint32_t i = 0; i < 1234; ++i) printed.calls.push_back(printed_by(0, i, std::to_string(i)));
    printed.dropped = 5;
    const auto section = printed_section(printed);
    ASSERT_EQ(section.size(), 22u);
    EXPECT_EQ(section[0], "Printed  1,234 calls of printf, and 5 more that were not kept");
    EXPECT_EQ(section[21], "  and 1,214 more: --format json lists them");
}

TEST(printed_words, a_kernel_that_prints_nothing_has_no_section) {
    EXPECT_THAT(printed_section({}), IsEmpty());
    LaunchReport report;
    report.printed.emplace();
    EXPECT_THAT(to_text(report, trace::example_program()), Not(HasSubstr("Printed")));
}

TEST(printed_words, json_lists_every_call_and_says_null_where_a_gpu_ran_the_kernel) {
    LaunchReport report;
    Json json = read_json(to_json(report, trace::example_program()));
    EXPECT_TRUE(json.at("printed").is_null());
    EXPECT_TRUE(json.at("prints_dropped").is_null());
    report.printed.emplace();
    report.printed->calls = {printed_by(1, 2, "x\n"), printed_by(1, 3, "y \xff", 0)};
    report.printed->calls[0].site = 4;
    report.printed->dropped = 9;
    json = read_json(to_json(report, trace::example_program()));
    EXPECT_EQ(json.at("printed").at(0),
              (Json{{"block", {1, 0, 0}}, {"thread", {2, 0, 0}}, {"line", 7}, {"site", 4}, {"text", "x\n"}}));
    EXPECT_FALSE(json.at("printed").at(1).contains("line"));
    EXPECT_EQ(json.at("prints_dropped"), 9);
    EXPECT_THAT(to_text(report, trace::example_program()),
                HasSubstr("Printed  2 calls of printf, and 9 more"));
}

}  // namespace
}  // namespace warplens::analysis
