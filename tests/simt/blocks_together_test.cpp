// Blocks that wait for each other: in loops on global memory, and at the barrier of a cluster.
#include <algorithm>

#include "tests/simt/kernel_under_test.h"

namespace warplens::simt {
namespace {

using Words = std::vector<std::uint32_t>;

/// Every block counts itself in out[64], waits until out[65] are there, then writes 1 to its own word.
const std::string meet =
    "ld.param.u64 %d1, [out];\nmov.u32 %r1, %ctaid.x;\nld.global.u32 %r9, [%d1+260];\n"
    "atom.global.add.u32 %r2, [%d1+256], 1;\nWAIT:\nld.acquire.gpu.u32 %r3, [%d1+256];\n"
    "setp.lt.u32 %p1, %r3, %r9;\n@%p1 bra WAIT;\n"
    "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d2, %d1, %d2;\nst.global.u32 [%d2], 1;\nret;";

KernelUnderTest meeting(std::uint32_t blocks, std::uint32_t expected) {
    KernelUnderTest test(meet);
    test.geometry.grid = {blocks, 1, 1};
    test.geometry.block = {1, 1, 1};
    Words words(66);
    words[65] = expected;
    test.buffer(words);
    return test;
}

TEST(blocks_together, all_blocks_of_a_grid_meet_in_a_loop) {
    auto test = meeting(64, 64);
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(std::ranges::count(test.contents(), 1u), 64);
}

TEST(blocks_together, a_meeting_that_one_block_misses_is_reported_and_ends) {
    auto test = meeting(8, 9);
    RunResult result = test.run();
    EXPECT_FALSE(result.completed);
    const Problem* problem = find(result, ProblemKind::endless_loop);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("loops at PTX line"), std::string::npos) << problem->message;
}

TEST(blocks_together, more_blocks_than_the_gpu_holds_cannot_meet) {
    auto test = meeting(20, 20);
    test.options.resident_blocks = 16;
    RunResult result = test.run();
    EXPECT_FALSE(result.completed);
    const Problem* problem = find(result, ProblemKind::deadlock);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("4 blocks cannot begin before others end, because the GPU holds 16"),
              std::string::npos)
        << problem->message;
    auto enough = meeting(20, 20);
    enough.options.resident_blocks = 20;
    EXPECT_TRUE(enough.run().completed);
}

TEST(blocks_together, a_block_that_waits_for_the_next_one_lets_it_begin) {
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d2, %r1, 4;\n"
        "add.s64 %d2, %d1, %d2;\nsetp.eq.u32 %p1, %r1, 63;\n@%p1 bra LAST;\nWAIT:\n"
        "ld.volatile.global.u32 %r2, [%d2+4];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra WAIT;\n"
        "add.u32 %r2, %r2, 1;\nst.global.u32 [%d2], %r2;\nret;\nLAST:\nst.global.u32 [%d2], 1;\nret;");
    test.geometry = {.grid = {64, 1, 1}, .block = {1, 1, 1}};
    test.buffer(zeros(64));
    EXPECT_TRUE(test.run().completed);
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(test.contents()[i], 64 - i);
}

TEST(blocks_together, a_loop_that_counts_while_it_waits_lets_the_next_block_begin) {
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r5, 0;\nsetp.ne.u32 %p1, %r1, 0;\n"
        "@%p1 bra SIGNAL;\nWAIT:\nadd.u32 %r5, %r5, 1;\nld.volatile.global.u32 %r2, [%d1];\n"
        "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra WAIT;\nst.global.u32 [%d1+4], %r2;\nret;\nSIGNAL:\n"
        "st.global.u32 [%d1], 5;\nret;");
    test.geometry = {.grid = {2, 1, 1}, .block = {1, 1, 1}};
    test.buffer(zeros(2));
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents()[1], 5u);
}

TEST(blocks_together, a_long_loop_whose_counter_lies_in_memory_is_not_taken_for_waiting) {
    // At each return to LOOP the registers are the same; only memory counts.
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nLOOP:\nld.volatile.global.u32 %r2, [%d1];\nadd.u32 %r2, %r2, 1;\n"
        "st.global.u32 [%d1], %r2;\nsetp.lt.u32 %p1, %r2, 100000;\nmov.u32 %r2, 0;\n@%p1 bra LOOP;\nret;");
    test.geometry.block = {1, 1, 1};
    test.buffer(zeros(1));
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents()[0], 100000u);
}

/// Each thread writes what the special register holds.
Words values_of(const std::string& special, LaunchGeometry geometry) {
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ctaid.y;\nmov.u32 %r3, %nctaid.x;\n"
        "mad.lo.u32 %r1, %r2, %r3, %r1;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d2, %d1, %d2;\nmov.u32 %r4, " +
        special + ";\nst.global.u32 [%d2], %r4;\nret;");
    test.geometry = geometry;
    test.buffer(zeros(geometry.blocks()));
    EXPECT_TRUE(test.run().completed);
    return test.contents();
}

