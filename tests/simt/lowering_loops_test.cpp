// Unrolling, merging of shared loads and the order of issue, on bodies small enough to count by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/simt/lowered_code.h"

namespace warplens::simt {
namespace {

const std::string preamble = "ld.param.u64 %d1, [out];\nmov.u32 %r1, 64;\n";

std::string counted_loop(const std::string& body, const std::string& pragma = "") {
    return preamble + "L:\n" + pragma + body +
           "add.s32 %r1, %r1, -4;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\nst.global.f32 [%d1], %f1;\nret;";
}

std::string loop_repeated(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

const std::string loop_multiply_add = "fma.rn.f32 %f1, %f1, %f1, %f1;\n";

std::size_t count_pipe(const std::vector<MachineOp>& ops, Pipe pipe) {
    return std::size_t(
        std::count_if(ops.begin(), ops.end(), [&](const MachineOp& op) { return op.pipe == pipe; }));
}

TEST(lowering_loops, a_small_counted_loop_becomes_four_bodies_with_one_control) {
    const LoweredCode code(counted_loop(loop_repeated(loop_multiply_add, 4)));
    EXPECT_EQ(code.machine.blocks[1].unroll, 4);
    EXPECT_EQ(code.ops(1).size(), 7u);
    EXPECT_EQ(code.unrolled(1).size(), 19u);  // 16 of the body, step, comparison, branch
}

TEST(lowering_loops, the_largest_body_unrolled_has_18_operations_without_loads) {
    EXPECT_EQ(LoweredCode(counted_loop(loop_repeated(loop_multiply_add, 18))).machine.blocks[1].unroll, 4);
    EXPECT_EQ(LoweredCode(counted_loop(loop_repeated(loop_multiply_add, 19))).machine.blocks[1].unroll, 1);
}

TEST(lowering_loops, a_pragma_forbids_it) {
    EXPECT_EQ(
        LoweredCode(counted_loop(loop_multiply_add, ".pragma \"nounroll\";\n")).machine.blocks[1].unroll, 1);
}

TEST(lowering_loops, a_pragma_is_of_its_own_loop_and_found_among_many) {
    std::string text = preamble;
    constexpr int loops = 2000;
    for (int i = 0; i < loops; ++i) {
        const std::string label = "L" + std::to_string(i);
        text += "{\n.reg .pred %q;\n.reg .b32 %n;\nmov.u32 %n, 64;\n" + label + ":\n" +
                (i % 2 == 1 ? ".pragma \"nounroll\";\n" : "") + loop_multiply_add +
                "add.s32 %n, %n, -4;\nsetp.ne.s32 %q, %n, 0;\n@%q bra " + label + ";\n}\n";
    }
    const LoweredCode code(text + "st.global.f32 [%d1], %f1;\nret;");
    int unrolled = 0, kept = 0;
    for (BasicBlockId block = 0; block < code.machine.blocks.size(); ++block) {
        const std::vector<MachineOp> ops = code.ops(block);
        const bool multiplies = std::any_of(ops.begin(), ops.end(), [&](const MachineOp& op) {
            return code.program.sites[op.site].opcode.starts_with("fma");
        });
        if (multiplies) ++(code.machine.blocks[block].unroll == 4 ? unrolled : kept);
    }
    EXPECT_EQ(unrolled, loops / 2);
    EXPECT_EQ(kept, loops / 2);
}

TEST(lowering_loops, a_loop_that_counts_by_a_register_is_left_alone) {
    const LoweredCode code(preamble + "L:\n" + loop_multiply_add +
                           "add.s32 %r1, %r1, %r2;\nsetp.lt.s32 %p1, %r1, 64;\n@%p1 bra L;\n"
                           "st.global.f32 [%d1], %f1;\nret;");
    EXPECT_EQ(code.machine.blocks[1].unroll, 1);
}

TEST(lowering_loops, copies_fill_registers_of_their_own_and_the_last_fills_the_loops) {
    const LoweredCode code(
        counted_loop("ld.global.f32 %f2, [%d2];\nadd.f32 %f1, %f1, %f2;\nadd.s64 %d2, %d2, 4;\n"));
    const OpRange range = code.machine.blocks[1].unrolled;
    std::set<std::uint16_t> loaded;
    std::vector<std::uint8_t> copies;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const MachineOp& op = code.machine.ops[i];
        if (op.kind != MachineKind::load) continue;
        loaded.insert(code.machine.results(op)[0]);
        copies.push_back(op.copy);
        EXPECT_EQ(op.record, 0);
    }
    EXPECT_EQ(loaded.size(), 4u);
    EXPECT_EQ(copies, (std::vector<std::uint8_t>{0, 1, 2, 3}));
    EXPECT_EQ(count_pipe(code.unrolled(1), Pipe::fma), 4u);
    // The pointer moves once: two operations of 32 bits, with the counter's step and its comparison four.
    EXPECT_EQ(range.size(), 4u + 4u + 2u + 2u + 1u);
}

TEST(lowering_loops, loads_are_moved_ahead_of_the_arithmetic_as_far_as_registers_allow) {
    std::string body;
    for (int i = 0; i < 16; ++i)
        body += "ld.global.f32 %f" + std::to_string(10 + i) + ", [%d1+" + std::to_string(4 * i) +
                "];\nfma.rn.f32 %f1, %f" + std::to_string(10 + i) + ", %f" + std::to_string(10 + i) +
                ", %f1;\n";
    const auto loads_before_arithmetic = [&](std::uint32_t registers) {
        const LoweredCode code(body + "st.global.f32 [%d1], %f1;\nret;", ".param .u64 out", "", registers);
        const auto ops = code.ops(0);
        const auto first =
            std::find_if(ops.begin(), ops.end(), [](auto& op) { return op.pipe == Pipe::fma; });
        return std::count_if(ops.begin(), first, [](auto& op) { return op.kind == MachineKind::load; });
    };
    EXPECT_EQ(loads_before_arithmetic(32), 16);
    EXPECT_LT(loads_before_arithmetic(16), 14);
}

TEST(lowering_loops, nothing_moves_across_a_barrier_or_a_read_of_the_clock) {
    const LoweredCode code(
        "add.f32 %f1, %f2, %f3;\nmov.u64 %d2, %clock64;\nmul.f32 %f4, %f1, %f1;\nmov.u64 %d3, %clock64;\n"
        "sub.s64 %d4, %d3, %d2;\nst.global.u64 [%d1], %d4;\nst.global.f32 [%d1+8], %f4;\nret;");
    std::vector<std::string> order;
    for (const MachineOp& op : code.ops(0)) {
        const std::string& opcode = code.program.sites[op.site].opcode;
        if (LoweredCode::reads_constant(op)) continue;
        if (opcode == "add.f32" || opcode == "mul.f32" || opcode == "mov.u64") order.push_back(opcode);
    }
    EXPECT_EQ(order, (std::vector<std::string>{"add.f32", "mov.u64", "mul.f32", "mov.u64"}));
}

TEST(lowering_loops, a_load_stays_behind_the_store_to_the_same_memory) {
    const LoweredCode code(
        "st.shared.f32 [%r1], %f1;\nld.shared.f32 %f2, [%r2];\nst.global.f32 [%d1], %f2;\nret;");
    std::vector<MachineKind> order;
    for (const MachineOp& op : code.ops(0))
        if (op.pipe == Pipe::mio && op.record != no_record) order.push_back(op.kind);
    EXPECT_EQ(order, (std::vector<MachineKind>{MachineKind::store, MachineKind::load}));
}

TEST(lowering_loops, constants_are_read_ahead_of_an_inner_loop_and_in_a_loop_around_others) {
    const LoweredCode code(
        "ld.param.u32 %r2, [n];\nld.param.u32 %r3, [m];\nmov.u32 %r4, 0;\nO:\nmov.u32 %r1, 64;\nL:\n"
        "and.b32 %r5, %r1, %r2;\nadd.s32 %r6, %r6, %r5;\nadd.s32 %r1, %r1, %r7;\nsetp.ne.s32 %p1, %r1, 0;\n"
        "@%p1 bra L;\nadd.s32 %r4, %r4, 1;\nsetp.lt.s32 %p2, %r4, %r3;\n@%p2 bra O;\nst.global.u32 [%d1], "
        "%r6;\n"
        "ret;",
        ".param .u64 out, .param .u32 n, .param .u32 m");
    const auto reads = [&](BasicBlockId block) {
        const auto ops = code.ops(block);
        return std::count_if(ops.begin(), ops.end(),
                             [](auto& op) { return LoweredCode::reads_constant(op); });
    };
    EXPECT_EQ(reads(1),
              2);  // the outer loop's first block: for the inner loop, and for the comparison at its end
    EXPECT_EQ(reads(2), 0);
    EXPECT_EQ(reads(3), 0);
}

const std::string row_loads =
    "ld.shared.f32 %f1, [%d3];\nld.shared.f32 %f2, [%d3+4];\nld.shared.f32 %f3, [%d3+8];\n"
    "ld.shared.f32 %f4, [%d3+12];\nadd.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f3, %f4;\nadd.f32 %f7, %f5, %f6;\n"
    "st.global.f32 [%d1], %f7;\nret;";

TEST(lowering_loops, four_loads_of_an_aligned_row_are_one) {
    const LoweredCode code(
        "mov.u32 %r1, %tid.y;\nmul.wide.u32 %d2, %r1, 64;\nmov.u64 %d4, tile;\n"
        "add.s64 %d3, %d4, %d2;\n" +
            row_loads,
        ".param .u64 out", ".shared .align 4 .b8 tile[1024];");
    const auto loads = code.of_opcode("ld.shared");
    ASSERT_EQ(loads.size(), 1u);
    EXPECT_EQ(loads[0].merged, 3);
    EXPECT_EQ(loads[0].record, 0);
    const auto& records = code.machine.merged_records;
    EXPECT_EQ(std::vector<std::uint16_t>(records.begin() + loads[0].merged_begin,
                                         records.begin() + loads[0].merged_begin + 3),
              (std::vector<std::uint16_t>{1, 2, 3}));
}

TEST(lowering_loops, loads_whose_alignment_is_not_proven_stay_apart) {
    const LoweredCode code(
        "mov.u32 %r1, %tid.y;\nmul.wide.u32 %d2, %r1, 4;\nmov.u64 %d4, tile;\n"
        "add.s64 %d3, %d4, %d2;\n" +
            row_loads,
        ".param .u64 out", ".shared .align 4 .b8 tile[1024];");
    EXPECT_EQ(code.of_opcode("ld.shared").size(), 4u);
}

TEST(lowering_loops, a_store_between_keeps_loads_apart) {
    const LoweredCode code(
        "mov.u64 %d3, tile;\nld.shared.f32 %f1, [%d3];\nst.shared.f32 [%r1], %f9;\nld.shared.f32 %f2, "
        "[%d3+4];\n"
        "add.f32 %f3, %f1, %f2;\nst.global.f32 [%d1], %f3;\nret;",
        ".param .u64 out", ".shared .align 4 .b8 tile[1024];");
    EXPECT_EQ(code.of_opcode("ld.shared").size(), 2u);
}

}  // namespace
}  // namespace warplens::simt
