// Changes of a user's own source and launch that were tried: barriers that are missing in several places or
// needless, blocks of another size, and that equal zeros are not equal results.
#include <gmock/gmock.h>

#include "app/pipeline/advice/barrier_fix.h"
#include "app/pipeline/advice/index_pad_proposal.h"
#include "app/pipeline/advice/literal_proposal.h"
#include "app/pipeline/advice/restrict_proposal.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/block_sample.h"
#include "app/pipeline/telling_contents.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;

TEST(source_edits, keep_the_numbers_of_the_unchanged_lines) {
    using enum Edit::Kind;
    const std::vector<Edit> edits{{insert, 2, "__syncthreads();"}, {replace, 3, "c2"}, {remove, 4, "d"}};
    EXPECT_EQ(with_edits("  a\nb\nc\nd\ne", edits), "  a\n  __syncthreads();\nb\nc2\n\ne");
    EXPECT_EQ(line_before(edits, 1), 1u);
    EXPECT_EQ(line_before(edits, 2), 2u) << "the inserted one";
    EXPECT_EQ(line_before(edits, 3), 2u);
    EXPECT_EQ(line_before(edits, 6), 5u);
}

TEST(advice_title, names_all_lines_of_an_edit) {
    using enum Edit::Kind;
    const std::string barrier = "__syncthreads();";
    EXPECT_EQ(title_of({"", "", {{insert, 6, barrier}, {insert, 9, barrier}}, ""}),
              "before lines 6 and 9: `__syncthreads();`");
    EXPECT_EQ(title_of({"", "", {{remove, 6, barrier}, {remove, 8, barrier}, {remove, 11, barrier}}, ""}),
              "lines 6, 8 and 11: no `__syncthreads();`");
}

TEST(restrict_edits, change_only_the_pointers_that_lack_it) {
    const std::string source =
        "__global__ void k(const float* in, int n);\n"
        "template <int N>\n"
        "__global__ void __launch_bounds__(256) k(const float* in, float *out,\n"
        "                  const int* __restrict__ order, float* const fixed, void (*f)(int*), int n) {\n"
        "    other(out, n);\n}\n";
    const auto edits = restrict_edits(source, "k");
    ASSERT_EQ(edits.size(), 1u);
    EXPECT_EQ(edits[0].line, 3u);
    EXPECT_EQ(
        edits[0].code,
        "__global__ void __launch_bounds__(256) k(const float* __restrict__ in, float *__restrict__ out,");
    EXPECT_THAT(restrict_edits(source, "other"), IsEmpty());
    EXPECT_THAT(restrict_edits("__global__ void k(float* a, int n) {}", "k"), IsEmpty()) << "one pointer";
    EXPECT_THAT(restrict_edits("void k(float* a, float* b) {}", "k"), IsEmpty()) << "no kernel";
    EXPECT_THAT(restrict_edits("__global__ void k(float* a, float* b);", "k"), IsEmpty()) << "no definition";
    EXPECT_THAT(restrict_edits("__global__ void k(float*, float*", "k"), IsEmpty()) << "no end";
}

/// Each sum is in memory between two additions, unless the compiler knows that no store changes `in`.
const char* const sums_in_memory =
    "extern \"C\" __global__ void k(float* out, const float* in) {\n    for (int i = 0; i < 64; ++i)\n"
    "        out[threadIdx.x] += in[(i * 37 + threadIdx.x) % 256];\n}\n";

TEST(advice, restrict_is_offered_where_it_lets_loads_run_together) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(of_one_block(sums_in_memory));
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_THAT(title_of(advice.helpful.front().change),
                HasSubstr("k(float* __restrict__ out, const float* __restrict__ in)"));
    EXPECT_THAT(advice_text(advice), HasSubstr("right where none of these arrays overlap"));
    EXPECT_LT(advice.helpful.front().after.cycles, advice.now.cycles * 0.8);
}

TEST(advice, restrict_is_not_offered_for_one_array_that_is_passed_twice) {
    WARPLENS_NEEDS_A_COMPILER();
    auto kernel = std::make_shared<instrumentation::KernelFile>(*of_one_block(sums_in_memory));
    kernel->arguments = {"out", "out"};
    EXPECT_THAT(advice_text(advice_for(kernel)), Not(HasSubstr("__restrict__")));
}

