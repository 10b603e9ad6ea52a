// Rewrites of a kernel in several lines: that each keeps what the kernel computes and saves time where it is
// for, its exact lines, and the kernels whose text it must leave alone.
#include <gmock/gmock.h>

#include "app/pipeline/advice/reduction_proposal.h"
#include "app/pipeline/advice/row_warp_proposal.h"
#include "app/pipeline/advice/shared_counters_proposal.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/advice/structure_lines.h"
#include "app/pipeline/advice/transposed_tile_proposal.h"
#include "app/pipeline/advice/vector_proposal.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string reduced(const std::string& source, bool by_shuffles = true) {
    return with_edits(source, reduction_edits(source, "k", by_shuffles));
}

/// A kernel over `a` in shared memory, with the loop and what follows it.
std::string with_loop(const std::string& loop,
                      const std::string& after = "    if (t == 0) out[0] = a[0];\n") {
    return "__global__ void k(float* out, const float* in, int n) {\n    __shared__ float a[256];\n"
           "    int t = threadIdx.x;\n    a[t] = in[t];\n    __syncthreads();\n" +
           loop + after + "}\n";
}

TEST(reduction_edits, end_in_one_warp) {
    EXPECT_THAT(reduced(with_loop("    for (int s = blockDim.x / 2; s > 0; s >>= 1) {\n"
                                  "        if (t < s) a[t] += a[t + s];\n        __syncthreads();\n    }\n")),
                HasSubstr("    for (int s = blockDim.x / 2; s > 32; s >>= 1) {\n"
                          "        if (t < s) a[t] += a[t + s];\n        __syncthreads();\n    }\n"
                          "    if (t < 32) {\n        auto sum = a[t];\n        sum += a[t + 32];\n"
                          "        for (int offset = 16; offset > 0; offset /= 2)\n"
                          "            sum += __shfl_down_sync(0xffffffff, sum, offset);\n"
                          "        if (t == 0) a[0] = sum;\n    }\n    if (t == 0) out[0] = a[0];\n"));
}

TEST(reduction_edits, read_other_forms) {
    // Barrier first, a `while`, a choice in place of a sum, two arrays.
    EXPECT_THAT(
        reduced(with_loop("    for (unsigned int s = 128; s >= 1; s /= 2) {\n        __syncthreads();\n"
                          "        if (t < s) { a[t] = fmaxf(a[t], a[t + s]); }\n    }\n")),
        AllOf(HasSubstr("s > 32; s /= 2"), HasSubstr("    }\n    __syncthreads();\n    if (t < 32) {"),
              HasSubstr("value = fmaxf(value, __shfl_down_sync(0xffffffff, value, offset));")));
    EXPECT_THAT(reduced(with_loop("    int s = blockDim.x / 2;\n    while (s != 0) {\n"
                                  "        if (t < s) a[t] = a[t] + a[s + t];\n        __syncthreads();\n"
                                  "        s /= 2;\n    }\n")),
                AllOf(HasSubstr("while (s > 32) {"), HasSubstr("value = value + a[t + 32];")));
    EXPECT_THAT(reduced(with_loop("    for (int s = 128; s > 0; s >>= 1) {\n        if (t < s) {\n"
                                  "            if (a[t + s] > a[t]) { a[t] = a[t + s]; b[t] = b[t + s]; }\n"
                                  "        }\n        __syncthreads();\n    }\n")),
                AllOf(HasSubstr("const auto a_other = __shfl_down_sync(0xffffffff, a_value, offset);"),
                      HasSubstr("if (a_other > a_value) { a_value = a_other; b_value = b_other; }"),
                      HasSubstr("if (t == 0) { a[0] = a_value; b[0] = b_value; }")));
}

TEST(reduction_edits, wait_where_other_threads_read_the_result) {
    const std::string loop =
        "    for (int s = 128; s > 0; s >>= 1) {\n        if (t < s) a[t] += a[t + s];\n"
        "        __syncthreads();\n    }\n";
    EXPECT_THAT(reduced(with_loop(loop, "    out[t] = in[t] / a[0];\n")),
                HasSubstr("    }\n    __syncthreads();\n    out[t] ="));
    EXPECT_THAT(reduced(with_loop(loop, "    if (t == 0) out[0] = a[0];\n    a[t] = 1;\n")),
                HasSubstr("    }\n    __syncthreads();\n    if (t == 0)"));
}

