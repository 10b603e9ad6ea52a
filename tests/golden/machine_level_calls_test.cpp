// Functions that CUDA provides (printf, malloc, free, assert), called by machine code of every generation:
// the machine level prints and finds what the PTX level does, and leaves the same bytes.
#ifdef WARPLENS_SASS

#include <gmock/gmock.h>

#include "app/pipeline/kernel_code.h"
#include "both_levels.h"
#include "sass/cubin.h"
#include "simt/functional/machine/machine.h"

namespace warplens::app {
namespace {

constexpr const char* gpus_of_calls[] = {"T4", "A100", "RTX 3090", "RTX 4090", "H200", "B200", "RTX 5090"};

/// Two blocks of 48 threads; `out` has 4 words for each.
std::string text_with_calls(const std::string& name, const std::string& before, const std::string& body) {
    return fmt::format(
        "/*\n[kernel]\ntitle = \"{0}\"\nsubject = \"Tests\"\nlesson = \"{0}\"\n\n[buffers]\n"
        "in = {{ type = \"i32\", length = \"96\", fill = \"random\", below = \"1000\", seed = \"3\" }}\n"
        "out = {{ type = \"i32\", length = \"384\", fill = \"zero\" }}\n\n[launch]\n"
        "arguments = [\"in\", \"out\"]\ngrid = [\"2\"]\nblock = [\"48\"]\n*/\n{1}"
        "extern \"C\" __global__ void {0}(const int* in, int* out) {{\n"
        "    const int t = blockIdx.x * blockDim.x + threadIdx.x;\n    int* d = out + 4 * t;\n{2}}}\n",
        name, before, body);
}

const std::string& printing_text() {
    static const std::string text = text_with_calls(
        "printing",
        "__device__ __noinline__ int show(const char* what, double x) { return printf(\"%s: %8.3f\\n\", "
        "what, "
        "x); }\n"
        "__device__ __noinline__ int digits(int n) {\n"
        "    if (n < 10) return printf(\"%d.\", n);\n    return digits(n / 10) + printf(\"%d,\", n % "
        "10);\n}\n",
        "    d[0] = printf(\"no arguments\\n\");\n"
        "    d[1] = printf(\"%d %5u|%-6x|%c %lld %g %e %s %p\\n\", t, in[t], in[t], 'a' + t % 26, 1ll << t % "
        "60,\n                  0.1 * t, 1e10f / (t + 1), t & 1 ? \"odd\" : \"even\", (void*)0x1234);\n"
        "    if (t % 3 == 0) d[2] = show(\"third\", t / 3.0);\n"
        "    else d[2] = show(t % 3 == 1 ? \"first\" : \"second\", in[t]);\n"
        "    if (in[t] % 2) d[3] = digits(in[t]);\n"
        "    for (int i = 0; i < t % 4; ++i) d[3] += printf(\"%*d%%\\n\", i + 2, i);\n");
    return text;
}

const std::string& lacking_text() {
    static const std::string text =
        text_with_calls("lacking", "", "    d[0] = printf(\"%d and %d\\n\", t);\n    d[1] = 7;\n");
    return text;
}

const std::string& allocating_text() {
    static const std::string text = text_with_calls(
        "allocating", "",
        "    int* p = (int*)malloc(4 * (t % 5 + 1));\n    for (int i = 0; i <= t % 5; ++i) p[i] = in[t] + "
        "i;\n"
        "    int sum = 0;\n    for (int i = 0; i <= t % 5; ++i) sum += p[i];\n    d[0] = sum;\n"
        "    if (t % 2) free(p);\n    int* q = new int[3]; q[2] = t; d[1] = q[2]; delete[] q;\n"
        "    if (t == 40) free(q);\n");
    return text;
}

const std::string& asserting_text() {
    static const std::string text = text_with_calls("asserting", "#include <cassert>\n",
                                                    "    d[0] = t;\n    assert(t < 70);\n    d[1] = t;\n");
    return text;
}

void expect_the_same_problems(const LevelRun& ptx, const LevelRun& machine) {
    ASSERT_EQ(machine.report->problems.size(), ptx.report->problems.size());
    for (std::size_t i = 0; i < ptx.report->problems.size(); ++i) {
        const Problem &expected = ptx.report->problems[i], &found = machine.report->problems[i];
        EXPECT_EQ(found.kind, expected.kind);
        EXPECT_EQ(found.message, expected.message);
        EXPECT_EQ(found.line, expected.line);
        EXPECT_EQ(found.block, expected.block);
        EXPECT_EQ(found.thread, expected.thread);
        EXPECT_EQ(found.count, expected.count);
    }
}

/// What the PTX level did on the last of the GPUs.
LevelRun expect_calls_agree(const std::string& name, const std::string& text) {
    const auto kernel = kernel_of(name, text);
    LevelRun last;
    for (const char* gpu : gpus_of_calls) {
        SCOPED_TRACE(name + " on " + gpu);
        const LevelRun machine = run_at(kernel, Level::machine, gpu);
        last = run_at(kernel, Level::ptx, gpu);
        EXPECT_TRUE(machine.report && last.report);
        if (!machine.report || !last.report) return {};
        EXPECT_EQ(machine.report->level, Level::machine);
        for (const analysis::UnsupportedForm& form : *machine.report->unsupported)
            ADD_FAILURE() << form.form << " is not executed: " << form.reason;
        EXPECT_TRUE(executes(machine, "CALL.ABS.NOINC"));
        expect_the_same_problems(last, machine);
        expect_the_same_printed(last, machine);
        expect_the_same_bytes(last, machine);
    }
    return last;
}

TEST(machine_level_calls, print_what_the_ptx_level_prints) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: the kernel has no shipped code";
    const LevelRun run = expect_calls_agree("printing", printing_text());
    ASSERT_TRUE(run.report);
    EXPECT_GT(run.report->printed->calls.size(), 400u);
    EXPECT_TRUE(run.report->problems.empty());
}

TEST(machine_level_calls, find_a_conversion_without_its_argument) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: the kernel has no shipped code";
    const LevelRun run = expect_calls_agree("lacking", lacking_text());
    ASSERT_TRUE(run.report);
    ASSERT_EQ(run.report->problems.size(), 1u);
    EXPECT_EQ(run.report->problems[0].kind, ProblemKind::uninitialised_read);
}

