// lower() as a whole: its invariants for any PTX, and the sequences for small bodies.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/simt/lowered_code.h"
#include "tests/support/folders.h"
#include "tests/support/one_entry.h"

namespace warplens::simt {
namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void lower_every_entry(const std::filesystem::path& folder) {
    int entries = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
        if (file.path().extension() != ".ptx") continue;
        const std::string text = read(file.path());
        const auto module = ptx::parse(text, file.path().filename().string());
        ASSERT_TRUE(module) << module.error().message;
        for (const ptx::Function* entry : module->entries()) {
            const Program program =
                program_of(ptx::print(tests::with_one_entry(*module, entry->name)), entry->name);
            const auto machine = lower(program, h200(), 32);
            ASSERT_TRUE(machine) << machine.error().message;
            EXPECT_EQ(check(*machine, program), "") << file.path() << " " << entry->name;
            ++entries;
        }
    }
    EXPECT_GT(entries, 10);
}

TEST(lowering, keeps_its_promises_for_every_kernel_of_the_catalogue) {
    lower_every_entry(source_folder() + "/assets/ptx");
}

TEST(lowering, keeps_its_promises_for_every_instruction_the_engine_knows) {
    lower_every_entry(source_folder() + "/tests/ptx_cases");
}

TEST(lowering, keeps_its_promises_for_code_of_other_compilers_and_targets) {
    lower_every_entry(source_folder() + "/tests/ptx/corpus");
}

TEST(lowering, times_an_unknown_opcode_as_one_operation_and_says_so) {
    const LoweredCode code("frobnicate.b32 %r1, %r2;\nst.global.u32 [%d1], %r1;\nret;");
    EXPECT_EQ(code.of_opcode("frobnicate").size(), 1u);
    ASSERT_EQ(code.machine.notes.size(), 1u);
    EXPECT_NE(code.machine.notes[0].find("frobnicate.b32"), std::string::npos);
}

TEST(lowering, fails_with_a_sentence_when_the_text_is_not_the_programs) {
    Program program =
        program_of(".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\nret;\n}\n", "k");
    program.ptx = "nonsense";
    EXPECT_FALSE(lower(program, h200(), 0));
}

TEST(lowering, makes_one_operation_of_a_product_added_to_a_base) {
    const LoweredCode code(
        "ld.param.u64 %d1, [out];\ncvta.to.global.u64 %d2, %d1;\nmov.u32 %r1, %tid.x;\n"
        "mul.wide.s32 %d3, %r1, 4;\nadd.s64 %d4, %d2, %d3;\nst.global.u32 [%d4], %r1;\nret;");
    EXPECT_EQ(code.of_opcode("mul.wide").size(), 0u);
    const auto sum = code.of_opcode("add.s64");
    ASSERT_EQ(sum.size(), 1u);
    EXPECT_EQ(sum[0].pipe, Pipe::fma_heavy);
}

TEST(lowering, adds_a_literal_to_the_address_of_the_access) {
    const LoweredCode code(
        "add.s64 %d2, %d1, 64;\nld.global.u32 %r1, [%d2];\nst.global.u32 [%d1+4], %r1;\nret;");
    EXPECT_EQ(code.of_opcode("add.s64").size(), 0u);
}

TEST(lowering, takes_two_operations_for_a_64_bit_sum_of_which_both_halves_are_wanted) {
    const LoweredCode code("add.s64 %d3, %d1, %d2;\nst.global.u64 [%d1], %d3;\nret;");
    EXPECT_EQ(code.of_opcode("add.s64").size(), 2u);
}

TEST(lowering, takes_one_for_a_shared_address) {
    const LoweredCode code("add.s64 %d3, %d1, %d2;\nst.shared.u32 [%d3], %r1;\nret;");
    EXPECT_EQ(code.of_opcode("add.s64").size(), 1u);
}

TEST(lowering, removes_what_nobody_reads) {
    const LoweredCode code("add.f32 %f1, %f2, %f3;\nld.global.f32 %f4, [%d1];\nret;");
    EXPECT_EQ(code.of_opcode("add.f32").size(), 0u);
    EXPECT_EQ(code.of_opcode("ld.global").size(), 0u);
}

TEST(lowering, joins_comparisons_with_the_predicate_between_them) {
    const LoweredCode code(
        "setp.ge.s32 %p1, %r1, %r2;\nsetp.ge.s32 %p2, %r3, %r4;\nor.pred %p3, %p1, %p2;\n@%p3 bra L;\n"
        "st.global.u32 [%d1], %r1;\nL:\nret;");
    EXPECT_EQ(code.of_opcode("setp").size() + code.of_opcode("or.pred").size(), 2u);
}

/// L for a load, S for a store, in issue order; both are of global memory.
std::string order_of_accesses(const std::string& load, const std::string& between) {
    const LoweredCode code("st.global.f32 [%d1], %f1;\n" + between + load +
                           " %f5, [%d2];\nadd.f32 %f6, %f5, %f4;\nst.global.f32 [%d3], %f6;\nret;");
    std::string order;
    for (const MachineOp& op : code.machine.ops) {
        if (op.kind == MachineKind::load) order += 'L';
        if (op.kind == MachineKind::store) order += 'S';
    }
    return order;
}

/// As the assembler does with 32 channels of unhewn/response_norm: 31,189 cycles were modelled for 9913.
TEST(lowering, only_loads_of_what_nothing_writes_pass_stores) {
    EXPECT_EQ(order_of_accesses("ld.global.nc.f32", ""), "LSS");
    EXPECT_EQ(order_of_accesses("ld.global.f32", ""), "SLS");
}

/// A division has a branch around a called routine (held_out/depthwise_conv1d).
TEST(lowering, nothing_passes_the_branch_of_a_division) {
    EXPECT_EQ(order_of_accesses("ld.global.nc.f32", "div.rn.f32 %f4, %f2, %f3;\n"), "SLS");
    EXPECT_EQ(order_of_accesses("ld.global.nc.f32", "div.approx.f32 %f4, %f2, %f3;\n"), "LSS");
}

}  // namespace
}  // namespace warplens::simt
