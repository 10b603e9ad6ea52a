// Calls through pointers, and how deep calls may nest.
#include <gmock/gmock.h>

#include "kernel_under_test.h"
#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {
namespace {

using testing::HasSubstr;

const std::string two_functions =
    ".func (.param .b32 r) twice(.param .b32 n)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [n];\n"
    "add.u32 %r1, %r1, %r1;\nst.param.b32 [r], %r1;\nret;\n}\n"
    ".func (.param .b32 r) next(.param .b32 n)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [n];\n"
    "add.u32 %r1, %r1, 1;\nst.param.b32 [r], %r1;\nret;\n}\n";

/// %r5 = (*%d5)(%r1)
const std::string call_d5 =
    "{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\n"
    "shape : .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (b), %d5, (a), shape;\n"
    "ld.param.b32 %r5, [b];\n}\n";

TEST(call_through_pointer, lanes_call_different_functions_and_meet_again) {
    KernelUnderTest test(to_own_word +
                             "mov.u64 %d3, twice;\nmov.u64 %d4, next;\nand.b32 %r2, %r1, 1;\n"
                             "setp.eq.u32 %p1, %r2, 1;\nselp.b64 %d5, %d3, %d4, %p1;\n" +
                             call_d5 +
                             "activemask.b32 %r6;\nsetp.ne.u32 %p2, %r6, -1;\n@%p2 mov.u32 %r5, 999;\n" +
                             "st.global.u32 [%d2], %r5;\nret;",
                         ".param .u64 out", two_functions);
    test.buffer(zeros(32));
    const RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], i % 2 ? 2 * i : i + 1) << i;
}

TEST(call_through_pointer, addresses_come_from_tables_in_memory_also_byte_by_byte) {
    for (const std::string table :
         {".global .align 8 .u64 table[2] = {twice, next};\n",
          ".const .align 8 .u64 table[2] = {twice, next};\n",
          ".global .align 8 .b8 table[16] = {0xFF(twice), 0xFF00(twice), 0xFF0000(twice), 0xFF000000(twice), "
          "0xFF00000000(twice), 0xFF0000000000(twice), 0xFF000000000000(twice), 0xFF00000000000000(twice), "
          "0xFF(next), 0xFF00(next), 0xFF0000(next), 0xFF000000(next), 0xFF00000000(next), "
          "0xFF0000000000(next), 0xFF000000000000(next), 0xFF00000000000000(next)};\n"}) {
        const std::string space = table.substr(0, table.find(' '));
        KernelUnderTest test(to_own_word +
                                 "and.b32 %r2, %r1, 1;\nmul.wide.u32 %d3, %r2, 8;\nmov.u64 %d4, table;\n" +
                                 "add.u64 %d4, %d4, %d3;\nld" + space + ".u64 %d5, [%d4];\n" + call_d5 +
                                 "st.global.u32 [%d2], %r5;\nret;",
                             ".param .u64 out", two_functions + table);
        test.buffer(zeros(32));
        const RunResult result = test.run();
        EXPECT_TRUE(result.problems.empty()) << table << result.problems[0].message;
        for (const Allocation& allocation : test.memory.allocations()) {
            if (allocation.name != "buffer") continue;
            for (std::uint32_t i = 0; i < 32; ++i) {
                std::uint32_t value;
                std::memcpy(&value, allocation.data.data() + 4 * i, 4);
                EXPECT_EQ(value, i % 2 ? i + 1 : 2 * i) << i;
            }
        }
    }
}

TEST(call_through_pointer, call_targets_may_stand_in_place_of_a_prototype) {
    KernelUnderTest test(to_own_word +
                             "mov.u64 %d5, next;\nchoice : .calltargets twice, next;\n{\n.param .b32 a;\n"
                             "st.param.b32 [a], %r1;\n.param .b32 b;\ncall (b), %d5, (a), choice;\n"
                             "ld.param.b32 %r5, [b];\n}\nst.global.u32 [%d2], %r5;\nret;",
                         ".param .u64 out", two_functions);
    test.buffer(zeros(32));
    EXPECT_TRUE(test.run().problems.empty());
    EXPECT_EQ(test.contents()[7], 8u);
}

TEST(call_through_pointer, a_function_that_calls_itself_through_a_pointer_keeps_its_activations) {
    // sum(n, f) = n == 0 ? 0 : n + f(n - 1, f)
    const std::string sum =
        ".func (.param .b32 r) sum(.param .b32 n, .param .b64 f)\n{\n.reg .b32 %r<5>;\n.reg .b64 %d<2>;\n"
        ".reg .pred %p<2>;\nld.param.u32 %r1, [n];\nld.param.u64 %d1, [f];\nsetp.ne.u32 %p1, %r1, 0;\n"
        "@%p1 bra MORE;\nst.param.b32 [r], 0;\nret;\nMORE:\nsub.u32 %r2, %r1, 1;\n{\n.param .b32 a;\n"
        "st.param.b32 [a], %r2;\n.param .b64 b;\nst.param.b64 [b], %d1;\n.param .b32 c;\n"
        "shape : .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n"
        "call (c), %d1, (a, b), shape;\nld.param.b32 %r3, [c];\n}\nadd.u32 %r4, %r3, %r1;\n"
        "st.param.b32 [r], %r4;\nret;\n}\n";
    KernelUnderTest test(to_own_word +
                             "mov.u64 %d5, sum;\n{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b64 b;\n"
                             "st.param.b64 [b], %d5;\n.param .b32 c;\ncall.uni (c), sum, (a, b);\n"
                             "ld.param.b32 %r5, [c];\n}\nst.global.u32 [%d2], %r5;\nret;",
                         ".param .u64 out", sum);
    test.buffer(zeros(32));
    const RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(test.contents()[i], i * (i + 1) / 2) << i;
}

