#include "kernel_under_test.h"

namespace warplens::simt {
namespace {

TEST(barriers, what_one_warp_stores_before_the_other_reads_behind) {
    KernelUnderTest test(
        to_own_word +
            "shl.b32 %r2, %r1, 2;\nmov.u32 %r3, tile;\nadd.u32 %r4, %r3, %r2;\n"
            "st.shared.u32 [%r4], %r1;\nbar.sync 0;\nsub.u32 %r5, 252, %r2;\nadd.u32 %r5, %r3, %r5;\n"
            "ld.shared.u32 %r6, [%r5];\nst.global.u32 [%d2], %r6;\nret;",
        ".param .u64 out", ".shared .align 4 .b8 tile[256];");
    test.geometry.block = {64, 1, 1};
    test.buffer(zeros(64));
    RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    EXPECT_TRUE(result.problems.empty());
    auto words = test.contents();
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(words[i], 63 - i);
}

TEST(barriers, threads_that_have_exited_are_not_waited_for) {
    KernelUnderTest test(to_own_word +
                         "setp.ge.u32 %p1, %r1, 40;\n@%p1 exit;\nbar.sync 0;\nst.global.u32 [%d2], 1;\nret;");
    test.geometry.block = {96, 1, 1};
    test.buffer(zeros(96));
    RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    EXPECT_TRUE(result.problems.empty());
    EXPECT_EQ(test.contents()[39], 1u);
    EXPECT_EQ(test.contents()[40], 0u);
}

TEST(barriers, lanes_of_a_warp_at_two_barriers_are_reported_and_go_on) {
    KernelUnderTest test(to_own_word +
                         "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra UPPER;\nbar.sync 0;\nbra.uni JOIN;\nUPPER:\n"
                         "bar.sync 0;\nJOIN:\nst.global.u32 [%d2], 1;\nret;");
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    const Problem* problem = find(result, ProblemKind::diverged_barrier);
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->thread, (Dim3{16, 0, 0}));
    EXPECT_EQ(test.contents(), std::vector<std::uint32_t>(32, 1));
}

TEST(barriers, a_barrier_only_half_the_warp_reaches_waits_for_the_others_to_exit) {
    KernelUnderTest test(to_own_word +
                         "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra END;\nbar.sync 0;\nst.global.u32 [%d2], 1;\n"
                         "END:\nret;");
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    EXPECT_EQ(test.contents()[0], 1u);
}

TEST(barriers, waiting_at_two_barriers_for_each_other_is_a_deadlock) {
    KernelUnderTest test(
        to_own_word +
        "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra UPPER;\nbar.sync 1, 64;\nbra.uni JOIN;\nUPPER:\n"
        "bar.sync 2, 64;\nJOIN:\nret;");
    test.geometry.block = {64, 1, 1};
    test.buffer(zeros(64));
    RunResult result = test.run();
    EXPECT_FALSE(result.completed);
    const Problem* problem = find(result, ProblemKind::deadlock);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("32 threads wait at barrier 1"), std::string::npos) << problem->message;
    EXPECT_NE(problem->message.find("32 threads wait at barrier 2"), std::string::npos) << problem->message;
}

TEST(barriers, an_arriving_warp_releases_the_waiting_one_and_goes_on) {
    KernelUnderTest test(
        to_own_word +
        "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra CONSUMER;\nst.global.u32 [%d1], 7;\nbar.arrive 3, 64;\n"
        "ret;\nCONSUMER:\nbar.sync 3, 64;\nld.global.u32 %r2, [%d1];\nst.global.u32 [%d2], %r2;\nret;");
    test.geometry.block = {64, 1, 1};
    test.buffer(zeros(64));
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents()[40], 7u);
}

TEST(barriers, a_reduction_over_the_block_counts_every_thread) {
    KernelUnderTest test(
        to_own_word +
        "and.b32 %r2, %r1, 3;\nsetp.eq.u32 %p1, %r2, 0;\nbar.red.popc.u32 %r3, 0, %p1;\n"
        "bar.red.and.pred %p2, 0, %p1;\nbar.red.or.pred %p3, 0, %p1;\nselp.u32 %r4, 100, 0, %p2;\n"
        "selp.u32 %r5, 1000, 0, %p3;\nadd.u32 %r3, %r3, %r4;\nadd.u32 %r3, %r3, %r5;\n"
        "st.global.u32 [%d2], %r3;\nret;");
    test.geometry.block = {96, 1, 1};
    test.buffer(zeros(96));
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents(), std::vector<std::uint32_t>(96, 1024));
}

TEST(spinning, a_lock_taken_lane_by_lane_ends) {
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nSPIN:\natom.global.cas.b32 %r2, [%d1], 0, 1;\n"
        "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra SPIN;\nld.global.u32 %r3, [%d1+4];\nadd.u32 %r3, %r3, 1;\n"
        "st.global.u32 [%d1+4], %r3;\natom.global.exch.b32 %r4, [%d1], 0;\nret;");
    test.geometry.grid = {2, 1, 1};
    test.geometry.block = {64, 1, 1};
    test.buffer(zeros(2));
    RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    EXPECT_TRUE(result.problems.empty());
    EXPECT_EQ(test.contents()[1], 128u);
}

TEST(spinning, a_warp_may_wait_in_a_loop_for_another_of_its_block) {
    KernelUnderTest test(
        to_own_word +
        "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra SIGNAL;\nWAIT:\nld.volatile.global.u32 %r2, [%d1+252];\n"
        "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra WAIT;\nst.global.u32 [%d2], %r2;\nret;\nSIGNAL:\n"
        "st.volatile.global.u32 [%d1+252], 5;\nret;");
    test.geometry.block = {64, 1, 1};
    test.buffer(zeros(64));
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents()[0], 5u);
}

TEST(spinning, a_loop_without_end_is_reported_and_the_run_ends) {
    KernelUnderTest test("LOOP:\nbra.uni LOOP;");
    test.options.max_steps_per_warp = 100'000;
    test.buffer(zeros(1));
    RunResult result = test.run();
    EXPECT_FALSE(result.completed);
    EXPECT_NE(find(result, ProblemKind::endless_loop), nullptr);
}

}  // namespace
}  // namespace warplens::simt
