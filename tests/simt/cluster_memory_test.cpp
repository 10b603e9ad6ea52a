// Shared memory of another block of the cluster, by 32-bit and by generic addresses.
#include <map>

#include "tests/simt/kernel_under_test.h"

namespace warplens::simt {
namespace {

using Words = std::vector<std::uint32_t>;

const std::string shared_words = ".shared .align 8 .b8 words[256];";
const std::string sync = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
/// %r1 rank, %r2 thread, %r3 the next rank, %r4 = own word's shared address, %d1 = out + 4 * global thread.
const std::string cluster_begin =
    "mov.u32 %r1, %cluster_ctarank;\nmov.u32 %r2, %tid.x;\nadd.u32 %r3, %r1, 1;\nand.b32 %r3, %r3, 3;\n"
    "mov.u32 %r4, words;\nshl.b32 %r5, %r2, 2;\nadd.u32 %r4, %r4, %r5;\nld.param.u64 %d1, [out];\n"
    "mov.u32 %r6, %ctaid.x;\nshl.b32 %r7, %r6, 5;\nadd.u32 %r7, %r7, %r2;\nmul.wide.u32 %d2, %r7, 4;\n"
    "add.s64 %d1, %d1, %d2;\nshl.b32 %r8, %r6, 8;\nadd.u32 %r8, %r8, %r2;\nst.shared.u32 [%r4], %r8;\n" +
    sync;

KernelUnderTest cluster_of_four(const std::string& body, int threads = 0) {
    KernelUnderTest test(cluster_begin + body, ".param .u64 out", shared_words);
    test.geometry = {.grid = {8, 1, 1}, .block = {32, 1, 1}, .cluster = {4, 1, 1}};
    test.options.threads = threads;
    test.buffer(zeros(256));
    return test;
}

/// The value that block b's thread t reads in the next block of its cluster.
std::uint32_t of_the_next(std::uint32_t block, std::uint32_t thread) {
    return ((block / 4 * 4 + (block + 1) % 4) << 8) + thread;
}

TEST(cluster_memory, a_load_by_a_mapped_32_bit_address_reads_the_other_block) {
    for (int threads : {1, 2, 4}) {
        auto test = cluster_of_four(
            "mapa.shared::cluster.u32 %r10, %r4, %r3;\nld.shared::cluster.u32 %r11, [%r10];\n" + sync +
                "st.global.u32 [%d1], %r11;\nret;",
            threads);
        RunResult result = test.run();
        EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
        for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(test.contents()[i], of_the_next(i / 32, i % 32));
    }
}

TEST(cluster_memory, a_load_by_a_mapped_generic_address_reads_the_other_block) {
    auto test = cluster_of_four(
        "cvt.u64.u32 %d4, %r4;\ncvta.shared.u64 %d4, %d4;\nmapa.u64 %d5, %d4, %r3;\n"
        "ld.u32 %r11, [%d5];\n" +
        sync + "st.global.u32 [%d1], %r11;\nret;");
    EXPECT_TRUE(test.run().problems.empty());
    for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(test.contents()[i], of_the_next(i / 32, i % 32));
}

TEST(cluster_memory, an_address_that_was_not_mapped_is_one_s_own) {
    auto test =
        cluster_of_four("ld.shared::cluster.u32 %r11, [%r4];\n" + sync + "st.global.u32 [%d1], %r11;\nret;");
    EXPECT_TRUE(test.run().problems.empty());
    for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(test.contents()[i], (i / 32 << 8) + i % 32);
}

TEST(cluster_memory, stores_and_atomics_reach_the_other_block) {
    auto test = cluster_of_four(
        "mapa.shared::cluster.u32 %r10, %r4, %r3;\nred.shared::cluster.add.u32 [%r10], 7;\n" + sync +
        "atom.shared::cluster.exch.b32 %r12, [%r10+128], 9;\nst.shared::cluster.u32 [%r10+128], %r1;\n" +
        sync +
        "ld.shared.u32 %r11, [%r4];\nld.shared.u32 %r13, [%r4+128];\nshl.b32 %r13, %r13, 16;\n"
        "add.u32 %r11, %r11, %r13;\nst.global.u32 [%d1], %r11;\nret;");
    EXPECT_TRUE(test.run().problems.empty());
    for (std::uint32_t i = 0; i < 256; ++i) {
        const std::uint32_t block = i / 32, rank = block % 4;
        EXPECT_EQ(test.contents()[i], (block << 8) + i % 32 + 7 + ((rank + 3) % 4 << 16));
    }
}

TEST(cluster_memory, an_address_shows_its_rank_and_its_spaces) {
    auto test = cluster_of_four(
        "mapa.shared::cluster.u32 %r10, %r4, %r3;\ngetctarank.shared::cluster.u32 %r11, %r10;\n"
        "getctarank.shared::cluster.u32 %r12, %r4;\nshl.b32 %r12, %r12, 4;\nadd.u32 %r11, %r11, %r12;\n"
        "cvt.u64.u32 %d4, %r4;\ncvta.shared.u64 %d4, %d4;\nmapa.u64 %d5, %d4, %r3;\n"
        "isspacep.shared::cta %p1, %d4;\nisspacep.shared::cta %p2, %d5;\nisspacep.shared::cluster %p3, %d5;\n"
        "isspacep.global %p4, %d5;\nselp.u32 %r13, 256, 0, %p1;\nadd.u32 %r11, %r11, %r13;\n"
        "selp.u32 %r13, 512, 0, %p2;\nadd.u32 %r11, %r11, %r13;\nselp.u32 %r13, 1024, 0, %p3;\n"
        "add.u32 %r11, %r11, %r13;\nselp.u32 %r13, 2048, 0, %p4;\nadd.u32 %r11, %r11, %r13;\n"
        "st.global.u32 [%d1], %r11;\nret;");
    EXPECT_TRUE(test.run().completed);
    for (std::uint32_t block = 0; block < 8; ++block)
        EXPECT_EQ(test.contents()[block * 32], (block % 4 + 1) % 4 + (block % 4 << 4) + 256 + 1024);
}

/// Notes each request to another block's memory.
struct Listener final : trace::Observer {
    struct Request {
        std::uint64_t block = 0, first = 0;
        Operation operation = Operation::none;
        auto operator<=>(const Request&) const = default;
    };
    struct Block final : trace::BlockObserver {
        std::uint64_t block = 0;
        std::vector<Request> requests;
        void access(int, const trace::Access& access) override {
            if (access.space != Space::shared_cluster) return;
            const auto lane = static_cast<std::size_t>(access.mask.lowest());
            requests.push_back({block, (*access.addresses)[lane], access.operation});
        }
    };
    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t block) override {
        auto observer = std::make_unique<Block>();
        observer->block = block;
        return observer;
    }
    void finish(std::uint64_t, std::unique_ptr<trace::BlockObserver> block) override {
        for (const Request& request : static_cast<Block&>(*block).requests) requests.push_back(request);
    }
    std::vector<Request> requests;
};

TEST(cluster_memory, requests_are_reported_with_the_rank_above_24_bits_of_offset) {
    auto test = cluster_of_four(
        "cvt.u64.u32 %d4, %r4;\ncvta.shared.u64 %d4, %d4;\nmapa.u64 %d5, %d4, %r3;\natom.add.u32 %r11, "
        "[%d5], 1;\n" +
        sync + "ret;");
    Listener listener;
    test.run(&listener);
    ASSERT_EQ(listener.requests.size(), 8u);
    for (std::uint64_t block = 0; block < 8; ++block)
        EXPECT_EQ(listener.requests[block],
                  (Listener::Request{block, (block + 1) % 4 << 24, Operation::atomic}));
}

TEST(cluster_memory, a_rank_outside_the_cluster_is_out_of_bounds) {
    auto test = cluster_of_four(
        "mov.u32 %r3, 5;\nmapa.shared::cluster.u32 %r10, %r4, %r3;\n"
        "ld.shared::cluster.u32 %r11, [%r10];\nret;");
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::out_of_bounds);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("rank 5, and the cluster has 4 blocks"), std::string::npos)
        << problem->message;
}