TEST(literal_edits, change_only_literals_of_double_precision_on_the_lines) {
    const std::string source =
        "float a = 0.5 * x + 1e-3 - 2. + 3 * 0x1e + 4.0f;\n"
        "float b = 0.5 * x;\n"
        "  double c = 0.5 * x;\n"
        "  y = 1.5E+2 * x;  // 0.5\n";
    const auto edits = literal_edits(source, {1, 3, 4});
    ASSERT_EQ(edits.size(), 2u);
    EXPECT_EQ(edits[0].code, "float a = 0.5f * x + 1e-3f - 2.f + 3 * 0x1e + 4.0f;");
    EXPECT_EQ(edits[1].line, 4u);
    EXPECT_EQ(edits[1].code, "y = 1.5E+2f * x;  // 0.5");
}

TEST(advice, literals_of_double_precision_are_offered_to_go_where_that_saves_time) {
    WARPLENS_NEEDS_A_COMPILER();
    const auto kernel = [](const std::string& suffix) {
        return with_knob("",
                         "    for (int i = threadIdx.y * 32 + x; i < 1024; i += 1024) {\n"
                         "        float v = in[base + i];\n"
                         "        for (int k = 0; k < 8; ++k) v = v * 0.75" +
                             suffix + " + 0.1" + suffix +
                             ";\n        out[base + i] = v;\n    }\n    (void)y;\n");
    };
    const auto on = [](const Kernel& of) {
        return advise(pipeline(), timing_model(), {of, {}, "RTX 4090"}, patient, {});
    };
    const Advice advice = on(kernel(""));
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_THAT(title_of(advice.helpful.front().change), HasSubstr("v = v * 0.75f + 0.1f;"));
    EXPECT_THAT(advice_text(advice), HasSubstr("rounded to single precision"));
    EXPECT_LT(advice.helpful.front().after.cycles, advice.now.cycles * 0.9);
    EXPECT_THAT(advice_text(on(kernel("f"))), Not(HasSubstr("single precision")));
}

TEST(missing_barriers, of_a_loop_whose_next_iteration_races_are_placed_where_they_run_least_often) {
    const std::string source =
        "__global__ void k() {\n"                                   // 1
        "  for (int tile = 0; tile < 8; ++tile) {\n"                // 2
        "    for (int i = threadIdx.x; i < 64; i += 8) {\n"         // 3
        "      s[i] = in[i];\n"                                     // 4
        "    }\n    __syncthreads();\n"                             // 5, 6
        "    for (int j = 0; j < 64; ++j) {\n      sum += s[j];\n"  // 7, 8
        "    }\n  }\n}\n";
    Problem race;
    race.kind = ProblemKind::shared_race;
    race.reach = Reach::block;
    race.file = "k.cu";
    race.line = 4;
    race.other = OtherParty{};
    race.other->file = "k.cu";
    race.other->line = 8;
    std::size_t runs = 0;
    const TryEdits run = [&](const std::vector<Edit>& edits) -> std::optional<Findings> {
        ++runs;
        const auto line = edits.at(0).line;  // in the outer loop, but not between the two
        const bool orders = (line >= 3 && line <= 5) || (line >= 8 && line <= 10);
        return orders ? Findings{} : Findings{{race}, 0};
    };
    const std::vector<Edit> edits = missing_barriers("/a/k.cu", source, {{race}, 0}, run);
    ASSERT_EQ(edits.size(), 1u);
    EXPECT_EQ(edits[0].line, 10u) << "after the loop that reads, before the next tile";
    EXPECT_LE(runs, 6u);
}

TEST(padded_indexes, are_those_of_arrays_that_are_used_element_by_element) {
    const auto padded = [](const std::string& body) {
        const std::string source = "__global__ void k(int n) {\n" + body + "\n}\n";
        return with_edits(source, padded_indexes(source, "k", {3}).edits) == source
                   ? std::string()
                   : with_edits(source, padded_indexes(source, "k", {3}).edits);
    };
    EXPECT_THAT(
        padded("__shared__ float t[2 * B];\nt[2 * n + 1] += t[n];"),
        HasSubstr("float t[(2 * B) + ((2 * B) >> 5)];\nt[(2 * n + 1) + ((2 * n + 1) >> 5)] += t[(n) + "
                  "((n) >> 5)];"));
    EXPECT_EQ(padded("__shared__ float t[64];\nf(t); t[n] = 1;"), "") << "it is passed on";
    EXPECT_EQ(padded("__shared__ float t[64];\nt[n++] = 1;"), "") << "its index would change twice";
    EXPECT_EQ(padded("__shared__ int t[64];\nt[t[n]] = 1;"), "") << "an index that is read from it";
    EXPECT_EQ(padded("__shared__ float t[8][8];\nt[n][n] = 1;"), "") << "rows have a pad of their own";
    EXPECT_EQ(padded("extern __shared__ float t[];\nt[n] = 1;"), "") << "the host says how long it is";
    EXPECT_EQ(padded("__shared__ float t[64];\n\n\nt[n] = 1;"), "") << "on no line that wastes anything";
}

