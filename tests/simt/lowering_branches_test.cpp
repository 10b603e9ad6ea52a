// Branches in lowered code: which bodies are predicated, where lanes reconverge, the cost of a skipped body.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/simt/lowered_code.h"

namespace warplens::simt {
namespace {

std::string repeated(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

const std::string multiply_add = "fma.rn.f32 %f1, %f1, %f1, %f1;\n";

/// if (%tid.x < n) body, with more code after it.
std::string when_lanes_differ(const std::string& body) {
    return "mov.u32 %r1, %tid.x;\nsetp.ge.s32 %p1, %r1, 7;\n@%p1 bra L;\n" + body +
           "L:\nst.global.f32 [%d1], %f1;\nret;";
}

std::size_t branches(const LoweredCode& code, BasicBlockId block) {
    const auto ops = code.ops(block);
    return std::size_t(std::count_if(ops.begin(), ops.end(),
                                     [](const MachineOp& op) { return op.kind == MachineKind::branch; }));
}

/// BSSY and BSYNC: on the branch pipe, but no branches.
std::size_t meeting_marks(const LoweredCode& code, BasicBlockId block) {
    const auto ops = code.ops(block);
    return std::size_t(std::count_if(ops.begin(), ops.end(), [](const MachineOp& op) {
        return op.pipe == Pipe::branch && op.kind == MachineKind::arithmetic;
    }));
}

TEST(lowering_branches, a_short_body_is_predicated_and_its_branch_gone) {
    const LoweredCode code(when_lanes_differ(repeated(multiply_add, 8)));
    EXPECT_EQ(branches(code, 0), 0u);
    EXPECT_EQ(meeting_marks(code, 0), 0u);
    EXPECT_EQ(code.ops(1).size(), 8u);
}

TEST(lowering_branches, a_warp_that_skips_a_predicated_body_issues_it_all_the_same) {
    const LoweredCode code(when_lanes_differ(repeated(multiply_add, 8)));
    const MachineBlock& block = code.machine.blocks[0];
    EXPECT_EQ(block.skips, 1u);
    ASSERT_EQ(block.skipped.size(), 8u);
    const MachineOp& op = code.machine.ops[block.skipped.begin];
    EXPECT_EQ(op.pipe, Pipe::fma);
    EXPECT_EQ(op.result_count, 0);
}

TEST(lowering_branches, a_longer_body_keeps_its_branch_between_marks_of_meeting) {
    const LoweredCode code(when_lanes_differ(repeated(multiply_add, 9)));
    EXPECT_EQ(branches(code, 0), 1u);
    EXPECT_EQ(code.machine.blocks[0].skipped.size(), 0u);
    EXPECT_EQ(meeting_marks(code, 0), 1u);
    EXPECT_EQ(meeting_marks(code, 2), 1u);
}

TEST(lowering_branches, a_branch_that_all_lanes_take_alike_needs_no_marks) {
    const LoweredCode code("ld.param.u32 %r1, [n];\nsetp.ge.s32 %p1, %r1, 7;\n@%p1 bra L;\n" +
                               repeated(multiply_add, 9) + "L:\nst.global.f32 [%d1], %f1;\nret;",
                           ".param .u64 out, .param .u32 n");
    EXPECT_EQ(branches(code, 0), 1u);
    EXPECT_EQ(meeting_marks(code, 0) + meeting_marks(code, 2), 0u);
}

TEST(lowering_branches, a_branch_to_the_end_is_a_predicated_exit) {
    const LoweredCode code("mov.u32 %r1, %tid.x;\nsetp.ge.s32 %p1, %r1, 7;\n@%p1 bra L;\n" +
                           repeated(multiply_add, 3) + "st.global.f32 [%d1], %f1;\nL:\nret;");
    EXPECT_EQ(branches(code, 0), 1u);
    EXPECT_EQ(code.machine.blocks[0].skipped.size(), 0u);
    EXPECT_EQ(meeting_marks(code, 0), 0u);
}

TEST(lowering_branches, both_sides_of_a_short_decision_are_predicated) {
    const LoweredCode code("mov.u32 %r1, %tid.x;\nsetp.ge.s32 %p1, %r1, 7;\n@%p1 bra E;\n" +
                           repeated(multiply_add, 3) + "bra.uni L;\nE:\n" +
                           repeated("mul.f32 %f1, %f1, %f1;\n", 2) + "L:\nst.global.f32 [%d1], %f1;\nret;");
    EXPECT_EQ(branches(code, 0) + branches(code, 1) + branches(code, 2), 0u);
    EXPECT_EQ(code.machine.blocks[0].skipped.size(), 3u);
    EXPECT_EQ(code.machine.blocks[1].skips, 2u);
    EXPECT_EQ(code.machine.blocks[1].skipped.size(), 2u);
}

TEST(lowering_branches, an_atomic_is_never_predicated) {
    const LoweredCode code(
        when_lanes_differ("atom.shared.add.u32 %r3, [%r2], 1;\ncvt.rn.f32.u32 %f1, %r3;\n"));
    EXPECT_EQ(branches(code, 0), 1u);
}

TEST(lowering_branches, of_two_results_one_is_computed_over_the_other) {
    const LoweredCode code(
        "mov.u32 %r1, %tid.x;\nsetp.ge.s32 %p1, %r1, 7;\nadd.f32 %f2, %f1, 0f40E00000;\nadd.f32 %f3, %f1, "
        "%f1;\n"
        "selp.f32 %f4, %f2, %f3, %p1;\nst.global.f32 [%d1], %f4;\nret;");
    const auto selected = code.of_opcode("selp");
    ASSERT_EQ(selected.size(), 1u);
    EXPECT_EQ(selected[0].pipe, Pipe::fma);
    EXPECT_EQ(code.of_opcode("add.f32").size(), 1u);
    // A predicated instruction reads its predicate later than a selection would.
    const auto comparison = code.of_opcode("setp");
    ASSERT_EQ(comparison.size(), 1u);
    EXPECT_EQ(comparison[0].latency, 13);
}

TEST(lowering_branches, the_control_around_an_unrolled_loop_is_counted) {
    const LoweredCode code("mov.u32 %r1, 64;\nmul.f32 %f1, %f2, %f3;\nL:\n" + multiply_add +
                           "add.s32 %r1, %r1, -4;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\n"
                           "st.global.f32 [%d1], %f1;\nret;");
    EXPECT_EQ(meeting_marks(code, 0), 2u);  // two branches before it, not taken
    EXPECT_EQ(meeting_marks(code, 2), 2u);  // two after it, past the shorter remainders
}

TEST(lowering_branches, a_block_that_only_jumps_costs_nothing) {
    const LoweredCode code("ld.param.u32 %r1, [n];\nsetp.ge.s32 %p1, %r1, 7;\n@%p1 bra E;\nbra.uni L;\nE:\n" +
                               repeated(multiply_add, 9) + "L:\nst.global.f32 [%d1], %f1;\nret;",
                           ".param .u64 out, .param .u32 n");
    EXPECT_EQ(code.ops(1).size(), 0u);
}

}  // namespace
}  // namespace warplens::simt
