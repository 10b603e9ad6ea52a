#include "analysis/memory/declared_shape.h"

#include <gtest/gtest.h>

namespace warplens::analysis {
namespace {

trace::Trace with_source(std::string text, std::map<std::string, std::string> parameters = {}) {
    trace::Trace trace;
    trace.program.sources.push_back({"kernel.cu", std::move(text)});
    trace.launch.parameters = std::move(parameters);
    return trace;
}

using Extents = std::vector<std::uint32_t>;

/// Of a table of float with 24 columns.
constexpr std::uint64_t bytes_of_rows(std::uint64_t rows) { return rows * 24 * 4; }

TEST(declared_shape, puts_the_launchs_macros_into_the_extents) {
    const auto trace = with_source(
        "#define TILE 16\n#define PAD 0\n"
        "__shared__ float tile[TILE][TILE + PAD];  // tile[1][2]\n",
        {{"TILE", "32"}, {"PAD", "1"}});
    const auto shape = declared_shape(trace, "tile", 32 * 33 * 4);
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->extents, (Extents{32, 33}));
    EXPECT_EQ(shape->element_bytes, 4u);
}

TEST(declared_shape, follows_macros_and_constants_of_the_source) {
    const auto trace = with_source(
        "#define ROWS (2 * 8)\nconstexpr int columns = ROWS / 2 + 1;\n"
        "__shared__ double a[4], table[ROWS][columns];\n");
    const auto shape = declared_shape(trace, "table", 16 * 9 * 8);
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->extents, (Extents{16, 9}));
    EXPECT_EQ(shape->element_bytes, 8u);
}

TEST(declared_shape, knows_the_template_arguments_of_the_entry) {
    auto trace = with_source(
        "template <typename T, int other> __device__ T first(T t);\n"
        "template <typename T, int TILE = 8, bool /* wide */ PAD>\n"
        "__global__ void blur(const T* in, T* out) {\n"
        "    __shared__ T tile[TILE + 2][TILE + PAD];\n}\n"
        "template <int N> __global__ void blurred();\n");
    trace.program.entry = "_ZN5image4blurIfLi16ELb1EEEvPKT_PS1_";
    const auto shape = declared_shape(trace, "tile", 18 * 17 * 4);
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->extents, (Extents{18, 17}));
    trace.program.entry = "_ZN5image4blurIfLi8ELb0EEEvPKT_PS1_";
    EXPECT_EQ(declared_shape(trace, "tile", 10 * 8 * 4)->extents, (Extents{10, 8}));
    trace.program.entry = "blur";
    EXPECT_FALSE(declared_shape(trace, "tile", 18 * 17 * 4)) << "no number is known for TILE";
}

TEST(declared_shape, follows_several_constants_of_one_declaration) {
    const auto trace = with_source(
        "constexpr int TILE = 16 * V, STEP = max(16, V), ROWS = (2 * 8);\nconst int LAST = TILE - 1, END = "
        "3;\n"
        "__shared__ float A_tile[ROWS][TILE + 2], B_tile[ROWS][TILE], C_tile[END][LAST];\n",
        {{"V", "8"}});
    const auto a = declared_shape(trace, "A_tile", 16 * 130 * 4),
               b = declared_shape(trace, "B_tile", 16 * 128 * 4),
               c = declared_shape(trace, "C_tile", 3 * 127 * 4);
    ASSERT_TRUE(a && b && c);
    EXPECT_EQ(a->extents, (Extents{16, 130}));
    EXPECT_EQ(b->extents, (Extents{16, 128}));
    EXPECT_EQ(c->extents, (Extents{3, 127}));
}

TEST(declared_shape, shows_a_flat_array_and_one_written_as_a_product) {
    const auto flat = declared_shape(with_source("__shared__ int own[256];"), "own", 1024);
    ASSERT_TRUE(flat);
    EXPECT_EQ(flat->element_type, "int");
    const auto second = declared_shape(
        with_source("__shared__ __align__(16) unsigned short first[8], second[4][4];"), "second", 32);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->element_type, "unsigned short");
    ASSERT_TRUE(flat);
    EXPECT_EQ(flat->extents, Extents{256});
    EXPECT_FALSE(flat->is_product);
    const auto product = declared_shape(with_source("__shared__ float tile[32 * 33];"), "tile", 32 * 33 * 4);
    ASSERT_TRUE(product);
    EXPECT_TRUE(product->is_product);
    const auto open = declared_shape(with_source("extern __shared__ float partial[];"), "partial", 512);
    ASSERT_TRUE(open);
    EXPECT_EQ(open->extents.size(), 1u);
}

