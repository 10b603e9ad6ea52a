// Rewrites with tiles in shared memory: products of matrices, and transposes in blocks that are not square;
// and vectors in loops over the data: their lines, that results stay, and what they leave alone.
#include <gmock/gmock.h>

#include "app/pipeline/advice/product_tile_proposal.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/advice/transposed_tile_proposal.h"
#include "app/pipeline/advice/vector_proposal.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string of_product(const std::string& factors, const std::string& store = "c[row * m + col] = sum;") {
    return "__global__ void k(const float* a, const float* b, float* c, int h, int n, int m) {\n"
           "    int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
           "    int col = blockIdx.x * blockDim.x + threadIdx.x;\n    if (row < h && col < m) {\n"
           "        float sum = 0;\n        for (int k = 0; k < n; k++)\n            sum += " +
           factors + ";\n        " + store + "\n    }\n}\n";
}
std::string tiled(const std::string& source) {
    return with_edits(source, product_tile_edits(source, "k", 16));
}

TEST(product_tile_edits, load_neighbours_whatever_is_transposed) {
    EXPECT_THAT(
        tiled(of_product("a[row * n + k] * b[k * m + col]")),
        AllOf(HasSubstr("    __shared__ float tile_a[16][16 + 1];\n    __shared__ float tile_b[16][16 + 1];\n"
                        "    float sum = 0;\n    for (int first = 0; first < n; first += 16) {\n"
                        "        tile_a[threadIdx.y][threadIdx.x] = row < h && first + threadIdx.x < n ? "
                        "a[row * n + first + threadIdx.x] : 0;\n"
                        "        tile_b[threadIdx.y][threadIdx.x] = col < m && first + threadIdx.y < n ? "
                        "b[(first + threadIdx.y) * m + col] : 0;\n        __syncthreads();\n"
                        "        for (int k = 0; k < 16; ++k) sum += tile_a[threadIdx.y][k] * "
                        "tile_b[k][threadIdx.x];\n        __syncthreads();\n    }\n"
                        "    if (row < h && col < m) {\n"),
              HasSubstr("        c[row * m + col] = sum;\n    }\n}\n")));
    EXPECT_THAT(
        tiled(of_product("a[row * n + k] * b[col * n + k]")),
        AllOf(HasSubstr("const int mirror_col = blockIdx.x * blockDim.x + threadIdx.y;"),
              HasSubstr("tile_b[threadIdx.x][threadIdx.y] = mirror_col < m && first + threadIdx.x < n "
                        "? b[mirror_col * n + first + threadIdx.x] : 0;")));
    EXPECT_THAT(tiled(of_product("a[k * h + row] * b[k * m + col]")),
                HasSubstr("tile_a[threadIdx.x][threadIdx.y] = mirror_row < h && first + threadIdx.y < n ? "
                          "a[(first + threadIdx.y) * h + mirror_row] : 0;"));
}

TEST(product_tile_edits, leave_other_loops_alone) {
    for (const char* factors : {"a[row * n + k] * b[row * n + k]", "a[row * n] * b[k * m + col]",
                                "a[row * n + k] + b[k * m + col]", "a[row * n + k] * 2"})
        EXPECT_THAT(product_tile_edits(of_product(factors), "k", 16), IsEmpty()) << factors;
    EXPECT_THAT(product_tile_edits(of_product("a[row * n + k] * b[k * m + col]",
                                              "for (int i = 0; i < 4; ++i) c[row * m + col] += sum;"),
                                   "k", 16),
                IsEmpty());
}

TEST(transposed_tile_edits, take_blocks_that_are_not_square) {
    const std::string source =
        "__global__ void k(const float* in, float* out, int w, int h) {\n"
        "    int x = blockIdx.x * 32 + threadIdx.x;\n    int y = blockIdx.y * 8 + threadIdx.y;\n"
        "    if (x < w && y < h) out[x * h + y] = in[y * w + x];\n}\n";
    EXPECT_THAT(
        with_edits(source, transposed_tile_edits(source, "k", {32, 8}, true)),
        HasSubstr("    __shared__ float tile[8][32 + 4];\n"
                  "    const int tile_x = (threadIdx.y * 32 + threadIdx.x) / 8, tile_y = (threadIdx.y "
                  "* 32 + threadIdx.x) % 8;\n"
                  "    if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];\n"
                  "    __syncthreads();\n    const int mirror_x = blockIdx.x * 32 + tile_x;\n"
                  "    const int mirror_y = blockIdx.y * 8 + tile_y;\n"
                  "    if (mirror_x < w && mirror_y < h) out[mirror_x * h + mirror_y] = "
                  "tile[tile_y][tile_x];\n"));
}

