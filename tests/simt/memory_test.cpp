#include "kernel_under_test.h"

namespace warplens::simt {
namespace {

TEST(bounds, a_read_past_the_end_names_the_buffer_and_how_far) {
    KernelUnderTest test(to_own_word + "ld.global.u32 %r2, [%d2+4];\nst.global.u32 [%d2], %r2;\nret;");
    std::uint64_t base = test.buffer(std::vector<std::uint32_t>(32, 9), "numbers");
    RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    const Problem* problem = find(result, ProblemKind::out_of_bounds);
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->address, base + 128);
    EXPECT_EQ(problem->thread, (Dim3{31, 0, 0}));
    EXPECT_EQ(problem->count, 1u);
    EXPECT_NE(problem->message.find("4 bytes past the end of \"numbers\" (128 bytes"), std::string::npos)
        << problem->message;
    EXPECT_EQ(test.contents()[30], 9u);
    EXPECT_EQ(test.contents()[31], 0u) << "the lane out of bounds reads 0";
}

TEST(bounds, an_index_before_the_array_is_a_fault_of_its_own) {
    KernelUnderTest test(
        to_own_word +
        "ld.global.u32 %r2, [%d2+-4];\nld.global.u32 %r3, [%d2+64];\nst.global.u32 [%d2], %r2;\nret;");
    test.buffer(zeros(32), "numbers");
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 2u);
    EXPECT_EQ(result.problems[0].message.find("reads numbers[-1] (4 bytes of global memory at 0x"), 0u)
        << result.problems[0].message;
    EXPECT_NE(result.problems[0].message.find("), 4 bytes before the beginning of \"numbers\""),
              std::string::npos);
    EXPECT_NE(result.problems[1].message.find("4 bytes past the end of"), std::string::npos)
        << result.problems[1].message;
}

TEST(bounds, the_nearer_buffer_is_named) {
    KernelUnderTest test(to_own_word + "st.global.u32 [%d2+65536], %r1;\nret;");
    test.buffer(zeros(16384), "first");
    test.memory.allocate("second", std::vector<std::byte>(4));
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::out_of_bounds);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("past the end of \"first\""), std::string::npos) << problem->message;
}

TEST(bounds, lengths_count_in_the_elements_of_the_index_whatever_the_access) {
    KernelUnderTest test(to_own_word + "st.global.v2.u32 [%d2+65536], {%r1, %r1};\nret;");
    test.buffer(zeros(16384), "first");
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::out_of_bounds);
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->element, "first[16384]");
    EXPECT_TRUE(problem->message.ends_with(
        "8 bytes past the end of \"first\" (65,536 bytes, 16,384 elements of 4 bytes)"))
        << problem->message;
}

TEST(bounds, a_store_through_a_null_pointer_is_skipped_and_reported) {
    KernelUnderTest test("mov.u64 %d1, 0;\nst.global.u32 [%d1], 1;\nret;");
    test.buffer(zeros(1));
    RunResult result = test.run();
    EXPECT_TRUE(result.completed);
    const Problem* problem = find(result, ProblemKind::out_of_bounds);
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->count, 32u);
    EXPECT_NE(problem->message.find("null pointer"), std::string::npos) << problem->message;
}

TEST(bounds, a_misaligned_access_is_reported) {
    KernelUnderTest test(to_own_word + "ld.global.u64 %d5, [%d2];\nret;");
    test.buffer(zeros(64));
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::misaligned);
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->count, 16u);
    EXPECT_EQ(problem->thread, (Dim3{1, 0, 0}));
}

TEST(bounds, shared_memory_ends_where_the_launch_says) {
    KernelUnderTest test(to_own_word +
                             "mov.u32 %r2, tile;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r2, %r2, %r3;\n"
                             "st.shared.u32 [%r2], 1;\nret;",
                         ".param .u64 out", ".extern .shared .align 16 .b8 tile[];");
    test.geometry.dynamic_shared_bytes = 64;
    test.buffer(zeros(32));
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::out_of_bounds);
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->count, 16u);
    EXPECT_EQ(problem->address, 64u);
}

TEST(bounds, a_read_of_shared_memory_nobody_wrote_is_reported_once_with_its_count) {
    KernelUnderTest test(
        to_own_word +
            "mov.u32 %r2, tile;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r2, %r2, %r3;\n"
            "setp.lt.u32 %p1, %r1, 8;\n@%p1 st.shared.u32 [%r2], 1;\nld.shared.u32 %r4, [%r2];\n"
            "st.global.u32 [%d2], %r4;\nret;",
        ".param .u64 out", ".shared .align 4 .b8 tile[128];");
    test.buffer(zeros(32));
    const RunResult result = test.run();
    const Problem* problem = find(result, ProblemKind::uninitialised_read);
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->count, 24u);
    EXPECT_EQ(problem->thread, (Dim3{8, 0, 0}));
}

TEST(bounds, the_run_can_stop_at_the_first_problem) {
    KernelUnderTest test(to_own_word +
                         "mov.u64 %d1, 0;\nst.global.u32 [%d1], 1;\nst.global.u32 [%d2], 1;\nret;");
    test.geometry.grid = {4, 1, 1};
    test.options.stop_at_first_problem = true;
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_FALSE(result.completed);
    EXPECT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].block, (Dim3{0, 0, 0}));
}

