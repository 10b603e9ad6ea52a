// malloc and free in kernels: their results, and invalid pointers.
#include <gmock/gmock.h>

#include <set>

#include "kernel_under_test.h"
#include "simt/functional/memory/device_heap.h"

namespace warplens::simt {
namespace {

using testing::HasSubstr;

const std::string heap_declared =
    ".extern .func (.param .b64 result) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n";

/// %dTO = malloc(bytes)
std::string call_malloc(const std::string& to, const std::string& bytes) {
    return "{\n.param .b64 a;\nst.param.b64 [a], " + bytes +
           ";\n.param .b64 r;\ncall.uni (r), malloc, (a);\n" + "ld.param.b64 " + to + ", [r];\n}\n";
}
std::string call_free(const std::string& pointer) {
    return "{\n.param .b64 a;\nst.param.b64 [a], " + pointer + ";\ncall.uni free, (a);\n}\n";
}
const std::string to_own_double =
    "ld.param.u64 %d1, [out];\ncvta.to.global.u64 %d1, %d1;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
    "mov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %d2, %r4, 8;\nadd.s64 %d2, %d1, "
    "%d2;\n";

TEST(heap, every_thread_gets_memory_of_its_own_and_the_same_for_any_number_of_threads) {
    std::vector<std::uint64_t> first;
    for (const int threads : {1, 4}) {
        KernelUnderTest test(
            to_own_double + call_malloc("%d3", "24") +
                "st.u64 [%d3+16], %d3;\nld.u64 %d4, [%d3+16];\nst.global.u64 [%d2], %d4;\nret;",
            ".param .u64 out", heap_declared);
        test.geometry.grid = {3, 1, 1};
        test.options.threads = threads;
        test.buffer(std::vector<std::uint64_t>(96));
        const RunResult result = test.run();
        EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
        const auto pointers = test.contents<std::uint64_t>();
        const std::set<std::uint64_t> distinct(pointers.begin(), pointers.end());
        EXPECT_EQ(distinct.size(), 96u);
        for (const std::uint64_t pointer : pointers) EXPECT_EQ(pointer % 16, 0u);
        if (first.empty()) first = pointers;
        EXPECT_EQ(pointers, first);
    }
}

TEST(heap, malloc_gives_null_once_the_heap_is_full) {
    KernelUnderTest test(to_own_double + call_malloc("%d3", "1048576") + "st.global.u64 [%d2], %d3;\nret;",
                         ".param .u64 out", heap_declared);
    test.buffer(std::vector<std::uint64_t>(32));
    EXPECT_TRUE(test.run().problems.empty());
    const auto pointers = test.contents<std::uint64_t>();
    EXPECT_EQ(std::ranges::count(pointers, std::uint64_t{0}), 25)
        << "8 MiB hold 7 blocks and what lies between";
    KernelUnderTest larger(to_own_double + call_malloc("%d3", "1048576") + "st.global.u64 [%d2], %d3;\nret;",
                           ".param .u64 out", heap_declared);
    larger.options.limits.heap_bytes = 64 << 20;
    larger.buffer(std::vector<std::uint64_t>(32));
    larger.run();
    EXPECT_EQ(std::ranges::count(larger.contents<std::uint64_t>(), std::uint64_t{0}), 0);
}

TEST(heap, what_one_launch_left_is_there_in_the_next_run_of_the_same_memory) {
    KernelUnderTest test(to_own_double + call_malloc("%d3", "8") + "st.global.u64 [%d2], %d3;\nret;",
                         ".param .u64 out", heap_declared);
    test.geometry.block = {1, 1, 1};
    test.buffer(std::vector<std::uint64_t>(1));
    test.run();
    const std::uint64_t first = test.contents<std::uint64_t>()[0];
    test.run();
    EXPECT_NE(test.contents<std::uint64_t>()[0], first);
    EXPECT_TRUE(test.memory.heap()->is_live(first, 8));
}

Problem only_problem(const std::string& body) {
    KernelUnderTest test(to_own_double + body + "ret;", ".param .u64 out", heap_declared);
    test.geometry.block = {1, 1, 1};
    test.buffer(std::vector<std::uint64_t>(1));
    const RunResult result = test.run();
    EXPECT_EQ(result.problems.size(), 1u);
    return result.problems.empty() ? Problem{} : result.problems[0];
}

TEST(heap, one_past_the_end_is_out_of_bounds_in_the_words_of_malloc) {
    const Problem problem =
        only_problem(call_malloc("%d3", "12") + call_malloc("%d4", "12") + "st.u32 [%d3+12], 1;\n");
    EXPECT_EQ(problem.kind, ProblemKind::out_of_bounds);
    EXPECT_THAT(problem.message,
                HasSubstr("4 bytes past the end of the 12 bytes that malloc returned at PTX line"));
    EXPECT_THAT(problem.element, HasSubstr("memory from malloc at PTX line"));
    EXPECT_THAT(problem.element, HasSubstr("[3]"));
}

TEST(heap, a_use_after_free_is_out_of_bounds_and_names_the_free) {
    const Problem problem = only_problem(call_malloc("%d3", "8") + "st.u64 [%d3], 1;\n" + call_free("%d3") +
                                         "ld.u64 %d4, [%d3];\nst.global.u64 [%d2], %d4;\n");
    EXPECT_EQ(problem.kind, ProblemKind::out_of_bounds);
    EXPECT_THAT(problem.message, HasSubstr("freed at PTX line"));
}

TEST(heap, a_read_before_a_write_is_reported_also_of_memory_that_another_block_had) {
    EXPECT_EQ(only_problem(call_malloc("%d3", "8") + "ld.u64 %d4, [%d3];\nst.global.u64 [%d2], %d4;\n").kind,
              ProblemKind::uninitialised_read);
    const Problem again =
        only_problem(call_malloc("%d3", "8000000") + "st.u64 [%d3], 1;\n" + call_free("%d3") +
                     call_malloc("%d5", "8000000") + "ld.u64 %d4, [%d5];\nst.global.u64 [%d2], %d4;\n");
    EXPECT_EQ(again.kind, ProblemKind::uninitialised_read);
}

TEST(heap, free_of_null_is_nothing_and_twice_within_or_of_a_buffer_is_a_problem) {
    KernelUnderTest null(call_free("0") + "ret;", ".param .u64 out", heap_declared);
    null.buffer(zeros(1));
    EXPECT_TRUE(null.run().problems.empty());
    EXPECT_THAT(only_problem(call_malloc("%d3", "8") + call_free("%d3") + call_free("%d3")).message,
                HasSubstr("which was already freed"));
    EXPECT_THAT(only_problem(call_malloc("%d3", "8") + "add.u64 %d4, %d3, 4;\n" + call_free("%d4")).message,
                HasSubstr("which is byte 4 of memory from malloc"));
    EXPECT_THAT(only_problem("ld.param.u64 %d3, [out];\n" + call_free("%d3")).message,
                HasSubstr("(buffer[0]), which malloc did not return"));
}

TEST(heap, memory_that_changes_hands_is_no_race) {
    // 7 MiB: the second thread gets the first one's bytes.
    KernelUnderTest test(
        to_own_double + call_malloc("%d3", "7000000") + "st.u64 [%d3], 1;\n" + call_free("%d3") + "ret;",
        ".param .u64 out", heap_declared);
    test.geometry.block = {1, 1, 1};
    test.geometry.grid = {3, 1, 1};
    test.options.detect_races = true;
    test.buffer(std::vector<std::uint64_t>(3));
    const RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
}

}  // namespace
}  // namespace warplens::simt
