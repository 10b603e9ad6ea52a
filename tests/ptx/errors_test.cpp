// Errors contain the text, line, column, what was found and what would be correct; hostile text gives one
// quickly.
#include <gmock/gmock.h>

#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

using testing::HasSubstr;

TEST(parser_errors, message_names_text_line_column_and_what_would_be_right) {
    EXPECT_EQ(error_of(module_text(".entry k()\n{\n  bogus thing;\n}")),
              "test.ptx:6:9: \"thing\" is not a declared register, variable or function, and not a special "
              "register");
    EXPECT_EQ(error_of(module_text(".entry k()\n{\n  ret\n}")),
              "test.ptx:7:1: found \"}\", but an operand (a register, a number, a name, [address] or "
              "{vector}) would be "
              "right here");
    EXPECT_EQ(error_of("hello"),
              "test.ptx:1:1: found \"hello\", but PTX, which begins with .version, would be right here");
}

struct ErrorCase {
    std::string text;
    std::string message;
};

TEST(parser_errors, each_mistake_has_its_own_sentence) {
    const ErrorCase cases[] = {
        {"", "the end of the text"},
        {kernel_text("bra NOWHERE;"), "the label \"NOWHERE\" is not defined in this scope"},
        {kernel_text("bra INNER; { INNER: ret; }"), "the label \"INNER\" is not defined in this scope"},
        {kernel_text("L: L: ret;"), "the label \"L\" is defined twice in this scope"},
        {kernel_text(".reg .b32 %r1;"), "\"%r1\" is declared twice in this scope"},
        {kernel_text("@%q1 ret;"), "the guard \"%q1\" is not a declared register"},
        {kernel_text("add.u32 %r1, %r2"), "\",\" or \";\" after add.u32"},
        {kernel_text("{ ret;"), "\"}\""},
        {kernel_text("mov.u32 %r1, 12abc;"), "found \"12abc\", but a 64-bit integer"},
        {kernel_text("mov.u64 %rd1, 99999999999999999999;"), "a 64-bit integer"},
        {kernel_text("mov.f32 %f1, 0f3F80;"), "0f and 8"},
        {kernel_text("mov.u32 %r1, 1/0;"), "a division by zero"},
        {kernel_text("mov.f32 %f1, 1.5+2.5;"), "an operator between floats"},
        {kernel_text("bar.sync 16;"), "a barrier number outside 0 to 15"},
        {kernel_text("bar.arrive 16, 32;"), "a barrier number outside 0 to 15"},
        {kernel_text("barrier.cta.sync -1;"), "a barrier number outside 0 to 15"},
        {kernel_text("bar.red.popc.u32 %r1, 255, %p1;"), "a barrier number outside 0 to 15"},
        {kernel_text("ld.local.v8.b128 {%r1, %r1}, [%rd1];"), "accesses 128 bytes per lane; at most 32"},
        {kernel_text("cp.async.ca.shared.global [%rd1], [%rd1], 4294967300;"), "bytes per lane"},
        {module_text(".entry k() { }"), "\"k\" has no instruction"},
        {module_text(".entry k(.param .b8 x[4294967297]) { ret; }"), "parameters of 4294967297 bytes"},
        {kernel_text("ld.u32 %r1, [%rd1+1.5];"), "an address offset that is not an integer"},
        {kernel_text("ld.u32 %r1, [{%r1}];"), "an address needs a register, a name or a number"},
        {kernel_text("shfl.b32 %r1|, 1;"), "the second half of a pair"},
        {kernel_text(".reg .bad %q;"), "a register's type such as .b32"},
        {kernel_text(".reg .b32 %q<4000000000>;"),
         "4000000000 registers \"%q\" are more than a text of this size uses"},
        {kernel_text(".loc 1 2"), "a number"},
        {kernel_text(".loc 1 2 3, made_at 4"), "only function_name and inlined_at"},
        {kernel_text(".maxntid 4;"), "a directive of function scope"},
        {module_text(".global .align 3 .u32 x;"), "an alignment must be a power of two"},
        {module_text(".global x;"), "a type such as .b8"},
        {module_text(".global .u32 x[99999999999999];"), "an array extent must be an integer"},
        {module_text(".global .u32 x[1000000000000][1000000000000];"), "is larger than"},
        {module_text(".global .u32 x[2][];"), "only the first may be left open"},
        {module_text(".global .u32 x[2][0];"), "an extent of no elements"},
        {module_text(".global .u32 x[2] = {1, 2, 3};"), "more initial values for \"x\" than its 2 elements"},
        {module_text(".global .u32 x[2] = {{1}};"), "a value or \"}\""},
        {module_text(".global .u32 x[2][1000000000] = {{1}, {2}};"), "leave out more elements"},
        {module_text(".func f(.reg .u32 a) { ret; }"), "register parameters are not taken"},
        {module_text(".entry k(.param .u32 a, .param .u32 a) { ret; }"),
         "the parameter \"a\" is declared twice"},
        {module_text(".address_size 32\n"), ".address_size other than 64"},
        {module_text(".file x"), "a number"},
        {module_text(".section .debug_str {"), "\"}\" after the section's data"},
        {module_text(".visible .file 1 \"a\""), ".entry, .func or a state space"},
        {module_text("\x01"), "found the byte 0x01"},
        {module_text(".entry k() { call undeclared; }"), "\"undeclared\" is not a declared register"},
    };
    for (const ErrorCase& expected : cases)
        EXPECT_THAT(error_of(expected.text), HasSubstr(expected.message)) << expected.text;
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

// None of these may overflow the stack, fill the memory or take time that grows faster than the text.
TEST(parser_errors, hostile_nesting_and_counts_end_in_an_error) {
    constexpr int many = 200'000;
    EXPECT_THAT(error_of(kernel_text(repeated("{", many))), HasSubstr("nested at most"));
    EXPECT_THAT(error_of(kernel_text("mov.u32 %r1, " + repeated("(", many))),
                HasSubstr("nested deeper than"));
    EXPECT_THAT(error_of(kernel_text("mov.u32 %r1, " + repeated("-", many) + "1;")),
                HasSubstr("nested deeper than"));
    EXPECT_THAT(error_of(kernel_text("mov.u32 " + repeated("{", many))), HasSubstr("nested at most"));
    EXPECT_THAT(error_of(kernel_text("mov.u32 " + repeated("[", many))), HasSubstr("nested at most"));
    EXPECT_THAT(error_of(module_text(".global .u32 x" + repeated("[1]", many) + ";")),
                HasSubstr("at most 16 dimensions"));
    EXPECT_THAT(error_of(kernel_text(repeated(".reg .b32 %a<90000>; {", 100))), HasSubstr("registers"));
    EXPECT_THAT(error_of(kernel_text(".reg .b32 " + repeated("x", many) + "<100000>;")),
                HasSubstr("registers"));
    EXPECT_THAT(error_of(module_text(repeated(".global .b8 x[2][400000] = {{1}, {2}};", 100))),
                HasSubstr("leave out"));
    EXPECT_THAT(error_of(module_text(repeated("/* ", many))), HasSubstr("parsed without error"));
    EXPECT_THAT(error_of(module_text(repeated("\"", many))), HasSubstr("found"));
}

TEST(parser_errors, long_honest_texts_are_no_error) {
    constexpr int many = 50'000;
    const std::string scopes =
        repeated("{ .reg .pred p; .param .b32 q; L: @p bra L; bra END; }\n", many / 10);
    EXPECT_EQ(parsed(kernel_text(scopes + "END: ret;")).functions.size(), 1u);
    EXPECT_EQ(parsed(kernel_text(repeated("bra END;\n", many) + "END: ret;")).functions.size(), 1u);
    EXPECT_EQ(parsed(module_text(".const .b8 x[] = {" + repeated("1, ", many) + "2};")).variables[0].bytes(),
              static_cast<std::uint64_t>(many) + 1);
}

TEST(parser_errors, text_cut_off_anywhere_is_an_error_or_a_module_but_never_a_crash) {
    const std::string text = kernel_text(
        ".loc 1 2 3, function_name $x, inlined_at 1 2 3\n{ .reg .b32 t; @!%p1 shfl.sync.up.b32 t|%p2, %r1, "
        "1, 0, -1;\n"
        "L: bra L; } tex.2d.v4.f32.f32 {%f1,%f2,%f3,_}, [%rd1, {%f1,%f2}]; mov.f32 %f1, 0f3F800000;");
    for (std::size_t length = 0; length < text.size() - 1; ++length) {
        const auto module = parse(text.substr(0, length), "cut.ptx");
        if (!module) {
            EXPECT_THAT(module.error().message, HasSubstr("cut.ptx:"));
        } else {
            EXPECT_TRUE(module->functions.empty()) << length;
        }
    }
}

}  // namespace
}  // namespace warplens::ptx
