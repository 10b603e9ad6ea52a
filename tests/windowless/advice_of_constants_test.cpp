// Another value of a number in the text from which the host code makes its block: tried with the host code
// followed again, and offered as the line that is written in another way.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/pipeline/advice/constant_proposals.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A transpose without a pad, whose tile decides how many lanes share a bank.
std::string turn_by_tiles(const std::string& last = "") {
    return "#define TILE 32\n"
           "__global__ void turn(float* out, const float* in, int n) {\n"
           "    __shared__ float tile[TILE][TILE];\n"
           "    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
           "    tile[threadIdx.y][threadIdx.x] = in[y * n + x];\n"
           "    __syncthreads();\n"
           "    out[(blockIdx.x * TILE + threadIdx.y) * n + blockIdx.y * TILE + threadIdx.x] =\n"
           "        tile[threadIdx.x][threadIdx.y]" +
           last +
           ";\n}\n"
           "int main() {\n"
           "    const int n = 1024;\n"
           "    float *in, *out, *h = new float[n * n];\n"
           "    for (int i = 0; i < n * n; ++i) h[i] = i;\n"
           "    cudaMalloc(&in, n * n * 4);\n    cudaMalloc(&out, n * n * 4);\n"
           "    cudaMemcpy(in, h, n * n * 4, cudaMemcpyHostToDevice);\n"
           "    dim3 block(TILE, TILE), grid(n / TILE, n / TILE);\n"
           "    turn<<<grid, block>>>(out, in, n);\n}\n";
}

TEST(advice, another_tile_is_offered_as_the_line_that_defines_it) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(launched_by_host(turn_by_tiles()));
    EXPECT_THAT(offered(advice), Contains("line 1: `#define TILE 16`")) << advice_text(advice);
    EXPECT_THAT(vain_lines(advice), Not(Contains(HasSubstr("Launch with")))) << advice_text(advice);
    const auto found = std::ranges::find_if(
        advice.helpful, [](const TriedChange& tried) { return !tried.change.launch.empty(); });
    ASSERT_NE(found, advice.helpful.end());
    EXPECT_LT(found->after.cycles, advice.now.cycles * 0.9);
    EXPECT_TRUE(found->change.condition.empty()) << "the file has one kernel";
}

TEST(advice, another_tile_is_not_offered_where_it_gives_other_results) {
    WARPLENS_NEEDS_A_COMPILER();
    const Advice advice = advice_for(launched_by_host(turn_by_tiles(" + TILE")));
    EXPECT_THAT(offered(advice), Not(Contains(HasSubstr("#define TILE")))) << advice_text(advice);
    EXPECT_THAT(vain_lines(advice), Contains("`TILE` 16: other results")) << advice_text(advice);
}

TEST(advice, another_tile_is_not_tried_where_a_flag_gives_the_launch) {
    WARPLENS_NEEDS_A_COMPILER();
    LaunchFlags flags;
    flags.grid = "32,16";
    const Advice advice = advice_for(launched_by_host(turn_by_tiles(), flags));
    EXPECT_THAT(advice_text(advice), AllOf(Not(HasSubstr("#define TILE")), Not(HasSubstr("`TILE` 16"))));
}

/// Small blocks with much shared memory each: few warps are resident.
std::string small_blocks() {
    return "__global__ void heavy(float* out, const float* in, int n) {\n"
           "    __shared__ float spare[4096];\n"
           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    spare[threadIdx.x] = in[i];\n"
           "    float v = spare[threadIdx.x];\n"
           "    for (int k = 0; k < 64; ++k) v += in[(i + k * 32) & (n - 1)];\n"
           "    out[i] = v;\n}\n"
           "__global__ void other(float* out) { out[threadIdx.x] = 0; }\n"
           "int main() {\n"
           "    const int n = 1 << 17;\n"
           "    const int threads = 32;\n"
           "    float *in, *out, *h = new float[n];\n"
           "    for (int i = 0; i < n; ++i) h[i] = i % 17;\n"
           "    cudaMalloc(&in, n * 4);\n    cudaMalloc(&out, n * 4);\n"
           "    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);\n"
           "    other<<<1, 32>>>(out);\n"
           "    heavy<<<n / threads, threads>>>(out, in, n);\n}\n";
}

TEST(advice, a_constant_of_the_host_code_is_changed_instead_of_the_launch) {
    WARPLENS_NEEDS_A_COMPILER();
    LaunchFlags flags;
    flags.entry = "heavy";
    const Advice advice = advice_for(launched_by_host(small_blocks(), flags));
    EXPECT_THAT(offered(advice), Contains(HasSubstr("line 12: `const int threads = ")))
        << advice_text(advice);
    EXPECT_THAT(advice_text(advice),
                AllOf(HasSubstr("tried with this kernel alone"), Not(HasSubstr("Launch with block"))));
}

TEST(advice, an_enumerator_that_a_template_and_the_block_are_made_of_is_changed) {
    WARPLENS_NEEDS_A_COMPILER();
    const std::string source =
        "enum { Threads = 32 };\n"
        "template <int N> __global__ void heavy(float* out, const float* in, int n) {\n"
        "    __shared__ float spare[4096];\n"
        "    int i = blockIdx.x * N + threadIdx.x;\n"
        "    spare[threadIdx.x] = in[i];\n"
        "    float v = spare[threadIdx.x];\n"
        "    for (int k = 0; k < 64; ++k) v += in[(i + k * 32) & (n - 1)];\n"
        "    out[i] = v;\n}\n"
        "__global__ void other(float* out) { out[threadIdx.x] = 0;\n"
        "    __syncthreads();\n"
        "    out[threadIdx.x] += 1; }\n"
        "int main() {\n"
        "    const int n = 1 << 17;\n"
        "    float *in, *out, *h = new float[n];\n"
        "    for (int i = 0; i < n; ++i) h[i] = i % 17;\n"
        "    cudaMalloc(&in, n * 4);\n    cudaMalloc(&out, n * 4);\n"
        "    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);\n"
        "    other<<<1, 32>>>(out);\n"
        "    heavy<Threads><<<n / Threads, Threads>>>(out, in, n);\n}\n";
    LaunchFlags flags;
    flags.entry = "heavy<32>";
    const Advice advice = advice_for(launched_by_host(source, flags));
    EXPECT_THAT(offered(advice), Contains(HasSubstr("line 1: `enum { Threads = "))) << advice_text(advice);
    EXPECT_THAT(advice_text(advice), Not(HasSubstr("barrier"))) << "it is in the other kernel";
}