TEST(reduction_edits, put_halves_first) {
    const std::string neighbours = with_loop(
        "    for (int s = 1; s < blockDim.x; s *= 2) {\n        if (t % (2 * s) == 0) a[t] += a[t + s];\n"
        "        __syncthreads();\n    }\n");
    EXPECT_THAT(reduced(neighbours, false), HasSubstr("    for (int s = blockDim.x / 2; s > 0; s >>= 1) {\n"
                                                      "        if (t < s) a[t] += a[t + s];\n"));
    EXPECT_THAT(reduced(neighbours), HasSubstr("for (int s = blockDim.x / 2; s > 32; s >>= 1) {"));
    const std::string spread = with_loop(
        "    for (int s = 1; s < blockDim.x; s *= 2) {\n        int i = 2 * s * t;\n"
        "        if (i < blockDim.x) a[i] += a[i + s];\n        __syncthreads();\n    }\n");
    EXPECT_THAT(reduced(spread, false),
                AllOf(HasSubstr("        if (t < s) a[t] += a[t + s];\n"), Not(HasSubstr("2 * s * t"))));
}

TEST(reduction_edits, leave_other_loops_alone) {
    for (const char* loop :
         {// A length that is given need be no power of two.
          "    for (int s = n / 2; s > 0; s >>= 1) {\n        if (t < s) a[t] += a[t + s];\n"
          "        __syncthreads();\n    }\n",
          // It reads another element.
          "    for (int s = 128; s > 0; s >>= 1) {\n        if (t < s) a[t] += a[t + s + 1];\n"
          "        __syncthreads();\n    }\n",
          // It has no barrier.
          "    for (int s = 128; s > 0; s >>= 1) {\n        if (t < s) a[t] += a[t + s];\n    }\n",
          // It does more.
          "    for (int s = 128; s > 0; s >>= 1) {\n        if (t < s) a[t] += a[t + s];\n"
          "        __syncthreads();\n        out[s] = 1;\n    }\n",
          // It ends earlier already.
          "    for (int s = 128; s > 32; s >>= 1) {\n        if (t < s) a[t] += a[t + s];\n"
          "        __syncthreads();\n    }\n",
          // Global memory.
          "    for (int s = 128; s > 0; s >>= 1) {\n        if (t < s) out[t] += out[t + s];\n"
          "        __syncthreads();\n    }\n",
          "    for (int s = 128; s > 0; s >>= 1) {\n        if (t < s"})
        EXPECT_THAT(reduction_edits(with_loop(loop), "k", true), IsEmpty()) << loop;
}

TEST(shared_counters_edits, count_in_the_block_first) {
    const std::string source =
        "#define BINS 64\n__global__ void k(const int* in, unsigned int* bins, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
        "    atomicAdd(&bins[in[i]], 1);\n}\n";
    const auto counters = global_counters(source, "k");
    ASSERT_EQ(counters.size(), 1u);
    EXPECT_EQ(counters[0].parameter, 1u);
    EXPECT_EQ(with_edits(source, shared_counters_edits(source, "k", counters[0], 64, false)),
              "#define BINS 64\n__global__ void k(const int* in, unsigned int* bins, int n) {\n"
              "    __shared__ unsigned int block_bins[BINS];\n"
              "    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) block_bins[bin] = 0;\n"
              "    __syncthreads();\n"
              "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {\n"
              "    atomicAdd(&block_bins[in[i]], 1);\n    }\n    __syncthreads();\n"
              "    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)\n"
              "        if (block_bins[bin] != 0) atomicAdd(&bins[bin], block_bins[bin]);\n}\n");
}

