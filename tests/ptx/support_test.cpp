#include "ptx/support.h"

#include <gmock/gmock.h>

#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

TEST(support, every_form_that_is_not_executable_is_listed_once_with_first_line_and_count) {
    const Module module =
        parsed(kernel_text("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}];\n"
                           "add.s32 %r1, %r2, %r3;\n"
                           "frobnicate.u32 %r1;\n"
                           "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd2, {%f5,%f6}];\n"
                           "frobnicate.s32 %r1;\n"));
    const auto forms = list_unsupported(
        module, {0}, [](const Instruction& instruction) { return instruction.opcode == "add"; });
    ASSERT_EQ(forms.size(), 3u);
    EXPECT_EQ(forms[0].spelling, "tex.2d.v4.f32.f32");
    EXPECT_EQ(forms[0].reason, "");
    EXPECT_EQ(forms[0].ptx_line, 7u);
    EXPECT_EQ(forms[0].count, 2u);
    EXPECT_EQ(forms[1].spelling, "frobnicate.u32");
    EXPECT_EQ(forms[1].reason, "unknown opcode frobnicate");
    EXPECT_EQ(forms[2].ptx_line, 11u);
}

TEST(support, functions_that_are_not_asked_for_do_not_count) {
    const Module module = parsed(module_text(".func f() { trap; } .entry k() { trap; }"));
    const auto nothing = [](const Instruction&) { return false; };
    EXPECT_EQ(list_unsupported(module, {1}, nothing).at(0).count, 1u);
    EXPECT_EQ(list_unsupported(module, {0, 1}, nothing).at(0).count, 2u);
}

}  // namespace
}  // namespace warplens::ptx
