// The representation of each construct of PTX in a Module.
#include <gmock/gmock.h>

#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

using testing::ElementsAre;

TEST(parser, words_of_an_opcode_are_sorted_into_types_width_and_modifiers) {
    const Instruction i = instruction("ld.global.nc.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];");
    EXPECT_EQ(i.opcode, "ld");
    EXPECT_THAT(i.modifiers, ElementsAre("global", "nc", "L2::128B"));
    EXPECT_THAT(i.types, ElementsAre(Type::f32));
    EXPECT_EQ(i.vector_width, 4);
    EXPECT_EQ(i.spelling, "ld.global.nc.L2::128B.v4.f32");
    EXPECT_TRUE(i.has("nc"));
    EXPECT_FALSE(i.has("f32"));
    EXPECT_THAT(instruction("cvt.rzi.s32.f64 %r1, %rd1;").types, ElementsAre(Type::s32, Type::f64));
    EXPECT_EQ(instruction("add /* wide */ .u32 %r1, %r2, %r3;").spelling, "add.u32");
}

TEST(parser, guards_are_registers_with_a_sign) {
    const Instruction plain = instruction("@%p3 bra L; L:");
    EXPECT_TRUE(plain.has_guard);
    EXPECT_FALSE(plain.guard.negated);
    EXPECT_TRUE(instruction("@!%p3 ret;").guard.negated);
    EXPECT_FALSE(instruction("ret;").has_guard);
}

std::uint64_t integer(const std::string& text) {
    const Instruction i = instruction("mov.b64 %rd1, " + text + ";");
    const auto* value = std::get_if<Immediate>(&i.operands.at(1).value);
    EXPECT_TRUE(value != nullptr && value->kind == Immediate::Kind::integer) << text;
    return value != nullptr ? value->bits : 0;
}

TEST(parser, integers_are_read_in_every_base_and_as_constant_expressions) {
    EXPECT_EQ(integer("1234"), 1234u);
    EXPECT_EQ(integer("0x1fF"), 0x1ffu);
    EXPECT_EQ(integer("0777"), 0777u);
    EXPECT_EQ(integer("0b1011"), 11u);
    EXPECT_EQ(integer("7U"), 7u);
    EXPECT_EQ(integer("0"), 0u);
    EXPECT_EQ(integer("-1"), ~0ull);
    EXPECT_EQ(integer("0xFFFFFFFFFFFFFFFF"), ~0ull);
    EXPECT_EQ(integer("~0"), ~0ull);
    EXPECT_EQ(integer("2+3*4"), 14u);
    EXPECT_EQ(integer("(2+3)*4 - -1"), 21u);
    EXPECT_EQ(integer("1<<4|3"), 19u);
    EXPECT_EQ(integer("-7/2"), static_cast<std::uint64_t>(-3));
    EXPECT_EQ(integer("-8>>1"), static_cast<std::uint64_t>(-4));
    EXPECT_EQ(integer("1<<64"), 0u);
    EXPECT_EQ(integer("(-9223372036854775807-1)/-1"), 0x8000000000000000u);
}

Immediate constant(const std::string& text) {
    return std::get<Immediate>(instruction("mov.f64 %rd1, " + text + ";").operands.at(1).value);
}

TEST(parser, floats_keep_the_bits_of_the_width_they_were_written_in) {
    EXPECT_EQ(constant("0f3F800000"), (Immediate{Immediate::Kind::f32_bits, 0x3f800000}));
    EXPECT_EQ(constant("0F7FC00001"), (Immediate{Immediate::Kind::f32_bits, 0x7fc00001}));
    EXPECT_EQ(constant("-0f00000000"), (Immediate{Immediate::Kind::f32_bits, 0x80000000}));
    EXPECT_EQ(constant("0dBFF0000000000000"), (Immediate{Immediate::Kind::f64_bits, 0xbff0000000000000}));
    EXPECT_EQ(constant("1.5"), (Immediate{Immediate::Kind::f64_bits, 0x3ff8000000000000}));
    EXPECT_EQ(constant("-2.5e-1"), (Immediate{Immediate::Kind::f64_bits, 0xbfd0000000000000}));
    EXPECT_EQ(constant("1e3"), (Immediate{Immediate::Kind::f64_bits, 0x408f400000000000}));
}

TEST(parser, addresses_have_a_base_and_an_offset) {
    const auto address = [](const std::string& text) {
        return std::get<Address>(instruction("ld.u32 %r1, " + text + ";").operands.at(1).value);
    };
    EXPECT_EQ(std::get<RegisterOperand>(address("[%r4]").base).index, 4u);
    EXPECT_EQ(address("[%rd1+16]").offset, 16);
    EXPECT_EQ(address("[%rd1 - 4]").offset, -4);
    EXPECT_EQ(address("[%rd1+-4]").offset, -4);
    EXPECT_EQ(address("[%rd1+4*3]").offset, 12);
    EXPECT_EQ(std::get<Symbol>(address("[a+8]").base).name, "a");
    EXPECT_EQ(address("[a+8]").offset, 8);
    EXPECT_EQ(std::get<Immediate>(address("[0x40]").base).bits, 0x40u);
}

