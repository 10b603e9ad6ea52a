// Asynchronous copies become visible after a wait; mbarriers count arrivals and bytes by phase.
#include "tests/simt/kernel_under_test.h"

namespace warplens::simt {
namespace {

using Words = std::vector<std::uint32_t>;

const std::string memory = ".shared .align 128 .b8 tile[2048];\n.shared .align 8 .b8 bar[16];";
/// %d1 out, %d2 in, %r1 thread, %d3 / %d4 own word of out / in, %r2 / %r3 own word / own 16 bytes of the
/// tile.
const std::string begin =
    "ld.param.u64 %d1, [out];\nld.param.u64 %d2, [in];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d3, %r1, 4;\n"
    "add.s64 %d4, %d2, %d3;\nadd.s64 %d3, %d1, %d3;\nmov.u32 %r2, tile;\nshl.b32 %r3, %r1, 4;\n"
    "add.u32 %r3, %r2, %r3;\nshl.b32 %r4, %r1, 2;\nadd.u32 %r2, %r2, %r4;\n";

KernelUnderTest with_input(const std::string& body, std::uint32_t threads = 32) {
    KernelUnderTest test(begin + body, ".param .u64 out, .param .u64 in", memory);
    test.geometry.block = {threads, 1, 1};
    test.buffer(zeros(1024));
    Words in(1024);
    for (std::uint32_t i = 0; i < 1024; ++i) in[i] = 100 + i;
    test.buffer(in, "in");
    return test;
}

TEST(async_copies, a_waited_for_copy_is_there) {
    auto test = with_input(
        "cp.async.ca.shared.global [%r2], [%d4], 4;\ncp.async.commit_group;\n"
        "cp.async.wait_group 0;\nld.shared.u32 %r5, [%r2];\nst.global.u32 [%d3], %r5;\nret;");
    const RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], 100 + i);
}

TEST(async_copies, before_the_wait_the_old_value_is_there_and_reading_it_is_a_race) {
    auto test = with_input(
        "st.shared.u32 [%r2], 5;\ncp.async.ca.shared.global [%r2], [%d4], 4;\n"
        "ld.shared.u32 %r5, [%r2];\ncp.async.wait_all;\nst.global.u32 [%d3], %r5;\nret;");
    const RunResult result = test.run();
    EXPECT_EQ(test.contents()[3], 5u);
    const Problem* problem = find(result, ProblemKind::shared_race);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("is in progress"), std::string::npos);
    ASSERT_TRUE(problem->other.has_value());
    EXPECT_LT(problem->other->site, problem->site);
}

TEST(async_copies, waiting_for_all_but_the_latest_group_leaves_that_one_under_way) {
    const std::string two =
        "cp.async.ca.shared.global [%r2], [%d4], 4;\ncp.async.commit_group;\n"
        "cp.async.ca.shared.global [%r2+128], [%d4+128], 4;\ncp.async.commit_group;\n"
        "cp.async.wait_group 1;\n";
    auto first = with_input(two + "ld.shared.u32 %r5, [%r2];\nst.global.u32 [%d3], %r5;\nret;");
    EXPECT_TRUE(first.run().problems.empty());
    EXPECT_EQ(first.contents()[31], 131u);
    auto second = with_input(two + "ld.shared.u32 %r5, [%r2+128];\nst.global.u32 [%d3], %r5;\nret;");
    EXPECT_NE(find(second.run(), ProblemKind::shared_race), nullptr);
}

TEST(async_copies, copies_of_no_group_are_not_waited_for_by_groups_but_by_all) {
    const std::string loose = "cp.async.ca.shared.global [%r2], [%d4], 4;\n";
    const std::string read = "ld.shared.u32 %r5, [%r2];\nst.global.u32 [%d3], %r5;\nret;";
    EXPECT_NE(find(with_input(loose + "cp.async.wait_group 0;\n" + read).run(), ProblemKind::shared_race),
              nullptr);
    EXPECT_TRUE(with_input(loose + "cp.async.wait_all;\n" + read).run().problems.empty());
}

