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

}  // namespace
}  // namespace warplens::simt
