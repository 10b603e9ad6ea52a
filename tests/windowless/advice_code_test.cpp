// Other code for a kernel that computes the same: where each kind of change is proposed, that only those that
// help are offered, and what became of the others.
#include <gmock/gmock.h>

#include "app/pipeline/advice/launch_bounds_proposal.h"
#include "app/pipeline/advice/power_of_two_proposal.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/advice/swapped_lanes_proposal.h"
#include "app/pipeline/advice/unroll_proposal.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(loops_of, are_the_innermost_that_a_pragma_can_stand_before) {
    const std::string source =
        "__global__ void k(int n) {\n"             // 1
        "    for (int i = 0; i < n; ++i) {\n"      // 2
        "        a(i);\n"                          // 3
        "        while (b[i] > 0)\n"               // 4
        "            c(i);\n"                      // 5
        "    }\n"                                  // 6
        "    do {\n"                               // 7
        "        d();\n"                           // 8
        "    } while (e());\n"                     // 9
        "    #pragma unroll\n"                     // 10
        "    for (int i = 0; i < 4; ++i) f(i);\n"  // 11
        "    if (n) for (;;) { g(); }\n"           // 12
        "    h();\n"                               // 13
        "}\n"
        "void other() {\n"         // 15
        "    for (;;) i();\n}\n";  // 16
    EXPECT_THAT(loops_of(source, "k", {5, 3, 4}), ElementsAre(4, 2));
    EXPECT_THAT(loops_of(source, "k", {8, 11, 12, 13, 16}), IsEmpty());
    EXPECT_THAT(loops_of("__global__ void k() {\n for (", "k", {2}), IsEmpty()) << "no end";
    EXPECT_THAT(loops_of("__global__ void k() {\n for (;;) }", "k", {2}), IsEmpty()) << "no statement";
}

TEST(masked_remainders, take_whole_operands_and_group_them_by_divisor) {
    const std::string source =
        "__global__ void k(int n, int w) {\n"
        "    if (threadIdx.x % (2 * s) == 0) a[i] = 1;\n"
        "    int x = (i + 1) % w, y = b[i].c(2) % w;\n"
        "    int z = i % 4 + f(i) % n + i * j % w + -i % w;\n}\n";
    const auto found = masked_remainders(source, "k");
    ASSERT_THAT(found, SizeIs(2)) << "of a number the compiler knows more; a product and a sign stay";
    EXPECT_EQ(found[0].divisor, "(2 * s)");
    ASSERT_THAT(found[0].edits, SizeIs(1));
    EXPECT_EQ(found[0].edits[0].code, "if ((threadIdx.x & ((2 * s) - 1)) == 0) a[i] = 1;");
    EXPECT_EQ(found[1].divisor, "w");
    ASSERT_THAT(found[1].edits, SizeIs(1));
    EXPECT_EQ(found[1].edits[0].code, "int x = ((i + 1) & (w - 1)), y = (b[i].c(2) & (w - 1));");
    const auto sum =
        masked_remainders("__global__ void k(int p) {\n    s += (i + 2) % p;\n    a[i] = s;\n}\n", "k");
    ASSERT_THAT(sum, SizeIs(1));
    EXPECT_EQ(sum[0].edits[0].code, "s += ((i + 2) & (p - 1));");
    const auto last = masked_remainders("__global__ void k(int p) {\n    a[i] = i % p;\n}\n", "k");
    ASSERT_THAT(last, SizeIs(1)) << "the operand ends where the last statement does";
    EXPECT_EQ(last[0].edits[0].code, "a[i] = (i & (p - 1));");
    EXPECT_THAT(masked_remainders("__global__ void k(int p) { a = i % p. }", "k"), IsEmpty());
    EXPECT_THAT(masked_remainders("__global__ void k() { % % a[ % ) % ; }", "k"), IsEmpty());
}

TEST(launch_bounds_edits, stand_before_the_name) {
    const auto edits =
        launch_bounds_edits("template <int N>\n__global__ void\nk(float* a) {\n}\n", "k", 256, 3);
    ASSERT_THAT(edits, SizeIs(1));
    EXPECT_EQ(edits[0].line, 3u);
    EXPECT_EQ(edits[0].code, "__launch_bounds__(256, 3) k(float* a) {");
    EXPECT_THAT(launch_bounds_edits("__global__ void __launch_bounds__(64) k() {}", "k", 64, 9), IsEmpty());
}

TEST(swapped_lanes_edits, exchange_both_in_the_kernel_only) {
    const std::string source =
        "__device__ int f() { return threadIdx.x; }\n"
        "__global__ void k(float* a) {\n  int x = threadIdx.x, y = threadIdx . y, z = threadIdx.z;\n}\n"
        "__global__ void only(float* a) {\n  a[threadIdx.x] = 1;\n}\n";
    const auto edits = swapped_lanes_edits(source, "k");
    ASSERT_THAT(edits, SizeIs(1));
    EXPECT_EQ(edits[0].line, 3u);
    EXPECT_EQ(edits[0].code, "int x = threadIdx.y, y = threadIdx . x, z = threadIdx.z;");
    EXPECT_THAT(swapped_lanes_edits(source, "only"), IsEmpty());
}