TEST(async_copies, sixteen_bytes_may_bypass_the_first_cache_and_end_in_zeros) {
    // Lanes below 16 read 8 of their 16 bytes; the rest is filled with zeros.
    auto test = with_input(
        "shl.b32 %r6, %r1, 4;\ncvt.u64.u32 %d5, %r6;\nadd.s64 %d5, %d2, %d5;\nsetp.lt.u32 %p1, %r1, 16;\n"
        "selp.u32 %r7, 8, 16, %p1;\ncp.async.cg.shared.global.L2::128B [%r3], [%d5], 16, %r7;\n"
        "cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r3];\n"
        "sub.u32 %r10, %r11, %r10;\nst.global.u32 [%d3], %r10;\nst.global.u32 [%d3+128], %r12;\nret;");
    const RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    for (std::uint32_t i = 0; i < 32; ++i) {
        EXPECT_EQ(test.contents()[i], 1u);
        EXPECT_EQ(test.contents()[32 + i], i < 16 ? 0 : 100 + 4 * i + 2);
    }
}

TEST(async_copies, overwriting_the_target_before_the_wait_is_reported) {
    auto test = with_input(
        "cp.async.ca.shared.global [%r2], [%d4], 4;\nst.shared.u32 [%r2], 1;\n"
        "cp.async.wait_all;\nret;");
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::shared_race);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("was also written by another access"), std::string::npos)
        << problem->message;
}

const std::string init = "setp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [bar], 64;\nbar.sync 0;\n";

TEST(mbarriers, all_arrivals_complete_the_phase_that_each_token_waits_for) {
    // The first warp writes late; the second waits for it at the mbarrier, twice.
    auto test = with_input(
        init +
            "mov.u32 %r9, 0;\nROUND:\nadd.u32 %r8, %r1, %r9;\nst.shared.u32 [%r2], %r8;\n"
            "mbarrier.arrive.shared::cta.b64 %d6, [bar];\nWAIT:\n"
            "mbarrier.try_wait.shared.b64 %p2, [bar], %d6;\n@!%p2 bra WAIT;\nxor.b32 %r6, %r4, 252;\n"
            "mov.u32 %r7, tile;\nadd.u32 %r7, %r7, %r6;\nld.shared.u32 %r5, [%r7];\n"
            "st.global.u32 [%d3], %r5;\nbar.sync 0;\nadd.u32 %r9, %r9, 1000;\nsetp.lt.u32 %p3, %r9, 2000;\n"
            "@%p3 bra ROUND;\nret;",
        64);
    const RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(test.contents()[i], 1063 - i);
}

TEST(mbarriers, parity_shows_whether_a_phase_is_over) {
    auto test = with_input(
        "mbarrier.init.shared.b64 [bar], 32;\nmbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;\n"
        "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1;\nmbarrier.arrive.shared.b64 %d6, [bar];\n"
        "mbarrier.test_wait.parity.shared.b64 %p3, [bar], 0;\nmbarrier.test_wait.parity.shared.b64 %p4, "
        "[bar], 1;\n"
        "mbarrier.test_wait.shared.b64 %p5, [bar], %d6;\nmbarrier.pending_count.b64 %r9, %d6;\n"
        "selp.u32 %r5, 1, 0, %p1;\nselp.u32 %r6, 2, 0, %p2;\nadd.u32 %r5, %r5, %r6;\nselp.u32 %r6, 4, 0, "
        "%p3;\n"
        "add.u32 %r5, %r5, %r6;\nselp.u32 %r6, 8, 0, %p4;\nadd.u32 %r5, %r5, %r6;\nselp.u32 %r6, 16, 0, "
        "%p5;\n"
        "add.u32 %r5, %r5, %r6;\nshl.b32 %r9, %r9, 8;\nadd.u32 %r5, %r5, %r9;\nst.global.u32 [%d3], "
        "%r5;\nret;");
    EXPECT_TRUE(test.run().completed);
    // Lane i was the (32 - i)th of 32 that were still expected.
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], 2u + 4 + 16 + ((32 - i) << 8));
}