TEST(parser, operands_of_every_shape_are_kept) {
    const Instruction shuffle = instruction("shfl.sync.up.b32 %r1|%p2, %r3, 1, 0, -1;");
    EXPECT_EQ(std::get<Pair>(shuffle.operands.at(0).value).elements.size(), 2u);
    const Instruction load = instruction("ld.v2.u32 {%r1, _}, [%rd1];");
    EXPECT_TRUE(
        std::holds_alternative<Sink>(std::get<Vector>(load.operands.at(0).value).elements.at(1).value));
    const Instruction logic = instruction("and.pred %p1, !%p2, %p3;");
    EXPECT_TRUE(logic.operands.at(1).negated);
    EXPECT_FALSE(logic.operands.at(2).negated);
    const Instruction texture =
        instruction("tex.3d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2,%r3,%r3}];");
    const List& list = std::get<List>(texture.operands.at(1).value);
    EXPECT_EQ(list.bracket, '[');
    EXPECT_EQ(std::get<Vector>(list.elements.at(1).value).elements.size(), 4u);
    EXPECT_EQ(std::get<Symbol>(instruction("mov.u64 %rd1, a+16;").operands.at(1).value).offset, 16);
}

TEST(parser, special_registers_keep_their_component) {
    const auto special = [](const std::string& text) {
        return std::get<SpecialRegister>(instruction("mov.u32 %r1, " + text + ";").operands.at(1).value).name;
    };
    for (const std::string name : {"tid.x", "nctaid.z", "laneid", "clock64", "lanemask_lt", "envreg31",
                                   "pm3_64", "cluster_ctarank", "globaltimer_lo"})
        EXPECT_EQ(special("%" + name), name);
    EXPECT_EQ(special("WARP_SZ"), "WARP_SZ");
}

TEST(parser, calls_have_lists_of_results_and_arguments_and_perhaps_a_prototype) {
    const Module module = parsed(module_text(
        ".extern .func (.param .b32 r) vprintf(.param .b64 x);\n"
        ".entry k() { .reg .b64 %rd1; .param .b64 p; .param .b32 q;\n"
        "call.uni (q), \nvprintf, \n(\np\n);\n"
        "proto: .callprototype (.param .b32 _) _ (.param .b64 _);\ncall (q), %rd1, (p), proto; }"));
    const auto calls = instructions_of(module.functions.at(1));
    ASSERT_EQ(calls.size(), 2u);
    EXPECT_EQ(std::get<List>(calls[0].operands.at(0).value).bracket, '(');
    EXPECT_EQ(std::get<Symbol>(calls[0].operands.at(1).value).name, "vprintf");
    EXPECT_EQ(std::get<Symbol>(std::get<List>(calls[0].operands.at(2).value).elements.at(0).value).name, "p");
    EXPECT_TRUE(std::holds_alternative<RegisterOperand>(calls[1].operands.at(1).value));
    EXPECT_EQ(std::get<Label>(calls[1].operands.at(3).value).name, "proto");
}

TEST(parser, names_of_inner_scopes_become_unique_in_the_function) {
    const Module module = parsed(kernel_text(
        ".reg .b32 t; { .reg .f32 t; .param .b32 q; L: mov.f32 t, 0f00000000; st.param.b32 [q], 1; bra L; }"
        "{ .reg .b64 t; .param .b32 q; L: mov.b64 t, 1; bra L; } mov.b32 t, 2;"));
    const Function& kernel = module.functions.at(0);
    const auto type_moved = [&](std::size_t i) {
        const Operand operand = instructions_of(kernel).at(i).operands.at(0);
        return kernel.registers.at(std::get<RegisterOperand>(operand.value).index);
    };
    EXPECT_EQ(type_moved(0), (Register{"t$1", Type::f32}));
    EXPECT_EQ(type_moved(3), (Register{"t$2", Type::b64}));
    EXPECT_EQ(type_moved(5), (Register{"t", Type::b32}));
    EXPECT_EQ(std::get<Label>(instructions_of(kernel).at(2).operands.at(0).value).name, "L");
    EXPECT_EQ(std::get<Label>(instructions_of(kernel).at(4).operands.at(0).value).name, "L$1");
    std::vector<std::string> variables;
    for (const Statement& statement : kernel.body)
        if (const auto* variable = std::get_if<VariableDeclaration>(&statement))
            variables.push_back(variable->name);
    EXPECT_THAT(variables, ElementsAre("q", "q$1"));
}

TEST(parser, branch_out_of_a_scope_finds_the_label_behind_it) {
    const Module module = parsed(kernel_text("{ @%p1 bra OUT; } { OUT: bra OUT; } OUT: ret;"));
    const auto all = instructions_of(module.functions.at(0));
    EXPECT_EQ(std::get<Label>(all.at(1).operands.at(0).value).name, "OUT");
    EXPECT_EQ(std::get<Label>(all.at(0).operands.at(0).value).name, "OUT$1");
}

