// printf in kernels: the memory of its format, strings and arguments, the order of lines, and invalid calls.
#include <gmock/gmock.h>

#include "kernel_under_test.h"

namespace warplens::simt {
namespace {

using testing::HasSubstr;

/// `.global .b8 name[] = { … , 0 };`
std::string text_variable(const std::string& name, const std::string& text,
                          const std::string& space = "global") {
    std::string bytes;
    for (const char c : text) bytes += std::to_string(static_cast<int>(c)) + ", ";
    return "." + space + " .align 1 .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {" + bytes +
           "0};\n";
}

const std::string declared =
    ".extern .func (.param .b32 result) vprintf (.param .b64 a, .param .b64 b);\n"
    ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 "
    "e);\n";

/// vprintf(%d10, %d11), its result in %r20.
const std::string call_printf =
    "{\n.param .b64 format;\nst.param.b64 [format], %d10;\n.param .b64 values;\n"
    "st.param.b64 [values], %d11;\n.param .b32 result;\ncall.uni (result), vprintf, (format, values);\n"
    "ld.param.b32 %r20, [result];\n}\n";

/// A buffer of arguments in local memory at %SP, whose generic address is in %d11, and the format in %d10.
std::string with_arguments(int bytes, const std::string& stores) {
    return ".local .align 8 .b8 depot[" + std::to_string(bytes) +
           "];\nmov.u64 %d20, depot;\ncvta.local.u64 %d11, %d20;\n" + stores +
           "mov.u64 %d10, format_text;\ncvta.global.u64 %d10, %d10;\n" + call_printf;
}

std::vector<std::string> texts(const RunResult& result) {
    std::vector<std::string> texts;
    for (const Printed& one : result.printed.calls) texts.push_back(one.text);
    return texts;
}

TEST(printf, every_lane_prints_its_own_values_lowest_lane_first) {
    KernelUnderTest test(to_own_word +
                             with_arguments(24,
                                            "st.local.u32 [%d20], %r1;\nmov.f64 %g1, 0d3FF8000000000000;\n"
                                            "st.local.f64 [%d20+8], %g1;\nst.local.u32 [%d20+16], 65;\n") +
                             "st.global.u32 [%d2], %r20;\nret;",
                         ".param .u64 out", declared + text_variable("format_text", "lane %d: %.2f %c\n"));
    test.buffer(zeros(32));
    const RunResult result = test.run();
    EXPECT_TRUE(result.problems.empty()) << result.problems[0].message;
    ASSERT_EQ(result.printed.calls.size(), 32u);
    for (std::uint32_t i = 0; i < 32; ++i) {
        const Printed& one = result.printed.calls[i];
        EXPECT_EQ(one.text, "lane " + std::to_string(i) + ": 1.50 A\n");
        EXPECT_EQ(one.thread, (Dim3{i, 0, 0}));
        EXPECT_EQ(one.block, (Dim3{0, 0, 0}));
        EXPECT_EQ(test.kernel().program().sites[one.site].opcode, "call.uni");
        EXPECT_EQ(test.contents()[i], 3u) << "the number of arguments";
    }
}

TEST(printf, an_int_before_a_double_leaves_a_gap_in_the_arguments) {
    KernelUnderTest test(with_arguments(24,
                                        "st.local.u32 [%d20], 7;\nst.local.u32 [%d20+4], 999;\n"
                                        "mov.f64 %g1, 0d4004000000000000;\nst.local.f64 [%d20+8], %g1;\n"
                                        "st.local.u64 [%d20+16], -1;\n") +
                             "ret;",
                         ".param .u64 out", declared + text_variable("format_text", "%d %g %lld"));
    test.geometry.block = {1, 1, 1};
    test.buffer(zeros(1));
    EXPECT_EQ(texts(test.run()), std::vector<std::string>{"7 2.5 -1"});
}

TEST(printf, wide_fields_do_not_keep_a_run_from_being_cancelled) {
    KernelUnderTest test(with_arguments(8, "st.local.u32 [%d20], 7;\nmov.u32 %r2, 0;\nAGAIN:\n") +
                             "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 40;\n@%p1 bra AGAIN;\nret;",
                         ".param .u64 out", declared + text_variable("format_text", "%65536d"));
    test.buffer(zeros(1));
    int asked = 0;
    test.options.cancelled = [&] { return ++asked < 0; };
    test.options.max_printed = 1;
    const RunResult result = test.run();
    ASSERT_EQ(result.printed.calls.size(), 1u);
    EXPECT_EQ(result.printed.calls[0].text, std::string(65'535, ' ') + "7");
    EXPECT_EQ(result.printed.dropped, 40 * 32 - 1u);
    EXPECT_GE(asked, 4) << "40 of them are 84 million characters";
}

TEST(printf, strings_come_from_global_constant_shared_and_local_memory) {
    for (const char* space : {"global", "const"}) {
        KernelUnderTest test(
            with_arguments(8, "mov.u64 %d3, word;\ncvta." + std::string(space) +
                                  ".u64 %d3, %d3;\nst.local.u64 [%d20], %d3;\n") +
                "ret;",
            ".param .u64 out",
            declared + text_variable("word", "right", space) + text_variable("format_text", "<%8s>"));
        test.geometry.block = {1, 1, 1};
        test.buffer(zeros(1));
        EXPECT_EQ(texts(test.run()), std::vector<std::string>{"<   right>"}) << space;
    }
    for (const char* space : {"shared", "local"}) {
        const std::string dot = "." + std::string(space);
        KernelUnderTest test(
            dot + " .align 4 .b8 word[4];\nmov.u64 %d5, word;\nst" + dot + ".u32 [%d5], 0x00636261;\n" +
                with_arguments(8, "cvta" + dot + ".u64 %d3, %d5;\nst.local.u64 [%d20], %d3;\n") + "ret;",
            ".param .u64 out", declared + text_variable("format_text", "%s"));
        test.geometry.block = {1, 1, 1};
        test.buffer(zeros(1));
        EXPECT_EQ(texts(test.run()), std::vector<std::string>{"abc"}) << space;
    }
}

TEST(printf, without_arguments_prints_the_format_and_returns_zero_and_without_a_format_minus_one) {
    const std::string store = "st.global.u32 [%d2], %r20;\nret;";
    KernelUnderTest plain(to_own_word +
                              "mov.u64 %d10, format_text;\ncvta.global.u64 %d10, %d10;\nmov.u64 %d11, 0;\n" +
                              call_printf + store,
                          ".param .u64 out", declared + text_variable("format_text", "100%% done\n"));
    plain.geometry.block = {1, 1, 1};
    plain.buffer<std::uint32_t>({5});
    EXPECT_EQ(texts(plain.run()), std::vector<std::string>{"100% done\n"});
    EXPECT_EQ(plain.contents()[0], 0u);

    KernelUnderTest none(to_own_word + "mov.u64 %d10, 0;\nmov.u64 %d11, 0;\n" + call_printf + store,
                         ".param .u64 out", declared);
    none.geometry.block = {1, 1, 1};
    none.buffer<std::uint32_t>({5});
    const RunResult result = none.run();
    EXPECT_TRUE(result.printed.calls.empty());
    EXPECT_TRUE(result.problems.empty());
    EXPECT_EQ(none.contents()[0], 0xffffffffu);
}

/// Each thread prints "block.thread" once: 64 blocks of 40 threads.
KernelUnderTest many_lines() {
    KernelUnderTest test("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n" +
                             with_arguments(8, "st.local.u32 [%d20], %r1;\nst.local.u32 [%d20+4], %r2;\n") +
                             "ret;",
                         ".param .u64 out", declared + text_variable("format_text", "%d.%d"));
    test.geometry.grid = {64, 1, 1};
    test.geometry.block = {40, 1, 1};
    test.buffer(zeros(1));
    return test;
}

TEST(printf, lines_come_in_block_order_for_any_number_of_threads) {
    std::vector<std::string> expected;
    for (int block = 0; block < 64; ++block)
        for (int thread = 0; thread < 40; ++thread)
            expected.push_back(std::to_string(block) + "." + std::to_string(thread));
    for (const int threads : {1, 2, 5}) {
        KernelUnderTest test = many_lines();
        test.options.threads = threads;
        EXPECT_EQ(texts(test.run()), expected) << threads;
    }
}

TEST(printf, keeps_the_first_calls_and_counts_those_dropped) {
    for (const int threads : {1, 3}) {
        KernelUnderTest test = many_lines();
        test.options.threads = threads;
        test.options.max_printed = 100;
        const RunResult result = test.run();
        ASSERT_EQ(result.printed.calls.size(), 100u);
        EXPECT_EQ(result.printed.calls[99].text, "2.19");
        EXPECT_EQ(result.printed.dropped, 64u * 40 - 100);
    }
}

TEST(printf, only_the_blocks_executed_print) {
    KernelUnderTest test = many_lines();
    test.options.blocks = {3, 63};
    const RunResult result = test.run();
    ASSERT_EQ(result.printed.calls.size(), 80u);
    EXPECT_EQ(result.printed.calls[0].text, "3.0");
    EXPECT_EQ(result.printed.calls[79].text, "63.39");
    EXPECT_EQ(result.printed.calls[79].block, (Dim3{63, 0, 0}));
}

TEST(printf, a_guarded_call_prints_for_the_lanes_whose_predicate_holds) {
    std::string body = with_arguments(8, "mov.u32 %r1, %tid.x;\nst.local.u32 [%d20], %r1;\n");
    const std::size_t at = body.find("call.uni");
    body.insert(at, "setp.ge.u32 %p1, %r1, 30;\n@%p1 ");
    KernelUnderTest test(body + "ret;", ".param .u64 out", declared + text_variable("format_text", "%d"));
    test.buffer(zeros(1));
    EXPECT_EQ(texts(test.run()), (std::vector<std::string>{"30", "31"}));
}

TEST(printf, a_conversion_without_an_argument_is_a_problem) {
    KernelUnderTest test(with_arguments(16, "st.local.u32 [%d20], 7;\n") + "ret;", ".param .u64 out",
                         declared + text_variable("format_text", "%d and %d\n"));
    test.buffer(zeros(1));
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::uninitialised_read);
    EXPECT_THAT(result.problems[0].message, HasSubstr("argument 2 of the format \"%d and %d\\n\""));
    EXPECT_EQ(result.problems[0].count, 32u);
    EXPECT_EQ(result.printed.calls.at(0).text, "7 and 0\n");
}

TEST(printf, a_conversion_in_a_call_without_any_argument_is_a_problem) {
    KernelUnderTest test(
        "mov.u64 %d10, format_text;\ncvta.global.u64 %d10, %d10;\nmov.u64 %d11, 0;\n" + call_printf + "ret;",
        ".param .u64 out", declared + text_variable("format_text", "%d\n"));
    test.geometry.block = {1, 1, 1};
    test.buffer(zeros(1));
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::uninitialised_read);
}

TEST(printf, a_string_outside_of_all_memory_is_a_problem_with_its_address) {
    KernelUnderTest test(
        with_arguments(8, "mov.u64 %d3, 0x7fff12340000;\nst.local.u64 [%d20], %d3;\n") + "ret;",
        ".param .u64 out", declared + text_variable("format_text", "<%s>"));
    test.geometry.block = {1, 1, 1};
    test.buffer(zeros(1));
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::out_of_bounds);
    EXPECT_EQ(result.problems[0].address, 0x7fff12340000u);
    EXPECT_THAT(result.problems[0].message, HasSubstr("is outside all memory"));
    EXPECT_EQ(texts(result), std::vector<std::string>{"<>"});
}

TEST(printf, a_string_without_an_end_is_a_problem_and_prints_what_there_is) {
    KernelUnderTest test(with_arguments(8, "ld.param.u64 %d3, [out];\nst.local.u64 [%d20], %d3;\n") + "ret;",
                         ".param .u64 out", declared + text_variable("format_text", "<%s>"));
    test.geometry.block = {1, 1, 1};
    test.buffer<std::uint32_t>({0x64636261});
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::out_of_bounds);
    EXPECT_THAT(result.problems[0].message, HasSubstr("runs past the end"));
    EXPECT_EQ(texts(result), std::vector<std::string>{"<abcd>"});
}

