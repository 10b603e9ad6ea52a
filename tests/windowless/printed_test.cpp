// What a kernel prints, as a person reads it: `warplens report` as text and as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Json = nlohmann::json;

using Printing = TypedCommands;

std::vector<std::string> print_lanes(std::vector<std::string> more) {
    std::vector<std::string> words{"report", "print_lanes"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST_F(Printing, the_report_shows_the_first_lines_with_block_thread_and_line) {
    const Outcome outcome = warplens(print_lanes({}));
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("Printed  160 calls of printf"), HasSubstr("  block (0,0,0), thread ("),
                      HasSubstr("takes path"), HasSubstr("and 140 more: --format json lists them"),
                      HasSubstr("Golden check  passed")));
}

TEST_F(Printing, json_has_every_call_in_block_order_and_all_lanes_of_one_path_before_the_other) {
    const Json json = read_json(warplens(print_lanes({"--format", "json"})).out);
    EXPECT_EQ(json.at("prints_dropped"), 0);
    const Json& printed = json.at("printed");
    ASSERT_EQ(printed.size(), 160u) << "2 blocks of 40 threads, twice each";
    std::uint64_t last_block = 0;
    std::string paths;  // of block 0's first warp, in the order printed
    for (const Json& one : printed) {
        const std::uint64_t block = one.at("block").at(0), thread = one.at("thread").at(0);
        const std::string text = one.at("text");
        EXPECT_GE(block, last_block);
        last_block = block;
        EXPECT_GT(one.at("line"), 0);
        if (block != 0 || thread >= 32) continue;
        if (text.find("takes path") == std::string::npos) paths += '.';
        else paths += text[text.find("path ") + 5];
    }
    const std::string a(8, 'A'), b(24, 'B'), together(32, '.');
    EXPECT_TRUE(paths == a + b + together || paths == b + a + together) << paths;
}

TEST_F(Printing, a_sample_prints_what_its_blocks_print) {
    const Json json = read_json(warplens(print_lanes({"--format", "json", "--blocks", "1"})).out);
    ASSERT_EQ(json.at("printed").size(), 80u);
    for (const Json& one : json.at("printed")) EXPECT_EQ(one.at("block").at(0), 1);
}

TEST_F(Printing, calls_behind_the_ten_thousandth_are_counted) {
    const Json json = read_json(
        warplens(print_lanes({"--format", "json", "--set", "threads=1024", "--set", "blocks=6"})).out);
    EXPECT_EQ(json.at("printed").size(), 10'000u);
    EXPECT_EQ(json.at("prints_dropped"), 2 * 6 * 1024 - 10'000);
}

/// A recursion of `n` calls that keep 64 bytes each, 72 with the address to return to.
constexpr const char* recursion =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".func down(.param .b32 n)\n{\n.local .align 16 .b8 kept[64];\n.reg .b32 %r<3>;\n.reg .pred %p<2>;\n"
    "ld.param.u32 %r1, [n];\nst.local.u32 [kept], %r1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 ret;\n"
    "sub.u32 %r2, %r1, 1;\n{\n.param .b32 a;\nst.param.b32 [a], %r2;\ncall.uni down, (a);\n}\nret;\n}\n"
    ".visible .entry k(.param .u32 n)\n{\n.reg .b32 %r<2>;\nld.param.u32 %r1, [n];\n{\n"
    ".param .b32 a;\nst.param.b32 [a], %r1;\ncall.uni down, (a);\n}\nret;\n}\n";

TEST_F(Printing, a_stack_larger_than_the_driver_s_is_asked_for_with_a_flag) {
    const std::vector<std::string> words{
        "report", file("down.ptx", recursion), "--kernel", "k", "--grid", "1", "--block", "32", "--arg",
        "i32=20"};
    const Outcome small = warplens(words);
    EXPECT_EQ(small.code, 1) << small.error;
    EXPECT_THAT(small.out, AllOf(HasSubstr("stack_overflow"), HasSubstr("a thread has 1,024"),
                                 HasSubstr("--stack-bytes")));
    auto more = words;
    more.insert(more.end(), {"--stack-bytes", "2048"});
    const Outcome large = warplens(more);
    EXPECT_EQ(large.code, 0) << large.out << large.error;
}

}  // namespace
}  // namespace warplens::app