TEST(call_through_pointer, a_bad_pointer_is_a_problem_of_its_lanes_and_the_others_go_on) {
    for (const std::string address : {"0", "4096", "0x700000000"}) {
        KernelUnderTest test(to_own_word + "mov.u64 %d5, " + address +
                                 ";\nsetp.ge.u32 %p1, %r1, 30;\n@!%p1 mov.u64 %d5, next;\n" + call_d5 +
                                 "st.global.u32 [%d2], %r5;\nret;",
                             ".param .u64 out", two_functions);
        test.buffer(zeros(32));
        const RunResult result = test.run();
        ASSERT_EQ(result.problems.size(), 1u);
        EXPECT_EQ(result.problems[0].kind, ProblemKind::out_of_bounds);
        EXPECT_EQ(result.problems[0].thread, (Dim3{30, 0, 0}));
        EXPECT_EQ(result.problems[0].count, 2u);
        EXPECT_THAT(result.problems[0].message,
                    HasSubstr(address == "0" ? "through a null pointer" : "not the address of a function"));
        EXPECT_EQ(test.contents()[29], 30u);
        EXPECT_EQ(test.contents()[30], 0u);
    }
}

TEST(call_through_pointer, a_function_with_other_parameters_is_not_entered) {
    const std::string other = ".func other(.param .b64 n, .param .b32 m)\n{\nret;\n}\n";
    KernelUnderTest test(to_own_word + "mov.u64 %d5, other;\n" + call_d5 + "ret;", ".param .u64 out", other);
    test.buffer(zeros(1));
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_THAT(result.problems[0].message, HasSubstr("it takes 2 of 8 and 4 bytes, but gets 1 of 4 bytes"));
}

TEST(call_through_pointer, the_code_of_a_function_cannot_be_read) {
    KernelUnderTest test(
        to_own_word + "mov.u64 %d5, next;\nld.u32 %r5, [%d5];\nst.global.u32 [%d2], %r5;\nret;",
        ".param .u64 out", two_functions);
    test.buffer(zeros(32));
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::out_of_bounds);
}

/// down(n) calls itself n times, with `local` bytes of local memory and %r1 kept over the call. n is a number
/// or a register.
KernelUnderTest recursion(int local, const std::string& n, const std::string& before = "",
                          const std::string& after = "") {
    const std::string down =
        ".func (.param .b32 r) down(.param .b32 n)\n{\n.local .align 16 .b8 depot[" + std::to_string(local) +
        "];\n.reg .b32 %r<5>;\n.reg .pred %p<2>;\nld.param.u32 %r1, [n];\n"
        "st.local.u32 [depot], %r1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra END;\n"
        "sub.u32 %r2, %r1, 1;\n{\n.param .b32 a;\nst.param.b32 [a], %r2;\n.param .b32 b;\n"
        "call.uni (b), down, (a);\nld.param.b32 %r3, [b];\n}\nadd.u32 %r1, %r1, %r3;\nEND:\n"
        "st.param.b32 [r], %r1;\nret;\n}\n";
    KernelUnderTest test(to_own_word + before + "{\n.param .b32 a;\nst.param.b32 [a], " + n +
                             ";\n.param .b32 b;\ncall.uni (b), down, (a);\nld.param.b32 %r3, [b];\n}\n"
                             "st.global.u32 [%d2], %r3;\n" +
                             after + "ret;",
                         ".param .u64 out", down);
    test.buffer(zeros(32));
    return test;
}

TEST(recursion, to_different_depths_is_noted_at_the_next_barrier) {
    const auto notes = [](const std::string& depth, const std::string& after) {
        KernelUnderTest test = recursion(16, depth, "and.b32 %r5, %r1, 3;\n", after);
        return test.run().notes;
    };
    const auto different = notes("%r5", "bar.sync 0;\n");
    ASSERT_EQ(different.size(), 1u);
    EXPECT_EQ(different[0].kind, ProblemKind::diverged_recursion);
    EXPECT_THAT(different[0].message, HasSubstr("recursed in down to different depths"));
    EXPECT_THAT(notes("3", "bar.sync 0;\n"), testing::IsEmpty()) << "all lanes go equally deep";
    EXPECT_THAT(notes("%r5", ""), testing::IsEmpty()) << "no barrier follows";
}

