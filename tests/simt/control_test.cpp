#include "kernel_under_test.h"

namespace warplens::simt {
namespace {

TEST(control, brx_goes_to_the_label_of_its_index) {
    KernelUnderTest test(
        to_own_word +
        "and.b32 %r2, %r1, 3;\nTABLE: .branchtargets ZERO, ONE, TWO, ONE;\nbrx.idx %r2, TABLE;\n"
        "ZERO:\nmov.u32 %r3, 10;\nbra.uni STORE;\nONE:\nmov.u32 %r3, 11;\nbra.uni STORE;\nTWO:\n"
        "mov.u32 %r3, 12;\nSTORE:\nst.global.u32 [%d2], %r3;\nret;");
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty());
    const std::uint32_t expected[] = {10, 11, 12, 11};
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], expected[i % 4]) << i;
}

TEST(control, a_function_that_calls_itself_keeps_each_activation_s_registers_and_local_memory) {
    // sum(n) = n + sum(n - 1), with n kept in local memory across the call; lanes recurse to different
    // depths.
    const std::string sum =
        ".func (.param .b32 result) sum(.param .b32 n)\n{\n.local .align 4 .b8 depot[4];\n.reg .b32 %r<4>;\n"
        ".reg .b64 %d<2>;\n.reg .pred %p<2>;\nmov.u64 %d1, depot;\nld.param.u32 %r1, [n];\n"
        "st.local.u32 [%d1], %r1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra MORE;\nst.param.b32 [result], "
        "0;\nret;\n"
        "MORE:\nsub.u32 %r2, %r1, 1;\n{\n.param .b32 argument;\nst.param.b32 [argument], %r2;\n"
        ".param .b32 returned;\ncall.uni (returned), sum, (argument);\nld.param.b32 %r3, [returned];\n}\n"
        "ld.local.u32 %r2, [%d1];\nadd.u32 %r3, %r3, %r2;\nst.param.b32 [result], %r3;\nret;\n}\n";
    KernelUnderTest test(
        to_own_word +
            "{\n.param .b32 argument;\nst.param.b32 [argument], %r1;\n.param .b32 returned;\n"
            "call.uni (returned), sum, (argument);\nld.param.b32 %r3, [returned];\n}\n"
            "st.global.u32 [%d2], %r3;\nret;",
        ".param .u64 out", sum);
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty());
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], i * (i + 1) / 2) << i;
}

TEST(control, recursion_without_end_is_a_full_stack) {
    KernelUnderTest test("call.uni forever;\nret;", ".param .u64 out",
                         ".func forever()\n{\ncall.uni forever;\nret;\n}\n");
    test.buffer(zeros(1));
    RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::stack_overflow);
}

TEST(control, a_trap_ends_the_run_and_names_its_thread) {
    KernelUnderTest test("mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 5;\n@%p1 trap;\nret;");
    test.buffer(zeros(1));
    RunResult result = test.run();
    EXPECT_FALSE(result.completed);
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::trap);
    EXPECT_EQ(result.problems[0].thread, (Dim3{5, 0, 0}));
}

TEST(control, lanes_that_a_shuffle_names_are_waited_for_round_a_loop) {
    // Odd lanes take a detour after the end of the loop before they return to the shuffle.
    KernelUnderTest test(
        to_own_word +
        "and.b32 %r2, %r1, 1;\nsetp.ne.u32 %p1, %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r7, 0;\nHEAD:\n"
        "shfl.sync.idx.b32 %r4, %r3, 31, 31, -1;\nadd.u32 %r7, %r7, %r4;\n@%p1 bra ROUND;\nTAIL:\n"
        "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 4;\n@%p2 bra HEAD;\nst.global.u32 [%d2], %r7;\n"
        "ret;\nROUND:\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 4;\n@%p2 bra HEAD;\n"
        "st.global.u32 [%d2], %r7;\nret;");
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    EXPECT_EQ(test.contents(), std::vector<std::uint32_t>(32, 0 + 1 + 2 + 3));
}

TEST(control, lanes_that_name_different_masks_exchange_among_themselves) {
    // Tiles of 8 lanes, each with its own mask: lane 3 of the tile is read, the tile is voted and summed.
    KernelUnderTest test(to_own_word +
                         "and.b32 %r2, %r1, 24;\nshl.b32 %r3, 255, %r2;\n"
                         "shfl.sync.idx.b32 %r4, %r1, 3, 0x181f, %r3;\n"
                         "setp.lt.u32 %p1, %r1, 10;\nvote.sync.ballot.b32 %r5, %p1, %r3;\n"
                         "redux.sync.add.u32 %r6, %r1, %r3;\nbar.warp.sync %r3;\n"
                         "mad.lo.u32 %r7, %r4, 1000, %r6;\nmad.lo.u32 %r7, %r5, 100000, %r7;\n"
                         "st.global.u32 [%d2], %r7;\nret;");
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t first = lane / 8 * 8, below_ten = first == 0 ? 0xff : first == 8 ? 0x300 : 0;
        expected.push_back(below_ten * 100000 + (first + 3) * 1000 + 8 * first + 28);
    }
    EXPECT_EQ(test.contents(), expected);
}

