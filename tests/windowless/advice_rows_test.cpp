// Rewrites of sums: rows that a warp shares, sums of all threads by shuffles, prefix sums: their exact lines,
// that the results stay, and the kernels whose text they must leave alone.
#include <gmock/gmock.h>

#include "app/pipeline/advice/root_proposal.h"
#include "app/pipeline/advice/row_warp_proposal.h"
#include "app/pipeline/advice/scan_proposal.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/advice/warp_sum_proposal.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A kernel that gives each thread a row, and its launch.
std::string of_rows(const std::string& body) {
    return "__global__ void k(const float* in, float* out, int rows, int n) {\n"
           "    int row = blockIdx.x * blockDim.x + threadIdx.x;\n    if (row < rows) {\n" +
           body + "    }\n}\nvoid run(float* in, float* out) {\n    k<<<8, 128>>>(in, out, 1024, 256);\n}\n";
}
std::string shared_by(int lanes, const std::string& body) {
    const std::string source = of_rows(body);
    return with_edits(source, row_warp_edits(source, "k", lanes));
}

TEST(row_warp_edits, read_several_loops_and_what_is_made_of_their_totals) {
    EXPECT_THAT(shared_by(32,
                          "        float most = -INFINITY;\n"
                          "        for (int j = 0; j < n; j++) most = fmaxf(most, in[row * n + j]);\n"
                          "        float sum = 0.f;\n"
                          "        for (int j = 0; j < n; j++) sum += expf(in[row * n + j] - most);\n"
                          "        float inverse = 1 / sum;\n"
                          "        for (int j = 0; j < n; j++)\n"
                          "            out[row * n + j] = expf(in[row * n + j] - most) * inverse;\n"),
                AllOf(HasSubstr("most = max(most, __shfl_xor_sync(0xffffffff, most, offset));"),
                      HasSubstr("sum += __shfl_xor_sync(0xffffffff, sum, offset);"),
                      HasSubstr("        for (int j = lane; j < n; j += 32)\n            out[row * n + j]"),
                      HasSubstr("        float inverse = 1 / sum;\n"), Not(HasSubstr("lane == 0"))));
    EXPECT_THAT(shared_by(8,
                          "        float sum = 0;\n        for (int j = 0; j < n; ++j) {\n"
                          "            if (in[j] > 0) {\n                sum = sum + in[row * n + j];\n"
                          "            }\n        }\n        out[row] = sum;\n"),
                AllOf(HasSubstr("(blockIdx.x * blockDim.x + threadIdx.x) / 8"),
                      HasSubstr("for (int j = lane; j < n; j += 8)"), HasSubstr("int offset = 4;"),
                      HasSubstr("if (lane == 0) out[row] = sum;"), HasSubstr("k<<<8 * 8, 128>>>")));
    EXPECT_THAT(shared_by(32,
                          "        float best = in[row];\n        for (int j = 0; j < n; ++j) {\n"
                          "            float v = in[row * n + j];\n            if (v < best) best = v;\n"
                          "        }\n        out[row] = best;\n"),
                HasSubstr("best = min(best, __shfl_xor_sync(0xffffffff, best, offset));"));
}

TEST(row_warp_edits, take_pragmas_and_members) {
    EXPECT_THAT(shared_by(32,
                          "        float x = 0.0f; float y = 0;\n#pragma unroll 4\n"
                          "        for (int j = 0; j < n; ++j) {\n            x += in[j]; y += in[j + 1];\n"
                          "        }\n        body[row].x += x; body[row].y -= y;\n"),
                AllOf(HasSubstr("#pragma unroll 4\n        for (int j = lane;"),
                      HasSubstr("if (lane == 0) body[row].x += x; if (lane == 0) body[row].y -= y;"),
                      HasSubstr("            x += __shfl_xor_sync(0xffffffff, x, offset);\n"
                                "            y += __shfl_xor_sync(0xffffffff, y, offset);\n        }\n")));
    EXPECT_THAT(
        row_warp_edits(of_rows("        float x = 0;\n#if FAST\n        for (int j = 0; j < n; ++j) {\n"
                               "            x += in[j];\n        }\n#endif\n        out[row] = x;\n"),
                       "k", 32),
        IsEmpty());
}

