// Blocks that take work from a counter of the grid: each gets what it would get on a GPU, where all run at
// the same time.
#include <algorithm>
#include <numeric>

#include "tests/simt/kernel_under_test.h"

namespace warplens::simt {
namespace {

/// Each block takes tiles from out[0] until none is left, counts them in out[1 + block], and spends
/// `per_tile` rounds of a loop on tile %r1; `per_tile` is the register that says how many.
std::string queue(const std::string& per_tile) {
    return "ld.param.u64 %d1, [out];\nmov.u32 %r8, %ctaid.x;\nmov.u32 %r9, %nctaid.x;\n"
           "mul.wide.u32 %d2, %r8, 4;\nadd.s64 %d2, %d1, %d2;\nmov.u32 %r6, 0;\nTILE:\n"
           "atom.global.add.u32 %r1, [%d1], 1;\nld.global.u32 %r2, [%d1+4092];\n"
           "setp.ge.u32 %p1, %r1, %r2;\n@%p1 bra END;\nadd.u32 %r6, %r6, 1;\nmov.u32 %r5, 0;\nWORK:\n"
           "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, " +
           per_tile + ";\n@%p2 bra WORK;\nbra.uni TILE;\nEND:\nst.global.u32 [%d2+4], %r6;\nret;";
}

KernelUnderTest taking(const std::string& body, std::uint32_t blocks, std::uint32_t tiles) {
    KernelUnderTest test(body);
    test.geometry = {.grid = {blocks, 1, 1}, .block = {1, 1, 1}};
    std::vector<std::uint32_t> words(1024);
    words[1023] = tiles;
    test.buffer(words);
    return test;
}

std::vector<std::uint32_t> taken(KernelUnderTest& test) {
    const std::vector<std::uint32_t> words = test.contents();
    return {words.begin() + 1, words.begin() + 1 + test.geometry.grid.x};
}

TEST(shared_work, equal_tiles_are_shared_equally) {
    auto test = taking(queue("100"), 132, 1320);
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(taken(test), std::vector<std::uint32_t>(132, 10));
}

TEST(shared_work, fewer_tiles_than_blocks_go_to_one_block_each) {
    auto test = taking(queue("100"), 132, 100);
    EXPECT_TRUE(test.run().completed);
    const auto shares = taken(test);
    EXPECT_EQ(std::ranges::count(shares, 1u), 100);
    EXPECT_EQ(std::ranges::count(shares, 0u), 32);
}

TEST(shared_work, who_has_a_long_tile_takes_fewer) {
    // Tile k takes k rounds: 0 to 999. The sums are what is to be equal.
    auto test = taking(queue("%r1"), 8, 1000);
    RunOptions& options = test.options;
    options.keep_work = true;
    const RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    ASSERT_EQ(result.work.size(), 8u);
    const auto [least, most] = std::ranges::minmax(result.work, {}, &BlockWork::steps);
    EXPECT_LT(static_cast<double>(most.steps), 1.05 * static_cast<double>(least.steps));
}

TEST(shared_work, only_blocks_that_the_gpu_holds_at_once_share) {
    auto test = taking(queue("100"), 64, 640);
    test.options.resident_blocks = 16;
    EXPECT_TRUE(test.run().completed);
    const auto shares = taken(test);
    EXPECT_EQ(std::vector<std::uint32_t>(shares.begin(), shares.begin() + 16),
              std::vector<std::uint32_t>(16, 40));
    EXPECT_EQ(std::accumulate(shares.begin() + 16, shares.end(), 0u), 0u);
}

TEST(shared_work, a_loop_that_polls_by_adding_nothing_still_waits) {
    // Block 0 waits for what the last block adds.
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra ADD;\nWAIT:\n"
        "atom.global.add.u32 %r2, [%d1], 0;\nsetp.lt.u32 %p2, %r2, 7;\n@%p2 bra WAIT;\n"
        "st.global.u32 [%d1+4], %r2;\nret;\nADD:\natom.global.add.u32 %r3, [%d1], 1;\n"
        "st.global.u32 [%d1+8], %r3;\nret;");
    test.geometry = {.grid = {8, 1, 1}, .block = {1, 1, 1}};
    test.buffer(std::vector<std::uint32_t>(3));
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents()[1], 7u);
}