TEST(advice, a_constant_that_changes_a_buffer_is_named_and_no_other_launch_is_tried) {
    WARPLENS_NEEDS_A_COMPILER();
    const std::string source =
        "constexpr int Block = 128;\n"
        "__global__ void sums(float* out, const float* in) {\n"
        "    __shared__ float part[Block];\n"
        "    part[threadIdx.x] = in[blockIdx.x * Block + threadIdx.x];\n"
        "    __syncthreads();\n"
        "    if (threadIdx.x == 0) {\n"
        "        float sum = 0;\n"
        "        for (int i = 0; i < Block; ++i) sum += part[i];\n"
        "        out[blockIdx.x] = sum;\n    }\n}\n"
        "int main() {\n"
        "    const int n = 1 << 14, blocks = n / Block;\n"
        "    float *in, *out, *h = new float[n];\n"
        "    for (int i = 0; i < n; ++i) h[i] = i % 17;\n"
        "    cudaMalloc(&in, n * 4);\n    cudaMalloc(&out, blocks * 4);\n"
        "    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);\n"
        "    sums<<<blocks, Block>>>(out, in);\n}\n";
    const Advice advice = advice_for(launched_by_host(source));
    EXPECT_THAT(vain_lines(advice),
                Contains("`Block` 256: changes the length of `out`, so results cannot be compared"))
        << advice_text(advice);
    EXPECT_THAT(advice_text(advice), Not(HasSubstr("Launch with block"))) << advice_text(advice);
}

TEST(advice, a_constant_that_does_not_compile_says_why) {
    WARPLENS_NEEDS_A_COMPILER();
    std::string source = turn_by_tiles();
    source.insert(source.find("    __shared__"),
                  "    static_assert(TILE > 16, \"tiles are larger than 16\");\n");
    const Advice advice = advice_for(launched_by_host(source));
    EXPECT_THAT(vain_lines(advice), Contains(AllOf(HasSubstr("`TILE` 16: does not compile or run: "),
                                                   HasSubstr("tiles are larger than 16"))))
        << advice_text(advice);
}

/// A row for each block; the launch has the block's number twice, and the grid does not follow from it.
TEST(advice, a_number_of_the_launch_is_changed_wherever_the_launch_has_it) {
    WARPLENS_NEEDS_A_COMPILER();
    const std::string source =
        "__global__ void largest(float* out, const float* in, int width) {\n"
        "    extern __shared__ float part[];\n"
        "    float most = 0;\n"
        "    for (int i = threadIdx.x; i < width; i += blockDim.x)\n"
        "        most = fmaxf(most, in[blockIdx.x * width + i]);\n"
        "    part[threadIdx.x] = most;\n"
        "    __syncthreads();\n"
        "    if (threadIdx.x == 0) {\n"
        "        for (int i = 1; i < blockDim.x; ++i) most = fmaxf(most, part[i]);\n"
        "        out[blockIdx.x] = most;\n    }\n}\n"
        "int main() {\n"
        "    const int rows = 66, width = 4096, n = rows * width;\n"
        "    float *in, *out, *h = new float[n];\n"
        "    for (int i = 0; i < n; ++i) h[i] = i % 17;\n"
        "    cudaMalloc(&in, n * 4);\n    cudaMalloc(&out, rows * 4);\n"
        "    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);\n"
        "    largest<<<rows, 32, 32 * sizeof(float)>>>(out, in, width);\n}\n";
    const Advice advice = advice_for(launched_by_host(source));
    EXPECT_THAT(offered(advice), Contains(AllOf(HasSubstr("line 20: `largest<<<rows, "),
                                                HasSubstr(" * sizeof(float)>>>"), Not(HasSubstr("32")))))
        << advice_text(advice);
    EXPECT_THAT(advice_text(advice), AllOf(Not(HasSubstr("Launch with block")), Not(HasSubstr("grid "))))
        << "the grid is of rows, and no block would take two";
}

TEST(advice, the_extents_of_a_block_and_what_the_grid_makes_of_them_are_changed_together) {
    WARPLENS_NEEDS_A_COMPILER();
    const std::string source =
        "__global__ void scale(float* out, const float* in, int width, int height) {\n"
        "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "    if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];\n}\n"
        "int main() {\n"
        "    const int width = 1000, height = 500, n = width * height;\n"
        "    float *in, *out, *h = new float[n];\n"
        "    for (int i = 0; i < n; ++i) h[i] = i % 17;\n"
        "    cudaMalloc(&in, n * 4);\n    cudaMalloc(&out, n * 4);\n"
        "    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);\n"
        "    dim3 block(2, 16), grid((width + 1) / 2, (height + 15) / 16);\n"
        "    scale<<<grid, block>>>(out, in, width, height);\n}\n";
    const Advice advice = advice_for(launched_by_host(source));
    EXPECT_THAT(offered(advice),
                Contains("line 12: `dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);`"))
        << advice_text(advice);
}

}  // namespace
}  // namespace warplens::app