TEST(row_warp_edits, leave_alone_what_lanes_may_not_share) {
    for (const char* body :
         {// A running sum.
          "        float sum = 0;\n        for (int j = 0; j < n; ++j) {\n            sum += in[j];\n"
          "            out[row * n + j] = sum;\n        }\n",
          // An element of a neighbour's.
          "        for (int j = 0; j < n; ++j) {\n            out[row * n + j] = in[j];\n        }\n"
          "        for (int j = 0; j < n; ++j) {\n            out[row * n + j] = out[row * n + j + 1];\n"
          "        }\n",
          // The same element by all lanes.
          "        for (int j = 0; j < n; ++j) {\n            out[row] = in[row * n + j];\n        }\n",
          // Another loop inside.
          "        float sum = 0;\n        for (int j = 0; j < n; ++j)\n            for (int i = 0; i < n; "
          "++i) "
          "sum += in[j * n + i];\n        out[row] = sum;\n",
          // A loop that ends early.
          "        float sum = 0;\n        for (int j = 0; j < n; ++j) {\n            if (in[j] < 0) break;\n"
          "            sum += in[row * n + j];\n        }\n        out[row] = sum;\n",
          // A sum that the loop reads.
          "        float sum = 0;\n        for (int j = 0; j < n; ++j) {\n            if (sum < 9) sum += "
          "in[j];\n"
          "        }\n        out[row] = sum;\n",
          // It is not 0 at the loop's begin.
          "        float sum = 0;\n        sum += in[row];\n        for (int j = 0; j < n; ++j) {\n"
          "            sum += in[row * n + j];\n        }\n        out[row] = sum;\n"})
        EXPECT_THAT(row_warp_edits(of_rows(body), "k", 32), IsEmpty()) << body;
}

TEST(warp_sum_edits, keep_a_sum_in_each_thread) {
    const std::string source =
        "__global__ void k(const float* in, float* total, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
        "    atomicAdd(total, in[i] * in[i]);\n}\n";
    const auto counters = global_counters(source, "k");
    ASSERT_EQ(counters.size(), 1u);
    EXPECT_EQ(with_edits(source, warp_sum_edits(source, "k", counters[0], false)),
              "__global__ void k(const float* in, float* total, int n) {\n    float thread_total = 0;\n"
              "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {\n"
              "    thread_total += in[i] * in[i];\n    }\n"
              "    for (int offset = 16; offset > 0; offset /= 2)\n"
              "        thread_total += __shfl_down_sync(0xffffffff, thread_total, offset);\n"
              "    if (threadIdx.x % 32 == 0 && thread_total != 0) atomicAdd(total, thread_total);\n}\n");
    EXPECT_THAT(
        with_edits(source, warp_sum_edits(source, "k", counters[0], true)),
        AllOf(HasSubstr("    __shared__ float block_total;\n"), HasSubstr("atomicAdd(&block_total,"),
              HasSubstr("    __syncthreads();\n    if (threadIdx.x == 0) atomicAdd(total, block_total);")));
    const std::string indexed =
        "__global__ void k(float* total) {\n    atomicAdd(&total[threadIdx.x % 4], 1.0f);\n}\n";
    EXPECT_THAT(warp_sum_edits(indexed, "k", {0, "total", "float"}, true), IsEmpty());
}

/// A kernel that scans the block's array.
std::string of_scan(const std::string& loop) {
    return "__global__ void k(const int* in, int* out) {\n    __shared__ int a[256];\n"
           "    int t = threadIdx.x;\n    a[t] = in[t];\n    __syncthreads();\n" +
           loop + "    out[t] = a[t];\n}\n";
}