TEST(global_counters, are_only_added_to) {
    const auto names = [](const std::string& body) {
        std::vector<std::string> found;
        for (const GlobalCounters& one :
             global_counters("__global__ void k(int* a, int* b) {\n" + body + "}\n", "k"))
            found.push_back(one.name);
        return found;
    };
    EXPECT_THAT(names("    atomicAdd(a + threadIdx.x % 4, 1);\n    if (b[0]) atomicAdd(&a[0], 2);\n"),
                ElementsAre("a"));
    EXPECT_THAT(names("    int place = atomicAdd(&a[0], 1);\n    b[place] = 1;\n"), IsEmpty())
        << "it is read";
    EXPECT_THAT(names("    atomicAdd(&a[0], 1);\n    if (a[0] > 3) b[0] = 1;\n"), IsEmpty());
    EXPECT_THAT(names("    __shared__ int own[4];\n    atomicAdd(&a[threadIdx.x], own[threadIdx.x]);\n"),
                IsEmpty())
        << "the block has its own already";
    const std::string in_a_loop =
        "__global__ void k(int* a) {\n    for (;;) {\n        if (clock() > 9) return;\n"
        "        atomicAdd(&a[0], 1);\n    }\n}\n";
    EXPECT_THAT(shared_counters_edits(in_a_loop, "k", {0, "a", "int"}, 4, false), IsEmpty());
}

const std::string rows =
    "__global__ void k(const float* in, float* out, int rows, int n) {\n"
    "    int row = blockIdx.x * blockDim.x + threadIdx.x;\n    if (row >= rows) return;\n"
    "    float sum = 0.0f;\n    for (int j = 0; j < n; ++j) sum += in[row * n + j];\n    out[row] = "
    "sum;\n}\n";
const std::string launch_of_rows =
    "void run(float* in, float* out) {\n    k<<<8, 128>>>(in, out, 1024, 256);\n}\n";

TEST(row_warp_edits, give_each_row_a_warp) {
    const std::string source = rows + launch_of_rows;
    EXPECT_EQ(with_edits(source, row_warp_edits(source, "k", 32)),
              "__global__ void k(const float* in, float* out, int rows, int n) {\n"
              "    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;\n"
              "    const int lane = threadIdx.x % 32;\n    if (row >= rows) return;\n"
              "    float sum = 0.0f;\n"
              "    for (int j = lane; j < n; j += 32) sum += in[row * n + j];\n"
              "    for (int offset = 16; offset > 0; offset /= 2)\n"
              "        sum += __shfl_xor_sync(0xffffffff, sum, offset);\n"
              "    if (lane == 0) out[row] = sum;\n}\n"
              "void run(float* in, float* out) {\n    k<<<32 * 8, 128>>>(in, out, 1024, 256);\n}\n");
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = source;
        other.replace(other.find(from), from.size(), to);
        return row_warp_edits(other, "k", 32);
    };
    EXPECT_THAT(changed("sum = 0.0f", "sum = 1.0f"), IsEmpty()) << "each lane would add it";
    EXPECT_THAT(changed("sum += in", "sum *= in"), IsEmpty());
    EXPECT_THAT(changed("sum += in[row * n + j]", "out[j] = in[row * n + j]"), IsEmpty());
    EXPECT_THAT(changed("sum += in[row * n + j]", "sum += in[row * n + j] * sum"), IsEmpty());
    EXPECT_THAT(changed("k<<<8, 128>>>", "other<<<8, 128>>>"), IsEmpty()) << "no launch to change";
}

TEST(vector_edits, take_four_elements) {
    const std::string source =
        "__global__ void k(int n, const float* x, float* y) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = x[i] * i;\n}\n"
        "void run(float* x, float* y, int n) {\n    k<<<n / 256, 256>>>(n, x, y);\n}\n";
    EXPECT_EQ(with_edits(source, vector_edits(source, "k").edits),
              "__global__ void k(int n, const float* x, float* y) {\n"
              "    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);\n    if (i < n) {\n"
              "        const float4 x4 = reinterpret_cast<const float4 *>(x)[i / 4];\n        float4 y4;\n"
              "        y4.x = x4.x * i;\n        y4.y = x4.y * (i + 1);\n        y4.z = x4.z * (i + 2);\n"
              "        y4.w = x4.w * (i + 3);\n"
              "        reinterpret_cast<float4 *>(y)[i / 4] = y4;\n    }\n}\n"
              "void run(float* x, float* y, int n) {\n    k<<<((n / 256) + 3) / 4, 256>>>(n, x, y);\n}\n");
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = source;
        other.replace(other.find(from), from.size(), to);
        return vector_edits(other, "k").edits;
    };
    EXPECT_THAT(changed("x[i] * i", "x[i + 1]"), IsEmpty()) << "a neighbour's";
    EXPECT_THAT(changed("const float* x", "const double* x"), IsEmpty());
    EXPECT_THAT(changed("= x[i] * i", "= i > 3 && x[i] > 0"), IsEmpty());
    EXPECT_THAT(changed("y[i] =", "if (x[i] > 0) y[i] ="), IsEmpty());
}