TEST(printf, a_format_outside_of_all_memory_is_a_problem) {
    KernelUnderTest test("mov.u64 %d10, 64;\nmov.u64 %d11, 0;\n" + call_printf + "ret;", ".param .u64 out",
                         declared);
    test.geometry.block = {1, 1, 1};
    test.buffer(zeros(1));
    const RunResult result = test.run();
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_THAT(result.problems[0].message, HasSubstr("format at 0x40"));
}

TEST(assertion, names_condition_file_line_and_function_and_the_thread) {
    const auto address = [](const std::string& name, const std::string& to) {
        return "mov.u64 %d3, " + name + ";\ncvta.global.u64 %d3, %d3;\n.param .b64 " + to +
               ";\nst.param.b64 [" + to + "], %d3;\n";
    };
    KernelUnderTest test(
        "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra DONE;\n" + address("condition", "c") +
            address("file", "f") + address("function", "n") +
            ".param .b32 l;\nst.param.b32 [l], 12;\n.param .b64 size;\nst.param.b64 [size], 1;\n"
            "call.uni __assertfail, (c, f, l, n, size);\nDONE:\nret;",
        ".param .u64 out",
        declared + text_variable("condition", "i < 9") + text_variable("file", "mine.cu") +
            text_variable("function", "void k(int *)"));
    test.geometry.grid = {2, 1, 1};
    test.options.blocks = {1};
    test.buffer(zeros(1));
    const RunResult result = test.run();
    EXPECT_FALSE(result.completed);
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, ProblemKind::trap);
    EXPECT_EQ(result.problems[0].message, "assertion \"i < 9\" failed at mine.cu:12 in void k(int *)");
    EXPECT_EQ(result.problems[0].block, (Dim3{1, 0, 0}));
    EXPECT_EQ(result.problems[0].thread, (Dim3{9, 0, 0}));
    EXPECT_EQ(result.problems[0].count, 23u);
}

}  // namespace
}  // namespace warplens::simt