const char* const scans[]{
    "    for (int s = 1; s < blockDim.x; s *= 2) {\n        int v = 0;\n        if (t >= s) v = a[t - s];\n"
    "        __syncthreads();\n        a[t] += v;\n        __syncthreads();\n    }\n",
    "    for (int s = 1; s < 256; s <<= 1) {\n        __syncthreads();\n        int v;\n"
    "        if (t >= s) {\n            v = a[t] + a[t - s];\n        }\n        __syncthreads();\n"
    "        if (t >= s) {\n            a[t] = v;\n        }\n    }\n    __syncthreads();\n",
    "    for (int s = 1; s < 256; s *= 2) {\n        int v = (t >= s) ? a[t - s] : 0;\n"
    "        __syncthreads();\n        a[t] += v;\n        __syncthreads();\n    }\n"};

TEST(scan_edits, read_each_form) {
    for (const char* scan : scans)
        EXPECT_THAT(with_edits(of_scan(scan), scan_edits(of_scan(scan), "k").edits),
                    AllOf(HasSubstr("const int other = __shfl_up_sync(0xffffffff, value, offset);"),
                          HasSubstr("if (t % 32 == 31) warp_totals[t / 32] = value;"),
                          HasSubstr("    a[t] = value;\n    __syncthreads();\n"), Not(HasSubstr("t - s"))))
            << scan;
    for (const char* other :
         {// Not doubled.
          "    for (int s = 1; s < 256; s += 1) {\n        int v = (t >= s) ? a[t - s] : 0;\n"
          "        __syncthreads();\n        a[t] += v;\n        __syncthreads();\n    }\n",
          // A product.
          "    for (int s = 1; s < 256; s *= 2) {\n        int v = (t >= s) ? a[t - s] : 1;\n"
          "        __syncthreads();\n        a[t] *= v;\n        __syncthreads();\n    }\n",
          // Not from 0.
          "    for (int s = 1; s < 256; s *= 2) {\n        int v = (t >= s) ? a[t - s] : 1;\n"
          "        __syncthreads();\n        a[t] += v;\n        __syncthreads();\n    }\n"})
        EXPECT_THAT(scan_edits(of_scan(other), "k").edits, IsEmpty()) << other;
}

TEST(root_edits, multiply_by_the_inverse_root) {
    const std::string source =
        "__global__ void k(float* x) {\n    x[0] = x[1] / sqrtf(x[2] + 1);\n    x[3] = sqrtf(x[4]) / 2;\n}\n";
    EXPECT_THAT(with_edits(source, root_edits(source, "k")),
                AllOf(HasSubstr("x[0] = x[1] * rsqrtf(x[2] + 1);"), HasSubstr("x[3] = sqrtf(x[4]) / 2;")));
    EXPECT_THAT(root_edits("__global__ void k(float* x) {\n    x[0] = 1 / x[1];\n}\n", "k"), IsEmpty());
}

TEST(rewrites_of_sums, read_any_text) {
    const std::string softmax = of_rows(
        "        float most = -1;\n        for (int j = 0; j < n; j++) {\n            if (in[j] > most) most "
        "= "
        "in[j];\n        }\n        for (int j = 0; j < n; j++) {\n            out[row * n + j] = most;\n    "
        "    "
        "}\n");
    const std::string add =
        "__global__ void k(const float* in, float* total) {\n    atomicAdd(total, in[threadIdx.x]);\n}\n";
    const std::string root = "__global__ void k(float* x) {\n    x[0] = 1 / sqrtf(x[1]);\n}\n";
    std::size_t edited = 0;
    const auto read = [&](const std::string& text) {
        edited += row_warp_edits(text, "k", 8).size() + scan_edits(text, "k").edits.size() +
                  root_edits(text, "k").size();
        for (const GlobalCounters& counter : global_counters(text, "k"))
            edited += warp_sum_edits(text, "k", counter, true).size();
    };
    for (const std::string& text : {softmax, add, root, of_scan(scans[0]), of_scan(scans[1])}) {
        const std::size_t before = edited;
        read(text);
        EXPECT_GT(edited, before) << text;
        for (std::size_t at = 0; at < text.size(); ++at) {
            read(text.substr(0, at));
            read(text.substr(0, at) + text.substr(at + 1));
            for (const char* mark : {"(", ")", "{", "}", ";", "["})
                read(text.substr(0, at) + mark + text.substr(at));
        }
    }
}