TEST(padded_indexes, of_dynamic_shared_memory_change_each_launch) {
    const std::string kernel = "__global__ void k(int n) {\nextern __shared__ float t[];\nt[n] = 1;\n}\n";
    const auto padded = [&](const std::string& host) {
        return with_edits(kernel + host, padded_indexes(kernel + host, "k", {3}).edits);
    };
    EXPECT_THAT(padded("void run() {\n k<<<g(1, 2), 32, 4 * size>>>(7);\n}\n"),
                AllOf(HasSubstr("float t[];\nt[(n) + ((n) >> 5)] = 1;"),
                      HasSubstr("k<<<g(1, 2), 32, (4 * size) + ((4 * size) >> 5)>>>(7);")));
    const std::string without = "void run() {\n k<<<1, 32, 64>>>(7);\n k<<<1, 32>>>(7);\n}\n";
    EXPECT_EQ(padded(without), kernel + without) << "a launch that gives no bytes";
}

TEST(advice, a_pad_of_an_index_is_measured_and_its_limit_no_longer_promised) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(
        of_one_block("extern \"C\" __global__ void k(float* out, const float* in) {\n"
                     "    __shared__ float s[256];\n    const int t = threadIdx.x;\n    s[t] = in[t];\n"
                     "    for (int d = 1; d < 128; d *= 2) {\n        __syncthreads();\n"
                     "        if (t * 2 * d < 256) s[t * 2 * d] += s[t * 2 * d + d];\n    }\n"
                     "    __syncthreads();\n    out[t] = s[0];\n}\n"));
    const std::string text = advice_text(advice);
    EXPECT_THAT(text, AnyOf(HasSubstr(">> 5)"), HasSubstr("a word left free after each 32 of `s`")));
    EXPECT_THAT(text, Not(HasSubstr("change the layout in shared memory")));
}

TEST(literal_edits, of_a_function_stand_where_a_line_calls_it) {
    const std::string source =
        "__device__ float g(float x) {\n  return x * 0.5;\n}\n"
        "__device__ float f(float x) {\n  return g(x) + 1.0;\n}\n"
        "__device__ float h(float x) {\n  return x + 2.0;\n}\n"
        "__global__ void k(float* a) {\n  a[0] = f(a[0]);\n}\n";
    EXPECT_EQ(with_called_functions(source, {11}), (std::set<std::uint32_t>{1, 2, 3, 4, 5, 6, 11}));
    EXPECT_EQ(with_called_functions(source, {8}), (std::set<std::uint32_t>{8}));
}

TEST(advice, barriers_that_are_missing_in_two_places_are_offered_together) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(
        of_one_block("extern \"C\" __global__ void k(float* out, const float* in) {\n    __shared__ float "
                     "s[256], r[256];\n"
                     "    s[threadIdx.x] = in[threadIdx.x];\n    r[threadIdx.x] = s[255 - threadIdx.x];\n"
                     "    out[threadIdx.x] = r[(threadIdx.x + 77) % 256];\n}\n"));
    EXPECT_THAT(offered(advice), ElementsAre("before lines 15 and 16: `__syncthreads();`"))
        << advice_text(advice);
}

TEST(advice, needless_barriers_are_offered_to_go_where_that_saves_time) {
    WARPLENS_NEEDS_A_COMPILER();
    const std::string loop =
        "    for (int k = 0; k < 64; ++k) {\n        v = v * 0.5f + s[threadIdx.x];\n"
        "        __syncthreads();\n    }\n";
    const std::string begin =
        "extern \"C\" __global__ void k(float* out, const float* in) {\n    __shared__ float s[256];\n"
        "    s[threadIdx.x] = in[threadIdx.x];\n    __syncthreads();\n    float v = s[255 - threadIdx.x];\n";
    const Advice advice = advice_for(of_one_block(begin + loop + "    out[threadIdx.x] = v;\n}\n"));
    ASSERT_THAT(offered(advice), ElementsAre("line 19: no `__syncthreads();`")) << "the first one is needed\n"
                                                                                << advice_text(advice);
    EXPECT_THAT(advice.helpful[0].effect_words(), HasSubstr("no race without it in this launch, −"));
}