TEST(cluster_memory, bytes_past_the_other_block_s_memory_are_out_of_bounds) {
    auto test = cluster_of_four(
        "mapa.shared::cluster.u32 %r10, %r4, %r3;\nld.shared::cluster.u32 %r11, [%r10+192];\nret;");
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::out_of_bounds);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("past the end of the shared memory of the block with rank"),
              std::string::npos)
        << problem->message;
}

TEST(cluster_memory, a_block_that_has_ended_takes_its_memory_with_it) {
    // Nothing holds the blocks together at the end: the last arrives, goes on and ends before the first reads
    // it.
    auto test = cluster_of_four(
        "mapa.shared::cluster.u32 %r10, %r4, 3;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 exit;\n"
        "ld.shared::cluster.u32 %r11, [%r10];\nret;");
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::out_of_bounds);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("rank 3, which has ended"), std::string::npos) << problem->message;
}

TEST(cluster_memory, what_the_other_block_has_not_written_is_uninitialised) {
    auto test = cluster_of_four(
        "mapa.shared::cluster.u32 %r10, %r4, %r3;\nld.shared::cluster.u32 %r11, [%r10+128];\n" + sync +
        "ret;");
    EXPECT_NE(find(test.run(), ProblemKind::uninitialised_read), nullptr);
}

}  // namespace
}  // namespace warplens::simt