TEST(races, two_warps_at_one_word_without_a_barrier_are_reported_with_both_places) {
    const std::string body = to_own_word +
                             "mov.u32 %r2, word;\nst.shared.u32 [%r2], %r1;\nBARRIER\n"
                             "ld.shared.u32 %r3, [%r2];\nst.global.u32 [%d2], %r3;\nret;";
    auto run = [&](const std::string& between) {
        std::string text = body;
        text.replace(text.find("BARRIER"), 7, between);
        KernelUnderTest test(text, ".param .u64 out", ".shared .align 4 .b32 word;");
        test.geometry.block = {64, 1, 1};
        test.options.detect_races = true;
        test.buffer(zeros(64));
        return test.run();
    };
    EXPECT_NE(find(run(""), ProblemKind::shared_race), nullptr);
    EXPECT_NE(find(run("bar.sync 0;"), ProblemKind::shared_race), nullptr) << "the two stores still race";
}

TEST(races, a_tile_with_a_barrier_has_none) {
    KernelUnderTest test(
        to_own_word +
            "mov.u32 %r2, tile;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r4, %r2, %r3;\n"
            "st.shared.u32 [%r4], %r1;\nbar.sync 0;\nxor.b32 %r3, %r3, 128;\nadd.u32 %r4, %r2, %r3;\n"
            "ld.shared.u32 %r5, [%r4];\nst.global.u32 [%d2], %r5;\nret;",
        ".param .u64 out", ".shared .align 4 .b8 tile[256];");
    test.geometry.block = {64, 1, 1};
    test.options.detect_races = true;
    test.buffer(zeros(64));
    EXPECT_TRUE(test.run().problems.empty());
}

TEST(spaces, a_generic_address_reaches_shared_memory_and_global_memory) {
    KernelUnderTest test(to_own_word +
                             "mov.u32 %r2, word;\ncvt.u64.u32 %d3, %r2;\ncvta.shared.u64 %d3, %d3;\n"
                             "setp.eq.u32 %p1, %r1, 0;\nselp.b64 %d4, %d3, %d2, %p1;\nadd.u32 %r3, %r1, 50;\n"
                             "st.u32 [%d4], %r3;\nld.u32 %r4, [%d4];\nst.global.u32 [%d2], %r4;\nret;",
                         ".param .u64 out", ".shared .align 4 .b32 word;");
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty());
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], 50 + i);
}

TEST(spaces, every_thread_has_its_own_local_memory) {
    KernelUnderTest test(".local .align 8 .b8 depot[16];\n.reg .b64 %SP, %SPL;\n" + to_own_word +
                         "mov.u64 %SPL, depot;\ncvta.local.u64 %SP, %SPL;\nadd.u64 %d5, %SP, 8;\n"
                         "add.u64 %d6, %SPL, 8;\nst.u32 [%d5], %r1;\nld.local.u32 %r2, [%d6];\n"
                         "st.global.u32 [%d2], %r2;\nret;");
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty());
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], i);
}

TEST(spaces, constants_and_initialised_globals_hold_their_values) {
    KernelUnderTest test(
        to_own_word +
            "ld.const.u32 %r2, [table+4];\nld.global.u32 %r3, [start+8];\nadd.u32 %r2, %r2, %r3;\n"
            "st.global.u32 [%d2], %r2;\nret;",
        ".param .u64 out",
        ".const .align 4 .u32 table[3] = {1, 20, 3};\n.global .align 4 .u32 start[4] = {0, 0, 300};");
    test.buffer(zeros(32));
    RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty());
    EXPECT_EQ(test.contents()[5], 320u);
}

TEST(global_memory, an_allocation_lies_where_it_was_asked_for_and_nowhere_else) {
    GlobalMemory memory;
    const std::uint64_t base = 0x7f'1234'5600;
    ASSERT_TRUE(memory.allocate_at(base, "there", std::vector<std::byte>(300)));
    EXPECT_NE(memory.at(base + 296, 4), nullptr);
    EXPECT_EQ(memory.at(base + 300, 1), nullptr);
    EXPECT_EQ(memory.at(base - 1, 1), nullptr);
    ASSERT_TRUE(memory.allocate_at(base + 512, "next to it", std::vector<std::byte>(16)));
    ASSERT_TRUE(memory.allocate_at(base - 256, "before it", std::vector<std::byte>(256)));
    const std::uint64_t chosen = memory.allocate("anywhere", std::vector<std::byte>(8));
    EXPECT_GT(chosen, base + 528);
    std::uint64_t last = 0;
    for (const Allocation& allocation : memory.allocations()) {
        EXPECT_GT(allocation.base, last);
        last = allocation.base;
    }
}

TEST(global_memory, allocations_that_would_overlap_or_lie_askew_are_refused) {
    GlobalMemory memory;
    const std::uint64_t base = 0x10000;
    ASSERT_TRUE(memory.allocate_at(base, "a", std::vector<std::byte>(600)));
    for (const std::uint64_t bad : {base, base + 256, base + 512}) {
        const Status status = memory.allocate_at(bad, "b", std::vector<std::byte>(4));
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().message,
                  fmt::format("\"b\" of 4 bytes at {:#x} would overlap \"a\", 600 bytes at 0x10000", bad));
    }
    EXPECT_FALSE(memory.allocate_at(base - 256, "b", std::vector<std::byte>(257)));
    EXPECT_FALSE(memory.allocate_at(base + 1000, "b", std::vector<std::byte>(4)));
    EXPECT_FALSE(memory.allocate_at(0, "b", std::vector<std::byte>(4)));
    EXPECT_EQ(memory.allocations().size(), 1u);
    std::vector<std::byte> kept(4);
    EXPECT_FALSE(memory.allocate_at(base, "b", std::move(kept)));
    EXPECT_EQ(kept.size(), 4u) << "its data can be placed elsewhere";
}

}  // namespace
}  // namespace warplens::simt