TEST(mbarriers, a_thread_that_drops_out_is_not_expected_in_the_next_phase) {
    auto test = with_input(
        init +
            "setp.ge.u32 %p2, %r1, 32;\n@%p2 bra LEAVE;\nmbarrier.arrive.shared.b64 %d6, [bar];\nFIRST:\n"
            "mbarrier.try_wait.shared.b64 %p3, [bar], %d6;\n@!%p3 bra FIRST;\n"
            "mbarrier.arrive.shared.b64 %d6, [bar];\nSECOND:\n"
            "mbarrier.try_wait.shared.b64 %p3, [bar], %d6;\n@!%p3 bra SECOND;\nst.global.u32 [%d3], "
            "1;\nret;\n"
            "LEAVE:\nmbarrier.arrive_drop.shared.b64 %d6, [bar];\nret;",
        64);
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents()[31], 1u);
}

TEST(mbarriers, a_copy_arrives_when_it_is_done) {
    for (const char* noinc : {".noinc", ""}) {
        const bool counted = *noinc != 0;
        auto test = with_input(
            "setp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [bar], " +
                std::string(counted ? "128" : "64") +
                ";\nbar.sync 0;\ncp.async.ca.shared.global [%r2], [%d4], 4;\ncp.async.mbarrier.arrive" +
                noinc +
                ".shared.b64 [bar];\nmbarrier.arrive.shared.b64 %d6, [bar];\nWAIT:\n"
                "mbarrier.try_wait.shared.b64 %p2, [bar], %d6;\n@!%p2 bra WAIT;\nxor.b32 %r6, %r4, 252;\n"
                "mov.u32 %r7, tile;\nadd.u32 %r7, %r7, %r6;\nld.shared.u32 %r5, [%r7];\n"
                "st.global.u32 [%d3], %r5;\nret;",
            64);
        const RunResult result = test.run();
        EXPECT_TRUE(result.problems.empty()) << noinc << ": " << result.problems[0].message;
        for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(test.contents()[i], 163 - i);
    }
}

TEST(mbarriers, a_bulk_copy_completes_the_bytes_that_were_announced) {
    auto test = with_input(
        "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra READY;\nmbarrier.init.shared::cta.b64 [bar], 1;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 %d6, [bar], 256;\nmov.u32 %r6, tile;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%d2], 256, "
        "[bar];\nREADY:\n"
        "bar.sync 0;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;\n@!%p2 bra WAIT;\n"
        "ld.shared.u32 %r5, [%r2];\nadd.u32 %r5, %r5, 1;\nst.shared.u32 [%r2], %r5;\nbar.sync 0;\n@%p1 bra "
        "END;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r6], 256;\ncp.async.bulk.commit_group;\n"
        "cp.async.bulk.wait_group.read 0;\nEND:\nret;",
        64);
    const RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(test.contents()[i], 101 + i);
}

TEST(mbarriers, one_that_was_not_initialised_is_reported) {
    auto test = with_input("mbarrier.arrive.shared.b64 %d6, [bar];\nret;");
    EXPECT_NE(find(test.run(), ProblemKind::uninitialised_read), nullptr);
    auto ended = with_input(
        "mbarrier.init.shared.b64 [bar], 64;\nmbarrier.inval.shared.b64 [bar];\n"
        "mbarrier.arrive.shared.b64 %d6, [bar];\nret;");
    EXPECT_NE(find(ended.run(), ProblemKind::uninitialised_read), nullptr);
}

TEST(mbarriers, more_arrivals_than_a_phase_expects_are_reported) {
    auto test =
        with_input("mbarrier.init.shared.b64 [bar], 33;\nmbarrier.arrive.shared.b64 %d6, [bar], 2;\nret;");
    EXPECT_NE(find(test.run(), ProblemKind::diverged_barrier), nullptr);
}

