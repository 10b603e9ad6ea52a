// parse(print(m)) == m, on the corpus of real PTX and on texts written for one difficulty each.
#include "ptx/printer.h"
#include "tests/ptx/corpus.h"
#include "tests/ptx/ptx_text.h"

namespace warplens::ptx {
namespace {

void expect_identity(const Module& module, const std::string& name) {
    const auto again = parse(print(module), "printed " + name);
    ASSERT_TRUE(again) << again.error().message << "\n" << print(module);
    EXPECT_EQ(module, *again) << name;
}

TEST(printer, printed_module_parses_to_the_same_module_over_the_corpus) {
    ASSERT_GE(corpus().size(), 16u);
    for (const auto& path : corpus()) {
        const Module module = parsed(read(path));
        EXPECT_FALSE(module.entries().empty()) << path;
        expect_identity(module, path.filename().string());
    }
}

TEST(printer, every_entry_of_the_corpus_numbers_and_keeps_its_site_texts_when_printed) {
    for (const auto& path : corpus()) {
        const Module module = parsed(read(path));
        const Module printed = parsed(print(module));
        for (const Function* entry : module.entries()) {
            const auto before = number_sites(module, entry->name, "");
            const auto after = number_sites(printed, entry->name, "");
            ASSERT_TRUE(before && after) << path;
            ASSERT_EQ(before->program.sites.size(), after->program.sites.size()) << path;
            for (std::size_t i = 0; i < before->program.sites.size(); ++i) {
                EXPECT_EQ(before->program.sites[i].text, after->program.sites[i].text);
                EXPECT_EQ(before->program.sites[i].line, after->program.sites[i].line);
            }
            EXPECT_EQ(before->program.basic_blocks.size(), after->program.basic_blocks.size());
        }
    }
}

TEST(printer, difficult_texts_parse_back_to_the_same_module) {
    const std::string texts[] = {
        // names hidden by inner scopes, in both orders
        kernel_text("{ .reg .b32 t; mov.b32 t, 1; } { .reg .b32 t; { .reg .f32 t; mov.f32 t, 0f00000000; } "
                    "mov.b32 t, 2; } .reg .b64 t; mov.b64 t, a;"),
        kernel_text("{ .reg .b32 x<3>; mov.b32 x1, 1; } { .reg .b32 x<2>; mov.b32 x1, x0; } .reg .b32 x1;"),
        // registers with the names of special ones, which mean those outside their scope
        kernel_text(
            "{ .reg .b32 %laneid, WARP_SZ, %tid; mov.b32 %laneid, WARP_SZ; mov.b32 %tid, 1; } mov.b32 "
            "%r1, %laneid; mov.b32 %r1, WARP_SZ; mov.b32 %r1, %tid.x;"),
        kernel_text("mov.b32 %r1, %pm1; .reg .b32 %pm<4>; mov.b32 %r1, %pm1; mov.b64 %rd1, %clock64; mov.b64 "
                    "%rd1, %pm0_64; .reg .b64 %clock<65>, %pm0_<65>; mov.b64 %clock64, %pm0_64;"),
        // a label and a register of one name; labels repeated in scopes
        kernel_text("{ L: bra L; } { L: @%p1 bra L; bra OUT; } OUT: ret;"),
        // chains of .loc with labels and scopes between
        kernel_text(
            ".loc 1 2 3\n.loc 2 1 1, function_name $f, inlined_at 1 2 3\nL: {\n.loc 1 2 3\nmov.b32 %r1, 1; }"
            "\n.loc 1 2 3\nbra L;\n.loc 1 9 9\n.loc 1 9 9"),
        // variables between functions; a function's name in an initialiser
        module_text(
            ".func f(); .global .u64 t[2] = {f, generic(v)}; .func f() { .reg .b32 v; ret; }\n"
            ".global .u32 v; .entry k() { ret; } .global .align 16 .v4 .f32 w[2] = {{1.5,2.5},{3.5}};"),
        // numbers at their limits
        kernel_text(
            "mov.b64 %rd1, 0xFFFFFFFFFFFFFFFF; mov.b64 %rd1, 9223372036854775808; mov.b64 %rd1, "
            "-9223372036854775808; mov.f32 %f1, 0f7FC00001; mov.f32 %f1, -0f00000000; mov.f32 %f1, -1.5e-3; "
            "mov.b64 %rd1, 0dFFF0000000000000;"),
        kernel_text("ld.global.u32 %r1, [%rd1+-4]; ld.global.u32 %r1, [%rd1 - 4]; ld.param.u32 %r1, [a+4]; "
                    "ld.shared.u32 %r1, [0x40]; ld.shared.u32 %r1, [-9223372036854775808];"),
        module_text(".section .debug_abbrev\n{\n.b8 1 // } comment\n{ }\n}\n.alias a, b;\n.file 1 \"a "
                    "b.cu\", 5, 6\n"),
    };
    for (const std::string& text : texts) expect_identity(parsed(text), text);
}

TEST(printer, instruction_prints_in_one_canonical_line) {
    const Module module = parsed(kernel_text(
        "@!%p1   tex.2d.v4.f32.f32\t{%f1,%f2, %f3,_}, [%rd1, {%f4,\n%f5}];\n"
        "shfl.sync.idx.b32 %r1|%p2, %r2, WARP_SZ, 0x1F, -1;\n"
        "add .u32 %r1, %tid.x, 4294967295U; ld.global.u32 %r1, [%rd1 - 8]; and.pred %p1, !%p2, %p3;"));
    std::vector<std::string> lines;
    for (const Instruction& instruction : instructions_of(module.functions[0]))
        lines.push_back(print(module.functions[0], instruction));
    EXPECT_EQ(lines, (std::vector<std::string>{
                         "@!%p1 tex.2d.v4.f32.f32 {%f1, %f2, %f3, _}, [%rd1, {%f4, %f5}];",
                         "shfl.sync.idx.b32 %r1|%p2, %r2, WARP_SZ, 31, -1;",
                         "add.u32 %r1, %tid.x, 4294967295;",
                         "ld.global.u32 %r1, [%rd1+-8];",
                         "and.pred %p1, !%p2, %p3;",
                     }));
}

TEST(printer, registers_in_a_row_become_a_range) {
    const std::string text = print(parsed(kernel_text(".reg .b32 a0, a1, b1; .reg .b64 c01; ret;")));
    EXPECT_NE(text.find("\t.reg .b32 %r<10>;\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\t.reg .b32 a<2>;\n\t.reg .b32 b1;\n\t.reg .b64 c01;\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace warplens::ptx