TEST(advice, a_pad_that_only_splits_merged_accesses_is_not_offered) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(
        of_one_block("extern \"C\" __global__ void k(float* out, const float* in) {\n"
                     "    __shared__ float s[256][4];\n    const int t = threadIdx.x;\n"
                     "    for (int k = 0; k < 4; ++k) s[t][k] = in[(t + k) % 256];\n    __syncthreads();\n"
                     "    float sum = 0;\n    for (int k = 0; k < 4; ++k) sum += s[255 - t][k];\n"
                     "    out[t] = sum;\n}\n"));
    if (advice.level != Level::machine) GTEST_SKIP() << "what was merged is known from machine code only";
    EXPECT_THAT(advice_text(advice), Not(HasSubstr("wavefronts")))
        << "four 4-way conflicts of the PTX are one access of 16 bytes without a conflict";
}

/// As a program without any contents leaves it: every buffer holds 0.
Kernel of_zeros(const std::string& grid, const std::string& block, const std::string& code,
                const std::string& results = "512000") {
    return written(
        "/*\n[kernel]\nentry = \"k\"\n[buffers]\nin = { type = \"f32\", length = \"512000\" }\n"
        "out = { type = \"f32\", length = \"" +
        results +
        "\" }\n[launch]\narguments = [\"out\", \"in\"]\n"
        "grid = [\"" +
        grid + "\"]\nblock = [\"" + block + "\"]\n*/\n" + code);
}

TEST(advice, a_launch_that_computes_something_else_is_not_offered_because_all_is_zero) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(of_zeros(
        "4000", "128",
        "extern \"C\" __global__ void k(float* out, const float* in) {\n    __shared__ float s[12000];\n"
        "    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n    s[t] = in[i];\n"
        "    __syncthreads();\n    float sum = 0;\n    for (int k = 0; k < 16; ++k) sum += s[(t + k) % "
        "128];\n"
        "    out[i] = sum;\n}\n"));
    EXPECT_THAT(offered(advice), Not(Contains(HasSubstr("Launch with"))))
        << "its blocks sum 128 neighbours each";
}

TEST(advice, smaller_blocks_are_offered_where_the_last_wave_is_nearly_empty) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(
        of_zeros("265", "1024",
                 "extern \"C\" __global__ void k(float* out, const float* in) {\n"
                 "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float v = in[i];\n"
                 "    for (int k = 0; k < 400; ++k) v = v * 1.0001f + 0.5f;\n    out[i] = v;\n}\n"));
    EXPECT_THAT(advice_text(advice), AnyOf(HasSubstr("Launch with block 512 instead of 1024, grid 530: −"),
                                           HasSubstr("Launch with block 256 instead of 1024, grid 1060: −")))
        << "only a sample of its blocks is compared";
}

TEST(advice, atomics_cost_as_much_in_blocks_of_any_size) {
    WARPLENS_NEEDS_A_COMPILER();
    const auto time_of = [](const char* grid, const char* block) {
        return advice_for(of_zeros(grid, block,
                                   "extern \"C\" __global__ void k(float* out, const float* in) {\n"
                                   "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                   "    atomicAdd(&out[i % 1024], in[i]);\n}\n",
                                   "1024"))
            .now.cycles;
    };
    const double blocks_of_256 = time_of("1024", "256"), blocks_of_128 = time_of("2048", "128");
    EXPECT_GT(blocks_of_256, 0);
    EXPECT_NEAR(blocks_of_128 / blocks_of_256, 1, 0.05)
        << "other SMs' atomics to the rest of a KiB count as well";
}

TEST(telling_contents, change_only_what_holds_one_value) {
    instrumentation::KernelFile kernel;
    kernel.buffers = {{"in", "f32", "8", "zero", "", ""},
                      {"at", "i32", "8", "iota", "", ""},
                      {"count", "i32", "8", "zero", "", ""}};
    const auto kernels = with_telling_contents(kernel);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].buffers[0].fill, "zero") << "its own contents go first";
    EXPECT_EQ(kernels[1].buffers[0].fill, "random");
    EXPECT_EQ(kernels[1].buffers[1].fill, "iota");
    EXPECT_EQ(kernels[1].buffers[2].fill, "zero") << "it may be an index";
    kernel.buffers.erase(kernel.buffers.begin() + 1);
    const auto without_others = with_telling_contents(kernel);
    ASSERT_EQ(without_others.size(), 4u) << "no other buffer varies: integers, large ones and flags";
    EXPECT_EQ(without_others[2].buffers[1].fill_argument, "30000");
    EXPECT_EQ(without_others[3].buffers[1].fill_argument, "2");
}

}  // namespace
}  // namespace warplens::app