TEST(machine_level_calls, allocate_and_free) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: the kernel has no shipped code";
    const LevelRun run = expect_calls_agree("allocating", allocating_text());
    ASSERT_TRUE(run.report);
    ASSERT_EQ(run.report->problems.size(), 1u) << "the second free";
    EXPECT_THAT(run.report->problems[0].message, testing::HasSubstr("already freed"));
}

TEST(machine_level_calls, end_the_run_at_a_failed_assertion) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: the kernel has no shipped code";
    const LevelRun run = expect_calls_agree("asserting", asserting_text());
    ASSERT_TRUE(run.report);
    ASSERT_EQ(run.report->problems.size(), 1u);
    EXPECT_THAT(run.report->problems[0].message, testing::HasSubstr("t < 70"));
}

TEST(machine_level_calls, of_an_unknown_function_are_refused_with_its_name) {
    if (!can_compile()) GTEST_SKIP() << "needs NVRTC: the kernel has no shipped code";
    LaunchRequest request{kernel_of("lacking", lacking_text()), {}, "", {}};
    request.level = Level::machine;
    const auto loaded = levels_pipeline().load(request);
    ASSERT_TRUE(loaded) << loaded.error().message;
    std::string bytes = loaded->built->cubin;
    const std::string known("\0vprintf\0", 9), unknown("\0aprintf\0", 9);
    for (std::size_t at = 0; (at = bytes.find(known, at)) != std::string::npos;)
        bytes.replace(at, known.size(), unknown);
    const auto cubin = sass::read_cubin(bytes);
    ASSERT_TRUE(cubin) << cubin.error().message;
    ASSERT_EQ(cubin->bank_externals.size(), 1u);
    EXPECT_EQ(cubin->bank_externals[0].name, "aprintf");
    const auto kernel = simt::load_machine_code(*cubin, "lacking");
    ASSERT_TRUE(kernel) << kernel.error().message;
    ASSERT_EQ((*kernel)->unsupported().size(), 1u);
    EXPECT_EQ((*kernel)->unsupported()[0].spelling, "CALL.ABS.NOINC");
    EXPECT_THAT((*kernel)->unsupported()[0].reason, testing::HasSubstr("it may call aprintf"));
}

}  // namespace
}  // namespace warplens::app

#endif