/// As queue(), but the number is taken by a loop of compare-and-swap from the word at [%d3].
std::string swap(const std::string& target) {
    return "RETRY" + target + ":\nld.volatile.global.u32 %r1, [%d3];\nsetp.ge.u32 %p1, %r1, %r2;\n@%p1 bra " +
           target +
           ";\nadd.u32 %r3, %r1, 1;\natom.global.cas.b32 %r4, [%d3], %r1, %r3;\nsetp.ne.u32 %p2, %r4, %r1;\n"
           "@%p2 bra RETRY" +
           target + ";\n";
}

TEST(shared_work, a_counter_may_be_moved_by_compare_and_swap) {
    auto test = taking(
        "ld.param.u64 %d1, [out];\nmov.u32 %r8, %ctaid.x;\nmul.wide.u32 %d2, %r8, 4;\n"
        "add.s64 %d2, %d1, %d2;\nmov.u64 %d3, %d1;\nld.global.u32 %r2, [%d1+4092];\n"
        "mov.u32 %r6, 0;\nTILE:\n" +
            swap("END") +
            "add.u32 %r6, %r6, 1;\nmov.u32 %r5, 0;\nWORK:\nadd.u32 %r5, %r5, 1;\n"
            "setp.lt.u32 %p2, %r5, 100;\n@%p2 bra WORK;\nbra.uni TILE;\nEND:\n"
            "st.global.u32 [%d2+4], %r6;\nret;",
        132, 1320);
    EXPECT_TRUE(test.run().completed);
    const auto shares = taken(test);
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), 0u), 1320u);
    const auto [least, most] = std::ranges::minmax(shares);
    EXPECT_GE(least, 9u);
    EXPECT_LE(most, 11u) << "number 0 is taken as a lock is";
}

TEST(shared_work, an_idle_block_steals_from_the_queue_of_another) {
    // Two queues at out[1000] and out[1001], from 1 on. Block 0 has a queue of 100 tiles, block 1 an empty
    // one.
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r8, %ctaid.x;\nmul.wide.u32 %d2, %r8, 4;\n"
        "add.s64 %d2, %d1, %d2;\nmov.u32 %r6, 0;\nTILE:\nadd.s64 %d3, %d2, 4000;\n"
        "ld.global.u32 %r2, [%d2+4008];\n" +
        swap("STEAL") +
        "bra.uni DONE;\nSTEAL:\nadd.s64 %d3, %d1, 4000;\n"
        "ld.global.u32 %r2, [%d1+4008];\n" +
        swap("END") +
        "DONE:\nadd.u32 %r6, %r6, 1;\nmov.u32 %r5, 0;\nWORK:\nadd.u32 %r5, %r5, 1;\n"
        "setp.lt.u32 %p2, %r5, 200;\n@%p2 bra WORK;\nbra.uni TILE;\nEND:\n"
        "st.global.u32 [%d2+4], %r6;\nret;");
    test.geometry = {.grid = {2, 1, 1}, .block = {1, 1, 1}};
    std::vector<std::uint32_t> words(1024);
    words[1000] = words[1001] = 1;
    words[1002] = 101;
    words[1003] = 1;
    test.buffer(words);
    EXPECT_TRUE(test.run().completed);
    const auto shares = taken(test);
    EXPECT_EQ(shares[0] + shares[1], 100u);
    EXPECT_NEAR(shares[0], 50, 3);
}

TEST(shared_work, a_lock_is_no_counter) {
    // Each block takes the lock at out[0] ten times in a row and adds to out[1]: block 0 is never asked to
    // wait.
    KernelUnderTest test(
        "ld.param.u64 %d1, [out];\nmov.u32 %r5, 0;\nAGAIN:\n"
        "atom.global.cas.b32 %r1, [%d1], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra AGAIN;\n"
        "ld.volatile.global.u32 %r2, [%d1+4];\nadd.u32 %r2, %r2, 1;\nst.volatile.global.u32 [%d1+4], %r2;\n"
        "atom.global.exch.b32 %r3, [%d1], 0;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, 10;\n"
        "@%p2 bra AGAIN;\nmov.u32 %r8, %ctaid.x;\nsetp.ne.u32 %p1, %r8, 0;\n@%p1 bra END;\n"
        "st.global.u32 [%d1+8], %r2;\nEND:\nret;");
    test.geometry = {.grid = {8, 1, 1}, .block = {1, 1, 1}};
    test.buffer(std::vector<std::uint32_t>(3));
    EXPECT_TRUE(test.run().completed);
    EXPECT_EQ(test.contents()[1], 80u);
    EXPECT_EQ(test.contents()[2], 10u) << "block 0 ran without a pause";
}

}  // namespace
}  // namespace warplens::simt