TEST(declared_shape, an_alignment_is_no_part_of_the_type) {
    for (const char* alignment : {"alignas(16)", "alignas( 16 )", "alignas (16)", "__align__( 8 )",
                                  "alignas(sizeof (float) * (2))"}) {
        const std::string text = std::string("__shared__ ") + alignment + " unsigned int words[8][4];";
        const auto shape = declared_shape(with_source(text), "words", 128);
        ASSERT_TRUE(shape) << alignment;
        EXPECT_EQ(shape->element_type, "unsigned int") << alignment;
    }
}

TEST(declared_shape, rows_of_a_product_are_the_factor_that_the_source_multiplies_rows_by) {
    const auto row_of = [](const std::string& text, std::uint64_t bytes) {
        const auto shape =
            declared_shape(with_source("#define W 24\nconstexpr int H = 8;\n" + text), "t", bytes);
        EXPECT_TRUE(shape) << text;
        return shape ? shape->row_elements() : 0;
    };
    EXPECT_EQ(row_of("__shared__ float t[W * W];", bytes_of_rows(24)), 24u);
    EXPECT_EQ(row_of("__shared__ float t[(W) * W]; t[i] = 0;", bytes_of_rows(24)), 24u);
    EXPECT_EQ(row_of("__shared__ float t[H * W]; t[y * W + x] = t[x + (y + 1) * W];", bytes_of_rows(8)), 24u);
    EXPECT_EQ(row_of("__shared__ float t[W * H]; t[(z * 3 + y) * 24 + x] = 0;", bytes_of_rows(8)), 24u);
    EXPECT_EQ(row_of("__shared__ float t[H * (W + 1)]; t[y * (W + 1) + x] = 0;", 8 * 25 * 4), 25u);
    EXPECT_EQ(row_of("__shared__ float t[H * W]; t[i] = 0;", bytes_of_rows(8)), 0u) << "nothing shows it";
    EXPECT_EQ(row_of("__shared__ float t[H * W]; t[y * W + x] = t[x * H + y];", bytes_of_rows(8)), 0u)
        << "both";
    EXPECT_EQ(row_of("__shared__ float t[H * W + 1]; t[y * W + x] = 0;", (8 * 24 + 1) * 4), 0u);
    EXPECT_EQ(row_of("__shared__ float t[H * W]; other[y * W + x] = 0;", bytes_of_rows(8)), 0u);
    EXPECT_EQ(row_of("__shared__ float t[192]; t[y * W + x] = 0;", bytes_of_rows(8)), 0u) << "no product";
}

TEST(declared_shape, guesses_nothing) {
    EXPECT_FALSE(declared_shape(with_source("__shared__ float tile[N][N];"), "tile", 4096));
    EXPECT_FALSE(declared_shape(with_source("// __shared__ float tile[32][32];"), "tile", 4096));
    EXPECT_FALSE(declared_shape(with_source("__shared__ float tile[31][32];"), "tile", 4096));
    EXPECT_FALSE(declared_shape(with_source("__shared__ float tiles[32][32];"), "tile", 4096));
    EXPECT_FALSE(declared_shape(with_source("__shared__ float tile[32][sizeof(x)];"), "tile", 4096));
    EXPECT_FALSE(declared_shape(with_source("#define N N\n__shared__ float tile[N];"), "tile", 4096));
    EXPECT_FALSE(declared_shape(with_source("__shared__ float tile[0][4];"), "tile", 4096));
    EXPECT_FALSE(declared_shape(with_source("__shared__ float tile[4"), "tile", 16));
    EXPECT_FALSE(declared_shape(with_source(""), "tile", 16));
}

}  // namespace
}  // namespace warplens::analysis