TEST(advice, exchanged_lanes_are_offered_where_each_lane_reads_another_row) {
    WARPLENS_NEEDS_A_COMPILER();
    const std::string body =
        "    float sum = 0;\n    for (int i = 0; i < 32; ++i) sum += in[base + ROW * 32 + i];\n"
        "    out[base + ROW * 32 + COLUMN] = sum + COLUMN;\n";
    const auto with = [&](const std::string& row, const std::string& column) {
        return advice_for(with_knob("", "#define ROW " + row + "\n#define COLUMN " + column + "\n" + body));
    };
    const Advice advice = with("x", "y");
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_EQ(name_of(advice.helpful.front().change), "`threadIdx.x` and `threadIdx.y` exchanged");
    EXPECT_LT(advice.helpful.front().after.cycles, advice.now.cycles * 0.6);
    EXPECT_THAT(advice_text(with("y", "x")), Not(HasSubstr("threadIdx.y,"))) << "it is so already";
}

TEST(advice, a_remainder_by_a_power_of_two_that_the_compiler_does_not_know_is_masked) {
    WARPLENS_NEEDS_A_COMPILER();
    const auto kernel = [](const std::string& last) {
        return of_one_block(
            "extern \"C\" __global__ void k(float* out, const float* in) {\n"
            "    float sum = 0;\n    for (unsigned s = 1; s < " +
            last +
            "; s *= 2)\n"
            "        if (threadIdx.x % s == 0) sum += in[threadIdx.x / 2];\n"
            "    out[threadIdx.x] = sum;\n}\n");
    };
    const Advice advice = advice_for(kernel("gridDim.x * 4096"));
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_EQ(name_of(advice.helpful.front().change), "`&` instead of `% s`");
    EXPECT_THAT(advice.helpful.front().effect_words(),
                HasSubstr("right where s is a power of two and nothing is negative"));
    EXPECT_LT(advice.helpful.front().after.cycles, advice.now.cycles * 0.95);
}

TEST(advice, a_remainder_by_no_power_of_two_is_tried_and_refused) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice =
        advice_for(of_one_block("extern \"C\" __global__ void k(float* out, const float* in) {\n"
                                "    float sum = 0;\n    for (unsigned s = gridDim.x * 3; s < 300; s += 3)\n"
                                "        if (threadIdx.x % s == 0) sum += in[threadIdx.x];\n"
                                "    out[threadIdx.x] = sum;\n}\n"));
    EXPECT_THAT(vain_lines(advice), Contains("`&` instead of `% s`: other results")) << advice_text(advice);
    EXPECT_THAT(offered(advice), Not(Contains(HasSubstr("&"))));
}

TEST(advice, loops_are_unrolled_where_loads_then_run_together) {
    WARPLENS_NEEDS_A_COMPILER();
    // Loads through an index that is loaded: the compiler leaves a loop with an unknown end alone when asked.
    const auto kernel = [](const std::string& pragma) {
        return of_one_block(
            "extern \"C\" __global__ void k(float* __restrict__ out, const float* __restrict__ "
            "in) {\n    float sum = 0;\n" +
            pragma +
            "    for (int i = 0; i < gridDim.x * 64; ++i) {\n"
            "        const int at = (int)in[(i * 31 + threadIdx.x) & 255];\n"
            "        if (at & 1) continue;\n"
            "        sum += in[at & 255];\n    }\n    out[threadIdx.x] = sum;\n}\n");
    };
    const Advice advice = advice_for(kernel(""));
    const std::string text = advice_text(advice);
    EXPECT_THAT(text, HasSubstr("#pragma unroll 4")) << "tried";
    EXPECT_THAT(advice_text(advice_for(kernel("#pragma unroll 1\n"))), Not(HasSubstr("#pragma unroll 4")));
}

TEST(advice, says_what_became_of_bounds_that_spill) {
    WARPLENS_NEEDS_A_COMPILER();
    auto kernel = std::make_shared<instrumentation::KernelFile>(*of_one_block(
        "extern \"C\" __global__ void k(float* __restrict__ out, const float* __restrict__ in) {\n"
        "    float a[72];\n    for (int j = 0; j < 72; ++j) a[j] = in[(threadIdx.x + j) % 256];\n"
        "    for (int i = 0; i < 16; ++i) {\n        const float v = in[i];\n"
        "        #pragma unroll\n"
        "        for (int j = 0; j < 72; ++j) a[j] = fmaf(v, a[(j + 1) % 72], v);\n    }\n"
        "    float s = 0;\n    for (int j = 0; j < 72; ++j) s += a[j];\n    out[threadIdx.x] = s;\n}\n"));
    kernel->grid = {"264"};
    const Advice advice = advice_for(kernel);
    EXPECT_THAT(vain_lines(advice), Contains(AllOf(HasSubstr("__launch_bounds__(256, "), HasSubstr("+"))))
        << advice_text(advice);
}

}  // namespace
}  // namespace warplens::app