TEST(transposed_tile_edits, mirror_stores_or_loads) {
    const auto source = [](const std::string& copy) {
        return "__global__ void k(const float* in, float* out, int w, int h) {\n"
               "    int x = blockIdx.x * 32 + threadIdx.x;\n    int y = blockIdx.y * 32 + threadIdx.y;\n" +
               copy + "}\n";
    };
    const std::string stores = source("    if (x < w && y < h) out[x * h + y] = in[y * w + x];\n");
    EXPECT_THAT(with_edits(stores, transposed_tile_edits(stores, "k", {32, 32}, true)),
                HasSubstr("    __shared__ float tile[32][32 + 1];\n"
                          "    if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];\n"
                          "    __syncthreads();\n"
                          "    const int mirror_x = blockIdx.x * 32 + threadIdx.y;\n"
                          "    const int mirror_y = blockIdx.y * 32 + threadIdx.x;\n"
                          "    if (mirror_x < w && mirror_y < h) out[mirror_x * h + mirror_y] = "
                          "tile[threadIdx.x][threadIdx.y];\n"));
    const std::string loads = source(
        "    if (x >= h || y >= w) return;\n    int from = x * w + y;\n    out[y * h + x] = in[from];\n");
    EXPECT_THAT(
        with_edits(loads, transposed_tile_edits(loads, "k", {32, 32}, false)),
        AllOf(HasSubstr("    if (mirror_x < h && mirror_y < w) tile[threadIdx.x][threadIdx.y] = "
                        "in[mirror_x * w + mirror_y];\n"),
              HasSubstr("    if (x < h && y < w) out[y * h + x] = tile[threadIdx.y][threadIdx.x];\n")));
    for (const char* copy :
         {"    out[x] = in[y];\n    out[y] = in[x];\n", "    atomicAdd(&out[x * h + y], 1);\n",
          "    for (int i = 0; i < 4; ++i) out[x * h + y] = in[i];\n", "    out[x"})
        EXPECT_THAT(transposed_tile_edits(source(copy), "k", {32, 32}, true), IsEmpty()) << copy;
}

TEST(rewrites, read_any_text) {
    const std::string sum = with_loop(
        "    for (int s = 1; s < blockDim.x; s *= 2) {\n        if (t % (2 * s) == 0) a[t] += a[t + s];\n"
        "        __syncthreads();\n    }\n");
    const std::string count =
        "__global__ void k(const int* in, int* bins, int n) {\n    int i = threadIdx.x;\n"
        "    if (i >= n) return;\n    atomicAdd(&bins[in[i]], 1);\n}\n";
    const std::string turn =
        "__global__ void k(const float* in, float* out, int w) {\n    int x = blockIdx.x * 32 + "
        "threadIdx.x;\n"
        "    int y = blockIdx.y * 32 + threadIdx.y;\n    if (x < w) out[x * w + y] = in[y * w + x];\n}\n";
    const std::string twice =
        "__global__ void k(int n, const float* x, float* y) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {\n        y[i] = 2 * x[i];\n    "
        "}\n}\n"
        "void run() {\n    dim3 grid(8);\n    k<<<grid, 256>>>(n, x, y);\n}\n";
    std::size_t edited = 0;
    const auto read = [&](const std::string& text) {
        for (const bool one : {false, true}) {
            edited += reduction_edits(text, "k", one).size();
            edited += transposed_tile_edits(text, "k", {32, one ? 8u : 32u}, one).size();
            for (const GlobalCounters& counters : global_counters(text, "k"))
                edited += shared_counters_edits(text, "k", counters, one ? 1 : 64, one).size();
        }
        edited += row_warp_edits(text, "k", 32).size() + vector_edits(text, "k").edits.size() +
                  structure_lines(text, "k").size();
    };
    for (const std::string& text : {sum, count, turn, twice, rows + launch_of_rows}) {
        const std::size_t before = edited;
        read(text);
        EXPECT_GT(edited, before) << text;
        for (std::size_t at = 0; at < text.size(); ++at) {
            read(text.substr(0, at));
            for (const std::size_t length : {1, 3})
                read(text.substr(0, at) + text.substr(std::min(at + length, text.size())));
            for (const char* mark : {"(", ")", "{", "}", ";", "["})
                read(text.substr(0, at) + mark + text.substr(at));
        }
    }
}