TEST(clusters, special_registers_say_where_a_block_stands_in_its_cluster) {
    const LaunchGeometry geometry{.grid = {4, 4, 1}, .block = {1, 1, 1}, .cluster = {2, 2, 1}};
    const Words rank{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
    EXPECT_EQ(values_of("%cluster_ctarank", geometry), rank);
    EXPECT_EQ(values_of("%cluster_nctarank", geometry), Words(16, 4));
    EXPECT_EQ(values_of("%cluster_ctaid.y", geometry),
              (Words{0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(values_of("%cluster_nctaid.x", geometry), Words(16, 2));
    EXPECT_EQ(values_of("%clusterid.x", geometry), (Words{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
    EXPECT_EQ(values_of("%nclusterid.y", geometry), Words(16, 2));
    EXPECT_EQ(values_of("%is_explicit_cluster", geometry), Words(16, 1));
    EXPECT_EQ(values_of("%is_explicit_cluster", {.grid = {2, 1, 1}, .block = {1, 1, 1}}), Words(2, 0));
}

/// Ten rounds: each block counts itself in its round's word, waits for the cluster, and adds what it reads.
const std::string rounds =
    "ld.param.u64 %d1, [out];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r8, %clusterid.x;\nmov.u32 %r5, 0;\n"
    "mov.u32 %r6, 0;\nmul.wide.u32 %d3, %r8, 64;\nadd.s64 %d3, %d3, %d1;\nROUND:\n"
    "mul.wide.u32 %d4, %r5, 4;\nadd.s64 %d4, %d4, %d3;\n"
    "red.global.add.u32 [%d4+1024], 1;\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
    "ld.global.u32 %r7, [%d4+1024];\nadd.u32 %r6, %r6, %r7;\nadd.u32 %r5, %r5, 1;\n"
    "setp.lt.u32 %p1, %r5, 10;\n@%p1 bra ROUND;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d2, %d1, %d2;\n"
    "st.global.u32 [%d2], %r6;\nret;";

TEST(clusters, blocks_meet_at_the_clusters_barrier_round_after_round_on_any_number_of_threads) {
    for (int threads : {1, 2, 4}) {
        KernelUnderTest test(rounds);
        test.geometry = {.grid = {32, 1, 1}, .block = {32, 1, 1}, .cluster = {4, 1, 1}};
        test.options.threads = threads;
        test.buffer(zeros(1024));
        EXPECT_TRUE(test.run().completed);
        for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], 4u * 32 * 10);
    }
}

TEST(clusters, a_chosen_block_brings_its_cluster_with_it) {
    KernelUnderTest test(rounds);
    test.geometry = {.grid = {32, 1, 1}, .block = {32, 1, 1}, .cluster = {4, 1, 1}};
    test.options.blocks = {6};
    test.buffer(zeros(1024));
    EXPECT_TRUE(test.run().completed);
    for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], i / 4 == 1 ? 1280u : 0u);
}

TEST(clusters, threads_that_have_exited_are_not_waited_for) {
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %cluster_ctarank;\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 exit;\n"
        "barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;\nst.global.u32 [%d1], 3;\nret;");
    test.geometry = {.grid = {2, 1, 1}, .block = {64, 1, 1}, .cluster = {2, 1, 1}};
    test.buffer(zeros(1));
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents()[0], 3u);
}

TEST(clusters, a_block_that_waits_elsewhere_for_ever_makes_a_deadlock_that_names_both_places) {
    // Block 1 waits at a barrier for 64 of its 32 threads.
    KernelUnderTest test(
        "mov.u32 %r1, %cluster_ctarank;\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 bra OTHER;\n"
        "barrier.cluster.arrive;\nbarrier.cluster.wait;\nret;\nOTHER:\nbar.sync 1, 64;\n"
        "barrier.cluster.arrive;\nbarrier.cluster.wait;\nret;");
    test.geometry = {.grid = {2, 1, 1}, .block = {32, 1, 1}, .cluster = {2, 1, 1}};
    test.buffer(zeros(1));
    RunResult result = test.run();
    EXPECT_FALSE(result.completed);
    ASSERT_EQ(result.problems.size(), 2u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::deadlock);
    EXPECT_NE(result.problems[0].message.find("the cluster's barrier"), std::string::npos)
        << result.problems[0].message;
    EXPECT_NE(result.problems[0].message.find("32 of 64 have arrived"), std::string::npos);
    EXPECT_NE(result.problems[1].message.find("barrier 1"), std::string::npos) << result.problems[1].message;
}

TEST(clusters, waiting_without_having_arrived_is_reported) {
    KernelUnderTest test("barrier.cluster.wait;\nret;");
    test.buffer(zeros(1));
    EXPECT_NE(find(test.run(), ProblemKind::diverged_barrier), nullptr);
}

}  // namespace
}  // namespace warplens::simt
