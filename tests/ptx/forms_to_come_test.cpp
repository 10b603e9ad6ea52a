// Instructions of newer PTX that the opcode table does not have: they are kept with their operands as
// written, so that the rest of the module can be used, and they are printed back unchanged.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "ptx/printer.h"
#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> spellings(const Module& module) {
    std::vector<std::string> all;
    for (const Instruction& instruction : instructions_of(module.functions.back()))
        all.push_back(instruction.spelling);
    return all;
}

TEST(forms_to_come, with_operands_of_a_syntax_of_their_own_do_not_stop_the_parser) {
    const Module module =
        parsed(kernel_text("add.s32 %r1, %r2, %r3;\n"
                           "frobnicate.kind::x.32x4b.b32 [%rd1 : %r2]<3>, %r1 -> {%r2, {%r3}};\n"
                           "add.newly.s32 %r1 %r2, %r3;\n"
                           "sub.s32 %r1, %r2, %r3;\n"));
    EXPECT_THAT(spellings(module),
                ElementsAre("add.s32", "frobnicate.kind::x.32x4b.b32", "add.newly.s32", "sub.s32"));
    const Instruction unread = instructions_of(module.functions.back())[1];
    EXPECT_EQ(unread.unread_operands, "[%rd1 : %r2]<3>, %r1 -> {%r2, {%r3}}");
    EXPECT_EQ(unread.operands.size(), 5u) << "the registers that it names";
    EXPECT_EQ(print(module.functions.back(), unread),
              "frobnicate.kind::x.32x4b.b32 [%rd1 : %r2]<3>, %r1 -> {%r2, {%r3}};");
    EXPECT_EQ(parsed(print(module)), module);
}

TEST(forms_to_come, name_the_registers_of_their_scope) {
    const Module module =
        parsed(kernel_text("{ .reg .b32 t; frobnicate t <- %r1; }\n{ .reg .b32 t; frobnicate t <- %r1; }\n"));
    const auto all = instructions_of(module.functions.back());
    EXPECT_NE(all[0].unread_operands, all[1].unread_operands) << "each has a register t of its own";
    EXPECT_EQ(parsed(print(module)), module);
}

TEST(forms_to_come, do_not_name_what_only_another_scope_declares) {
    // Printed, a module declares all registers of a function first, so that the name would become that of t.
    const char* const texts[] = {"{ .reg .b32 t; mov.b32 t, 1; }\n{ seq 11, 0\n.reg .b32 t; }",
                                 "{ .reg .b32 t; mov.b32 t, 1; }\nfrobnicate <%r1>, <t>;"};
    for (const char* const text : texts)
        EXPECT_THAT(error_of(kernel_text(text)), HasSubstr("\"t\" is not declared in this scope")) << text;
    EXPECT_THAT(error_of(kernel_text("{ .shared .b32 v; } { .shared .b32 v; frobnicate <v$1>; }")),
                HasSubstr("\"v$1\" is not declared in this scope"));
}

TEST(forms_to_come, print_as_the_module_that_was_read) {
    for (const char* const operands : {"[4,]", "[4,5]", "[%r1,]", "{%r1,}"}) {
        const Module module = parsed(kernel_text(fmt::format("frobnicate {};", operands)));
        EXPECT_EQ(parsed(print(module)), module) << operands;
    }
    EXPECT_THAT(error_of(kernel_text("ld.global.b32 %r1, [4,];")), HasSubstr("an operand after the comma"));
}

TEST(forms_to_come, keep_words_of_no_meaning_from_the_declarations_behind_them) {
    const Module module = parsed(
        kernel_text("frobnicate <t>, <%q1>, <L>;\n{ .reg .b32 t; frobnicate <t>, <L>; }\n.reg .b32 %q<2>;\n"
                    "L: frobnicate <%q1>;"));
    const auto all = instructions_of(module.functions.back());
    EXPECT_EQ(all[0].unread_operands, "<t>, <%q1>, <L>");
    EXPECT_TRUE(all[0].operands.empty());
    EXPECT_EQ(all[1].unread_operands, "<t$1>, <L>") << "a label keeps its name";
    EXPECT_EQ(all[2].unread_operands, "<%q1$1>");
    EXPECT_EQ(parsed(print(module)), module);
}

TEST(forms_to_come, are_none_where_the_table_has_the_form_or_a_name_is_wrong) {
    EXPECT_THAT(error_of(kernel_text("add.s32 %r1 %r2, %r3;")), HasSubstr("\",\" or \";\" after add.s32"));
    EXPECT_THAT(error_of(kernel_text("frobnicate %nothing;")),
                HasSubstr("\"%nothing\" is not a declared register"));
    EXPECT_THAT(error_of(kernel_text("frobnicate <%r1>")), HasSubstr("found \"<\""));
    EXPECT_THAT(error_of(kernel_text("frobnicate <%r1 }; ret;")), HasSubstr("found \"<\""));
}

TEST(parts_of_registers, and_negated_registers_are_read_and_printed) {
    const std::string texts[] = {"vadd.u32.u32.u32 %r1.b0, %r2.h1, %r3.b2, %r1;",
                                 "vadd4.u32.u32.u32 %r1.b310, %r2.b7531, %r3.b0246, %r1;",
                                 "vmad.s32.s32.s32 %r1, %r2.h0, -%r3.b3, %r1;",
                                 "vmad.s32.s32.s32 %r1, %r2, %r3, -%r1;"};
    for (const std::string& text : texts) {
        const Module module = parsed(kernel_text(text));
        const Instruction instruction = instructions_of(module.functions.back())[0];
        EXPECT_EQ(print(module.functions.back(), instruction), text);
        EXPECT_EQ(parsed(print(module)), module) << text;
    }
    const Instruction one = instruction(texts[1]);
    EXPECT_EQ(one.operands[1].part, (RegisterPart{'b', 4, {7, 5, 3, 1}}));
    EXPECT_TRUE(instruction(texts[2]).operands[2].negated);
    EXPECT_THAT(error_of(kernel_text("vadd.u32.u32.u32 %r1.b8, %r2, %r3;")),
                HasSubstr("after vadd.u32.u32.u32"));
}

}  // namespace
}  // namespace warplens::ptx