TEST(mbarriers, another_block_of_the_cluster_may_arrive) {
    // Rank 0 waits for one arrival of each thread of rank 1.
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %cluster_ctarank;\nmov.u32 %r2, %tid.x;\n"
        "setp.eq.u32 %p1, %r2, 0;\n@%p1 mbarrier.init.shared.b64 [bar], "
        "32;\nbarrier.cluster.arrive.aligned;\n"
        "barrier.cluster.wait.aligned;\nsetp.eq.u32 %p2, %r1, 0;\n@%p2 bra WAIT;\nmov.u32 %r3, bar;\n"
        "mapa.shared::cluster.u32 %r4, %r3, 0;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];\nbra.uni END;\nWAIT:\n"
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [bar], 0;\n@!%p3 bra WAIT;\n"
        "st.global.u32 [%d1], 8;\nEND:\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nret;",
        ".param .u64 out", memory);
    test.geometry = {.grid = {2, 1, 1}, .block = {32, 1, 1}, .cluster = {2, 1, 1}};
    test.buffer(zeros(1));
    const RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    EXPECT_EQ(test.contents()[0], 8u);
}

TEST(mbarriers, waiting_for_arrivals_that_never_come_ends_with_a_problem) {
    auto test = with_input(
        "mbarrier.init.shared.b64 [bar], 64;\nWAIT:\n"
        "mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra WAIT;\nret;");
    test.options.max_steps_per_warp = 100'000;
    const RunResult result = test.run();
    EXPECT_FALSE(result.completed);
    EXPECT_NE(find(result, ProblemKind::endless_loop), nullptr);
    test.geometry = {.grid = {2, 1, 1}, .block = {32, 1, 1}, .cluster = {2, 1, 1}};
    EXPECT_NE(find(test.run(), ProblemKind::endless_loop), nullptr);
}

TEST(grid_barrier, a_cooperative_launch_has_the_workspace_that_this_grid_asks_for) {
    // What cooperative_groups' grid.sync() compiles to, with a count of rounds.
    const std::string kernel =
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %envreg2;\ncvt.u64.u32 %d2, %r1;\nmov.u32 %r2, %envreg1;\n"
        "cvt.u64.u32 %d3, %r2;\nbfi.b64 %d4, %d3, %d2, 32, 32;\nsetp.ne.s64 %p1, %d4, 0;\n@%p1 bra "
        "GO;\ntrap;\n"
        "GO:\nmov.u32 %r3, %tid.x;\nmov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %nctaid.x;\nmov.u32 %r6, 0;\n"
        "ROUND:\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 red.global.add.u32 [%d1], 1;\nbarrier.sync 0;\n"
        "@!%p2 bra MET;\nsub.u32 %r7, -2147483647, %r5;\nsetp.eq.u32 %p3, %r4, 0;\n"
        "selp.b32 %r8, %r7, 1, %p3;\natom.add.release.gpu.u32 %r9, [%d4+4], %r8;\nSPIN:\n"
        "ld.acquire.gpu.u32 %r10, [%d4+4];\nxor.b32 %r11, %r10, %r9;\nsetp.gt.s32 %p4, %r11, -1;\n"
        "@%p4 bra SPIN;\nMET:\nbarrier.sync 0;\nld.volatile.global.u32 %r12, [%d1];\nadd.u32 %r6, %r6, 1;\n"
        "mul.lo.u32 %r13, %r6, %r5;\nsetp.lt.u32 %p5, %r12, %r13;\n@%p5 trap;\nsetp.lt.u32 %p6, %r6, 3;\n"
        "@%p6 bra ROUND;\nret;";
    KernelUnderTest test(kernel);
    test.geometry = {.grid = {40, 1, 1}, .block = {64, 1, 1}, .cooperative = true};
    test.buffer(zeros(1));
    const RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    EXPECT_EQ(test.contents()[0], 120u);
    test.geometry.cooperative = false;
    EXPECT_NE(find(test.run(), ProblemKind::trap), nullptr);
}

}  // namespace
}  // namespace warplens::simt