TEST(stack, an_activation_takes_its_local_memory_the_registers_it_keeps_and_the_way_back) {
    const KernelUnderTest test = recursion(48, "1");
    const auto& kernel = static_cast<const DecodedKernel&>(test.kernel());
    EXPECT_TRUE(kernel.recurses);
    ASSERT_EQ(kernel.functions.size(), 2u);
    EXPECT_EQ(kernel.functions[0].frame_bytes, 0u);
    EXPECT_EQ(kernel.functions[1].frame_bytes, 48u + 4 + 8 + 4)
        << "%r1, the address to return to, and 4 to align";
}

TEST(stack, recursion_ends_at_the_limit_to_the_activation) {
    // 64 bytes each: 16 activations fit into 1,024 bytes.
    KernelUnderTest right = recursion(48, "15");
    EXPECT_TRUE(right.run().problems.empty());
    EXPECT_EQ(right.contents()[31], 15u * 16 / 2);
    KernelUnderTest wrong = recursion(48, "16");
    const RunResult result = wrong.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::stack_overflow);
    EXPECT_THAT(
        result.problems[0].message,
        HasSubstr("calls down at a call depth of 17, which needs 1,088 bytes of stack; a thread has 1,024"));
    EXPECT_EQ(result.problems[0].count, 32u);
    KernelUnderTest larger = recursion(48, "16");
    larger.options.limits.stack_bytes = 1088;
    EXPECT_TRUE(larger.run().problems.empty());
    EXPECT_EQ(larger.contents()[0], 16u * 17 / 2);
}

TEST(stack, the_kernel_s_own_local_memory_counts_where_it_recurses) {
    KernelUnderTest test = recursion(48, "15", ".local .align 4 .b8 mine[16];\nst.local.u32 [mine], %r1;\n");
    ASSERT_EQ(test.run().problems.size(), 1u);
}

TEST(stack, without_recursion_nothing_bounds_local_memory_but_the_gpu) {
    KernelUnderTest test(
        to_own_word +
            ".local .align 4 .b8 mine[100000];\nst.local.u32 [mine+99996], %r1;\n"
            "ld.local.u32 %r2, [mine+99996];\ncall.uni leaf;\nst.global.u32 [%d2], %r2;\nret;",
        ".param .u64 out",
        ".func leaf()\n{\n.local .align 4 .b8 own[5000];\nst.local.u32 [own+4996], 1;\nret;\n}\n");
    test.buffer(zeros(32));
    const RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    EXPECT_EQ(test.contents()[9], 9u);
}

std::string error_of_loading(const std::string& text) {
    const auto module = ptx::parse(text, "test.ptx");
    if (!module) return module.error().message;
    const auto kernel = Kernel::load(*module, "k", text);
    return kernel ? "" : kernel.error().message;
}

TEST(stack, local_memory_that_no_thread_has_is_refused) {
    const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";
    const auto with = [&](const std::string& bytes) {
        return error_of_loading(head + ".visible .entry k()\n{\n.local .b8 d[" + bytes + "];\nret;\n}\n");
    };
    EXPECT_EQ(with("524288"), "");
    EXPECT_EQ(with("524289"), "\"k\" has 524289 bytes of local memory; at most 524288 are possible");
    EXPECT_EQ(with("4294967296"), "\"k\" has 4294967296 bytes of local memory; at most 524288 are possible");
    const std::string half = "{\n.local .b8 d[262144];\n";
    EXPECT_EQ(error_of_loading(head + ".func f()\n" + half + "ret;\n}\n.visible .entry k()\n" + half +
                               "call.uni f;\nret;\n}\n"),
              "");
    EXPECT_EQ(
        error_of_loading(head + ".func f()\n" + half + "ret;\n}\n.func g()\n" + half +
                         "call.uni f;\nret;\n}\n.visible .entry k()\n" + half + "call.uni g;\nret;\n}\n"),
        "\"k\" and the functions that it calls need 786432 bytes of local memory; at most 524288 are "
        "possible");
}

TEST(stack, a_chain_of_calls_may_have_any_length) {
    constexpr int functions = 20'000;
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.func f0()\n{\nret;\n}\n";
    for (int i = 1; i < functions; ++i)
        text += ".func f" + std::to_string(i) + "()\n{\ncall.uni f" + std::to_string(i - 1) + ";\nret;\n}\n";
    text += ".visible .entry k()\n{\ncall.uni f" + std::to_string(functions - 1) + ";\nret;\n}\n";
    EXPECT_EQ(error_of_loading(text), "");
}

TEST(stack, what_an_earlier_activation_wrote_is_not_there_for_the_next) {
    KernelUnderTest test("call.uni writer;\ncall.uni reader;\nret;", ".param .u64 out",
                         ".func writer()\n{\n.local .align 4 .b8 own[4];\nst.local.u32 [own], 1;\nret;\n}\n"
                         ".func reader()\n{\n.local .align 4 .b8 own[4];\n.reg .b32 %r<2>;\n"
                         "ld.local.u32 %r1, [own];\nret;\n}\n");
    test.buffer(zeros(1));
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::uninitialised_read);
}

}  // namespace
}  // namespace warplens::simt