TEST(vector_edits, keep_the_launch_of_a_loop_over_the_data) {
    const std::string source =
        "__global__ void k(int n, const double* x, double* y) {\n"
        "    int first = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    for (int i = first; i < n; i += blockDim.x * gridDim.x) {\n        y[i] = x[i] * 2;\n    }\n}\n";
    const VectorEdits vectors = vector_edits(source, "k");
    EXPECT_TRUE(vectors.goes_on);
    EXPECT_EQ(with_edits(source, vectors.edits),
              "__global__ void k(int n, const double* x, double* y) {\n"
              "    int first = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "    for (int i = 2 * first; i < n; i += 2 * (blockDim.x * gridDim.x)) {\n"
              "        const double2 x2 = reinterpret_cast<const double2 *>(x)[i / 2];\n        double2 y2;\n"
              "        y2.x = x2.x * 2;\n        y2.y = x2.y * 2;\n"
              "        reinterpret_cast<double2 *>(y)[i / 2] = y2;\n    }\n}\n");
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = source;
        other.replace(other.find(from), from.size(), to);
        return vector_edits(other, "k").edits;
    };
    EXPECT_THAT(changed("blockDim.x * gridDim.x", "blockDim.x"), IsEmpty());
    EXPECT_THAT(changed("y[i] = x[i] * 2;", "y[i] = x[i + 1];"), IsEmpty());
    EXPECT_THAT(changed("const double* x", "const float* x"), IsEmpty()) << "of two widths";
}

TEST(rewrites_with_tiles, read_any_text) {
    const std::string product = of_product("a[row * n + k] * b[col * n + k]");
    for (std::size_t at = 0; at < product.size(); ++at) {
        product_tile_edits(product.substr(0, at), "k", 16);
        product_tile_edits(product.substr(0, at) + product.substr(at + 1), "k", 16);
        for (const char* mark : {"(", ")", "{", "}", ";", "["})
            product_tile_edits(product.substr(0, at) + mark + product.substr(at), "k", 16);
    }
    EXPECT_FALSE(product_tile_edits(product, "k", 16).empty());
}

TEST(advice, tiles_are_offered_for_a_product_whose_sides_no_block_divides) {
    WARPLENS_NEEDS_A_COMPILER();
    for (const char* factors : {"a[row * n + k] * b[k * m + col]", "a[row * n + k] * b[col * n + k]"}) {
        const Advice advice = advice_for(launched_by_host(
            of_product(factors) +
            "int main() {\n    const int h = 90, n = 100, m = 110;\n    float *a, *b, *c, *v = new float[n * "
            "m];\n"
            "    for (int i = 0; i < n * m; ++i) v[i] = i % 13;\n    cudaMalloc(&a, h * n * 4);\n"
            "    cudaMalloc(&b, n * m * 4);\n    cudaMalloc(&c, h * m * 4);\n"
            "    cudaMemcpy(a, v, h * n * 4, cudaMemcpyHostToDevice);\n"
            "    cudaMemcpy(b, v, n * m * 4, cudaMemcpyHostToDevice);\n    dim3 block(16, 16), grid(7, 6);\n"
            "    k<<<grid, block>>>(a, b, c, h, n, m);\n}\n"));
        const std::string text = advice_text(advice);
        EXPECT_THAT(text, HasSubstr("product by tiles in shared memory")) << factors;
        const auto found = std::ranges::find_if(advice.helpful, [](const TriedChange& one) {
            return name_of(one.change).find("by tiles in shared memory") != std::string::npos;
        });
        ASSERT_NE(found, advice.helpful.end()) << text;
        EXPECT_LT(found->after.cycles, advice.now.cycles * 0.9);
    }
}

}  // namespace
}  // namespace warplens::app