TEST(control, a_shuffle_without_the_lanes_it_names_is_reported) {
    KernelUnderTest test(to_own_word +
                         "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra END;\nshfl.sync.idx.b32 %r4, %r1, 20, 31, -1;\n"
                         "END:\nbar.warp.sync -1;\nret;");
    test.buffer(zeros(32));
    RunResult result = test.run();
    ASSERT_FALSE(result.problems.empty());
    EXPECT_EQ(result.problems[0].kind, ProblemKind::absent_lane);
}

TEST(control, a_shuffle_from_a_lane_that_has_ended_names_both_lanes) {
    KernelUnderTest test(
        to_own_word + "setp.ge.u32 %p1, %r1, 16;\n@%p1 ret;\nshfl.sync.idx.b32 %r4, %r1, 20, 31, -1;\nret;");
    test.buffer(zeros(32));
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::absent_lane);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("lane 0 reads lane 20, which has ended"), std::string::npos)
        << problem->message;
}

// More visits than the engine watches before it lets other lanes go first (1,048,576).
TEST(control, lanes_that_a_shuffle_names_are_waited_for_however_long_they_loop) {
    KernelUnderTest test(
        to_own_word +
        "mov.u32 %r2, %r1;\nsetp.ne.u32 %p1, %r1, 3;\n@%p1 bra MEET;\nmov.u32 %r3, 1500000;\n"
        "LOOP:\nadd.u32 %r2, %r2, 2;\nsub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p2, %r3, 0;\n"
        "@%p2 bra LOOP;\nMEET:\nshfl.sync.idx.b32 %r4, %r2, 3, 31, -1;\n"
        "st.global.u32 [%d2], %r4;\nret;");
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    EXPECT_EQ(test.contents(), std::vector<std::uint32_t>(32, 3000003));
}

/// Lane 0 polls a word that `writer` writes, and then all lanes of its warp exchange it.
std::string polls_then_exchanges(const std::string& writer) {
    return to_own_word + "ld.param.u64 %d3, [out];\nmov.u32 %r2, 0;\n" + writer +
           "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra MEET;\n"
           "POLL:\nld.volatile.global.u32 %r2, [%d3+256];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra POLL;\n"
           "MEET:\nshfl.sync.idx.b32 %r4, %r2, 0, 31, -1;\nst.global.u32 [%d2], %r4;\nEND:\nret;";
}

TEST(control, a_lane_that_polls_for_another_warp_is_waited_for_by_the_lanes_of_its_own) {
    KernelUnderTest test(
        polls_then_exchanges("setp.lt.u32 %p3, %r1, 32;\n@%p3 bra FIRST;\n"
                             "st.volatile.global.u32 [%d3+256], 7;\nbra.uni END;\nFIRST:\n"));
    test.geometry.block = {64, 1, 1};
    test.buffer(zeros(65));
    RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    EXPECT_EQ(test.contents()[31], 7u);
}

TEST(control, a_lane_that_polls_for_what_only_the_lanes_that_wait_for_it_can_write_never_ends) {
    KernelUnderTest test(polls_then_exchanges(""));
    test.options.max_steps_per_warp = 100'000;
    test.buffer(zeros(65));
    RunResult result = test.run();
    ASSERT_FALSE(result.problems.empty());
    EXPECT_EQ(result.problems[0].kind, ProblemKind::endless_loop);
}

/// As the compiler leaves `while (*flag == 0) {}` without volatile. 50 million steps would take seconds.
TEST(control, a_branch_to_itself_is_an_endless_loop_at_once) {
    for (const char* branch : {"bra.uni SELF;", "@%p1 bra SELF;"}) {
        KernelUnderTest test(to_own_word + "setp.lt.u32 %p1, %r1, 4;\nSELF:\n" + branch + "\nret;");
        test.buffer(zeros(32));
        RunResult result = test.run();
        ASSERT_FALSE(result.problems.empty()) << branch;
        EXPECT_EQ(result.problems[0].kind, ProblemKind::endless_loop);
        EXPECT_NE(result.problems[0].message.find("branches to itself"), std::string::npos);
    }
}

}  // namespace
}  // namespace warplens::simt
