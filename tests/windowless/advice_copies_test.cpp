// Copies to shared memory that do not wait for each load, and loops that step by a number: their lines, the
// kernels whose text they leave alone, and that both save time on a matrix tiled_product as people write it.
#include <gmock/gmock.h>

#include "app/pipeline/advice/asynchronous_copy_proposal.h"
#include "app/pipeline/advice/constant_step_proposal.h"
#include "app/pipeline/advice/source_edits.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

std::string copying(const std::string& source) {
    return with_edits(source, asynchronous_copy_edits(source, "k"));
}

/// A kernel that fills `tile` in `body`.
std::string with_tile(const std::string& body, const std::string& type = "float") {
    return "// A tile.\n__global__ void k(float* out, const " + type +
           "* __restrict__ in, int n) {\n"
           "    __shared__ " +
           type + " tile[256];\n    const int t = threadIdx.x;\n" + body + "    out[t] = tile[n - t];\n}\n";
}

const std::string filling_loop = "    for (int i = t; i < 256; i += blockDim.x) tile[i] = in[i];\n";

TEST(asynchronous_copies, wait_at_the_barrier) {
    EXPECT_EQ(copying(with_tile(filling_loop + "    __syncthreads();\n")),
              "// A tile.\n#include <cuda_pipeline.h>\n"
              "__global__ void k(float* out, const float* __restrict__ in, int n) {\n"
              "    __shared__ float tile[256];\n    const int t = threadIdx.x;\n"
              "    for (int i = t; i < 256; i += blockDim.x) "
              "__pipeline_memcpy_async(&tile[i], &in[i], sizeof(float));\n"
              "    __pipeline_commit();\n    __pipeline_wait_prior(0);\n    __syncthreads();\n"
              "    out[t] = tile[n - t];\n}\n");
}

TEST(asynchronous_copies, of_several_arrays_and_dimensions_wait_once) {
    const std::string source =
        "#include <cuda_pipeline.h>\n__global__ void k(const float4* a, float4 const* b, int n) {\n"
        "    __shared__ float4 as[8][8];\n    __shared__ float4 bs[64];\n    while (n-- > 0) {\n"
        "        as[threadIdx.y][threadIdx.x] = a[n];\n        if (n > 3) bs[threadIdx.x] = b[n + 1];\n"
        "        __syncthreads();\n    }\n}\n";
    EXPECT_THAT(
        copying(source),
        AllOf(testing::StartsWith("#include <cuda_pipeline.h>\n__global__"),
              HasSubstr(
                  "        __pipeline_memcpy_async(&as[threadIdx.y][threadIdx.x], &a[n], sizeof(float4));\n"
                  "        if (n > 3) __pipeline_memcpy_async(&bs[threadIdx.x], &b[n + 1], sizeof(float4));\n"
                  "        __pipeline_commit();\n        __pipeline_wait_prior(0);\n"
                  "        __syncthreads();\n")));
}

TEST(asynchronous_copies, are_not_made_where_the_text_does_not_show_that_they_are_the_same) {
    const auto edits = [](const std::string& source) { return asynchronous_copy_edits(source, "k"); };
    const std::string barrier = "    __syncthreads();\n";
    // Used before the barrier; no barrier; a barrier that not every way leads to; no loop.
    EXPECT_THAT(edits(with_tile(filling_loop + "    out[t] = tile[t];\n" + barrier)), IsEmpty());
    EXPECT_THAT(edits(with_tile(filling_loop)), IsEmpty());
    EXPECT_THAT(edits(with_tile(filling_loop + "    if (n > 3) {\n        __syncthreads();\n    }\n")),
                IsEmpty());
    EXPECT_THAT(edits(with_tile("    tile[t] = in[t];\n" + barrier)), IsEmpty());
    EXPECT_THAT(edits(with_tile(filling_loop + "    if (t > n) return;\n" + barrier)), IsEmpty());
    // More than a load, another type, too small a type.
    EXPECT_THAT(edits(with_tile("    for (int i = t; i < 256; i += 32) tile[i] = 2 * in[i];\n" + barrier)),
                IsEmpty());
    EXPECT_THAT(edits(with_tile("    for (int i = t; i < 256; i += 32) tile[i] += in[i];\n" + barrier)),
                IsEmpty());
    EXPECT_THAT(edits(with_tile("    for (int i = t; i < 256; i += 32) tile[i] = out[i];\n" + barrier)),
                IsEmpty())
        << "not const";
    EXPECT_THAT(edits(with_tile(filling_loop + barrier, "char")), IsEmpty());
    EXPECT_THAT(edits("__global__ void k(const int* in) {\n    __shared__ float tile[8];\n"
                      "    for (int i = 0; i < 8; ++i) tile[i] = in[i];\n    __syncthreads();\n}\n"),
                IsEmpty());
}