TEST(parser, location_of_an_instruction_is_the_last_loc_before_it) {
    const Module module =
        parsed(kernel_text("mov.u32 %r1, 1;\n.loc 1 7 2\nmov.u32 %r1, 2;\nmov.u32 %r1, 3;\n"
                           ".loc 2 40 1, function_name $L__info_string3+8, inlined_at 1 7 2\nret;"));
    const auto all = instructions_of(module.functions.at(0));
    EXPECT_EQ(all.at(0).location.file, 0u);
    EXPECT_EQ(all.at(2).location.line, 7u);
    EXPECT_EQ(all.at(3).location.function_name, "$L__info_string3+8");
    EXPECT_EQ(all.at(3).location.inlined_line, 7u);
    EXPECT_EQ(all.at(3).ptx_line.value, 12u);
}

TEST(parser, variables_keep_space_alignment_extents_and_initial_values) {
    const Module module =
        parsed(module_text(".extern .shared .align 16 .b8 dynamic[];\n.visible .global .align 8 .u64 t[3] = "
                           "{7, generic(m)+4, m};\n"
                           ".const .b8 c[2][3] = {{1}, {2, 3}};\n.global .attribute(.managed) .u32 m = "
                           "-1;\n.global .v2 .f32 v, w;\n"
                           ".const .b32 open[] = {1, 2, 3};\n"));
    const auto& v = module.variables;
    ASSERT_EQ(v.size(), 7u);
    EXPECT_EQ(v[0].linkage, "extern");
    EXPECT_EQ(v[0].alignment, 16u);
    EXPECT_EQ(v[0].bytes(), 0u);
    EXPECT_EQ(v[1].bytes(), 24u);
    EXPECT_EQ(std::get<Symbol>(v[1].initial.at(1)), (Symbol{"m", 4, true, 0}));
    EXPECT_EQ(std::get<Symbol>(v[1].initial.at(2)), (Symbol{"m", 0, false, 0}));
    EXPECT_EQ(v[2].element_count(), 6u);
    EXPECT_EQ(std::get<Immediate>(v[2].initial.at(2)).bits, 0u) << "a brace that ends early leaves zeros";
    EXPECT_EQ(std::get<Immediate>(v[2].initial.at(3)).bits, 2u);
    EXPECT_EQ(v[3].attribute, ".managed");
    EXPECT_EQ(v[5].name, "w");
    EXPECT_EQ(v[5].bytes(), 8u);
    EXPECT_THAT(v[6].extents, ElementsAre(3u));
}

TEST(parser, function_headers_keep_parameters_and_performance_directives) {
    const Module module = parsed(module_text(
        ".weak .func (.param .align 8 .b8 r[16]) f(.param .b64 x) { ret; }\n"
        ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 4 .b8 s[12])\n"
        ".maxntid 256, 1, 1\n.minnctapersm 2\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{ ret; }"));
    const Function& f = module.functions.at(0);
    const Function& k = module.functions.at(1);
    EXPECT_EQ(f.linkage, "weak");
    EXPECT_EQ(f.results.at(0).bytes(), 16u);
    EXPECT_FALSE(f.is_entry);
    EXPECT_TRUE(k.parameters.at(0).is_pointer);
    EXPECT_EQ(k.parameters.at(0).pointer_space, "global");
    EXPECT_EQ(k.parameters.at(0).pointer_alignment, 16u);
    EXPECT_EQ(k.parameters.at(1).bytes(), 12u);
    EXPECT_THAT(k.performance_directives, ElementsAre(".maxntid 256, 1, 1", ".minnctapersm 2",
                                                      ".explicitcluster", ".reqnctapercluster 2, 1, 1"));
}

TEST(parser, module_header_files_and_sections_are_kept) {
    const Module module = parsed(
        "// comment\n.version 8.4\n.target sm_90a, texmode_independent\n.address_size 64\n"
        ".file 2 \"b.h\", 12, 34\n.section .debug_str\n{\n$L__info_string0:\n.b8 95,90\n}\n");
    EXPECT_EQ(module.version, "8.4");
    EXPECT_THAT(module.targets, ElementsAre("sm_90a", "texmode_independent"));
    EXPECT_EQ(module.files.at(0), (FileEntry{2, "b.h"}));
    EXPECT_EQ(module.directives.at(0).text, ".section .debug_str\n{\n$L__info_string0:\n.b8 95,90\n}");
}

TEST(parser, definition_is_found_before_its_declaration) {
    const Module module =
        parsed(module_text(".func f(); .func f() { ret; } .entry k() { ret; } .entry e();"));
    EXPECT_FALSE(module.find_function("f")->is_declaration);
    EXPECT_EQ(module.find_function("g"), nullptr);
    ASSERT_EQ(module.entries().size(), 1u);
    EXPECT_EQ(module.entries()[0]->name, "k");
}

}  // namespace
}  // namespace warplens::ptx