TEST(advice, a_prefix_sum_by_steps_is_offered_by_shuffles) {
    WARPLENS_NEEDS_A_COMPILER();
    for (const char* scan : scans) {
        std::string source = of_scan(scan);
        source.insert(source.find("int t ="), "in += 256 * blockIdx.x;\n    out += 256 * blockIdx.x;\n    ");
        const Advice advice = advice_for(launched_by_host(
            source +
            "int main() {\n    const int n = 2112 * 256;\n    int *in, *out, *h = new int[n];\n"
            "    for (int i = 0; i < n; ++i) h[i] = i % 9;\n    cudaMalloc(&in, n * 4);\n"
            "    cudaMalloc(&out, n * 4);\n    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);\n"
            "    k<<<2112, 256>>>(in, out);\n}\n"));
        const std::string text = advice_text(advice);
        EXPECT_THAT(text, HasSubstr("prefix sum by shuffles")) << scan;
        for (const char* refused : {"other results", "leads to", "does not compile", "its results"})
            EXPECT_THAT(text, Not(HasSubstr(std::string("prefix sum by shuffles: ") + refused)));
        // With 256 in its text the compiler unrolls the loop, which leaves less to save.
        if (scan != scans[0]) continue;
        EXPECT_THAT(offered(advice), Contains(HasSubstr("warp_totals"))) << text;
    }
}

TEST(advice, additions_to_one_number_are_offered_by_shuffles) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(launched_by_host(
        "__global__ void k(const float* in, float* total, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
        "    atomicAdd(total, in[i]);\n}\n"
        "int main() {\n    const int n = 65500;\n    float *in, *total, *h = new float[n];\n"
        "    for (int i = 0; i < n; ++i) h[i] = i % 20;\n    cudaMalloc(&in, n * 4);\n"
        "    cudaMalloc(&total, 4);\n    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);\n"
        "    cudaMemset(total, 0, 4);\n    k<<<(n + 255) / 256, 256>>>(in, total, n);\n}\n"));
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_THAT(name_of(advice.helpful.front().change), HasSubstr("added up by shuffles first"));
    EXPECT_LT(advice.helpful.front().after.cycles, advice.now.cycles * 0.2);
}

TEST(advice, softmax_with_a_thread_for_each_row_is_offered_a_warp) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(launched_by_host(
        "__global__ void k(const float* in, float* out, int rows, int n) {\n"
        "    int row = blockIdx.x * blockDim.x + threadIdx.x;\n    if (row >= rows) return;\n"
        "    float most = -INFINITY, sum = 0;\n"
        "    for (int j = 0; j < n; j++) {\n        if (in[row * n + j] > most) most = in[row * n + j];\n    "
        "}\n"
        "    for (int j = 0; j < n; j++) {\n        sum += expf(in[row * n + j] - most);\n    }\n"
        "    for (int j = 0; j < n; j++) {\n        out[row * n + j] = expf(in[row * n + j] - most) / sum;\n "
        "   "
        "}\n}\n"
        "int main() {\n    const int rows = 1024, n = 192;\n    float *in, *out, *h = new float[rows * n];\n"
        "    for (int i = 0; i < rows * n; ++i) h[i] = i % 23;\n    cudaMalloc(&in, rows * n * 4);\n"
        "    cudaMalloc(&out, rows * n * 4);\n    cudaMemcpy(in, h, rows * n * 4, cudaMemcpyHostToDevice);\n"
        "    k<<<rows / 128, 128>>>(in, out, rows, n);\n}\n"));
    ASSERT_FALSE(advice.helpful.empty()) << advice_text(advice);
    EXPECT_THAT(advice.helpful.front().change.launch, HasSubstr("a warp for each row"));
    EXPECT_LT(advice.helpful.front().after.cycles, advice.now.cycles * 0.7);
}

}  // namespace
}  // namespace warplens::app