TEST(structure_lines, name_arrays_of_the_files_structures) {
    EXPECT_THAT(structure_lines("struct Body { float x, m; };\n__global__ void k(Body* all, float4* four) {\n"
                                "    int i = threadIdx.x;\n    all[i].x = 1;\n    four[i].x = 1;\n"
                                "    Body& one = all[i];\n    one.m = 2;\n}\n",
                                "k"),
                ElementsAre(4u, 6u, 7u));
}

TEST(changed_lines, go_and_come_in_their_place) {
    using Kind = ChangedLine::Kind;
    EXPECT_THAT(changed_lines("a\n  b\n  c\nd\n", {{Edit::Kind::replace, 2, "B"},
                                                   {Edit::Kind::remove, 3, "c"},
                                                   {Edit::Kind::insert, 4, "  new"},
                                                   {Edit::Kind::insert, 5, "end"}}),
                ElementsAre(ChangedLine{Kind::goes, 2, "  b"}, ChangedLine{Kind::goes, 3, "  c"},
                            ChangedLine{Kind::comes, 0, "  B"}, ChangedLine{Kind::comes, 0, "  new"},
                            ChangedLine{Kind::stays, 4, "d"}, ChangedLine{Kind::comes, 0, "end"}));
}

TEST(advice, a_reduction_in_shared_memory_ends_in_one_warp) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(of_one_block(
        "extern \"C\" __global__ void k(float* out, const float* in) {\n    __shared__ float a[256];\n"
        "    const int t = threadIdx.x;\n    a[t] = in[t];\n    __syncthreads();\n"
        "    for (int s = 1; s < blockDim.x; s *= 2) {\n        if (t % (2 * s) == 0) a[t] += a[t + s];\n"
        "        __syncthreads();\n    }\n    if (t == 0) out[0] = a[0];\n}\n"));
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_THAT(name_of(advice.helpful.front().change), HasSubstr("by shuffles"));
    EXPECT_LT(advice.helpful.front().after.cycles, advice.now.cycles * 0.9);
    EXPECT_THAT(advice_text(advice), HasSubstr("+ if (t < 32) {"));
    EXPECT_THAT(advice.helpful.front().effect_words(), HasSubstr("adds in another order"));
}

TEST(advice, counters_are_added_once_per_block) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(launched_by_host(
        "__global__ void k(const float* in, int* count) {\n"
        "    if (in[blockIdx.x * blockDim.x + threadIdx.x] > 9)\n        atomicAdd(count, 1);\n}\n"
        "int main() {\n    const int n = 65536;\n    float *in, *h = new float[n];\n    int* count;\n"
        "    for (int i = 0; i < n; ++i) h[i] = i % 20;\n    cudaMalloc(&in, n * 4);\n"
        "    cudaMalloc(&count, 4);\n    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);\n"
        "    cudaMemset(count, 0, 4);\n    k<<<n / 256, 256>>>(in, count);\n}\n"));
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_THAT(name_of(advice.helpful.front().change), HasSubstr("counted in shared memory first"));
    EXPECT_THAT(advice_text(advice), Not(HasSubstr("Combine the values"))) << "it was";
}

TEST(advice, a_warp_for_each_row_comes_with_its_launch) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(launched_by_host(
        rows +
        "int main() {\n    float *in, *out;\n    cudaMalloc(&in, 1024 * 256 * sizeof(float));\n"
        "    cudaMalloc(&out, 1024 * sizeof(float));\n    k<<<8, 128>>>(in, out, 1024, 256);\n}\n"));
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_THAT(advice.helpful.front().change.launch, HasSubstr("a warp for each row"));
    EXPECT_LT(advice.helpful.front().after.cycles, advice.now.cycles * 0.7);
    EXPECT_THAT(advice_text(advice), HasSubstr("32 * 8"));
}

}  // namespace
}  // namespace warplens::app