TEST(constant_steps, are_the_block_in_each_direction) {
    const std::string source =
        "__global__ void k(int n) {\n    for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);\n"
        "    for (int j = threadIdx.y; j < n; j += blockDim.y)\n"
        "        for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);\n"
        "    for (int i = blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) f(i);\n}\n";
    EXPECT_EQ(with_edits(source, constant_step_edits(source, "k", {32, 8, 1})),
              "__global__ void k(int n) {\n    for (int i = threadIdx.x; i < n; i += 32) f(i);\n"
              "    for (int j = threadIdx.y; j < n; j += 8)\n"
              "        for (int i = threadIdx.x; i < n; i += 32) f(i);\n"
              "    for (int i = blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) f(i);\n}\n");
    EXPECT_THAT(constant_step_edits("__global__ void k(int n) { n += blockDim.x; }\n", "k", {32, 1, 1}),
                IsEmpty());
}

/// Tiles of 64 × 64 that a loop over the block's threads fills, and 4 × 4 products per thread.
const std::string tiled_product = R"(
__global__ void k(const float* A, const float* B, float* C, int n) {
    __shared__ float As[64 * 16];
    __shared__ float Bs[16 * 64];
    const int column = threadIdx.x % 16, row = threadIdx.x / 16;
    A += blockIdx.y * 64 * n;
    B += blockIdx.x * 64;
    float sums[4][4] = {};
    for (int first = 0; first < n; first += 16) {
        for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x) As[i] = A[(i / 16) * n + first + i % 16];
        for (int i = threadIdx.x; i < 16 * 64; i += blockDim.x) Bs[i] = B[(first + i / 64) * n + i % 64];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sums[i][j] += As[(row * 4 + i) * 16 + k] * Bs[k * 64 + column * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            C[(blockIdx.y * 64 + row * 4 + i) * n + blockIdx.x * 64 + column * 4 + j] = sums[i][j];
}
int main() {
    const int n = 128;
    float *a, *b, *c;
    cudaMalloc(&a, n * n * sizeof(float));
    cudaMalloc(&b, n * n * sizeof(float));
    cudaMalloc(&c, n * n * sizeof(float));
    k<<<dim3(n / 64, n / 64), 256>>>(a, b, c, n);
}
)";

TEST(advise, fills_a_tile_without_waiting_for_each_load) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(launched_by_host(tiled_product));
    const auto saved_by = [&](std::string_view summary) {
        for (const TriedChange& tried : advice.helpful)
            if (tried.change.summary == summary) return 1 - tried.after.cycles / advice.now.cycles;
        return 0.0;
    };
    // Of such a kernel in 64 blocks 59 and 49 % on an H200, where 63 and 51 were modelled.
    EXPECT_GT(saved_by("copies to shared memory that do not wait for each load"), 0.4);
    EXPECT_GT(saved_by("loops that step by a number in place of `blockDim`"), 0.3);
}

}  // namespace
}  // namespace warplens::app
