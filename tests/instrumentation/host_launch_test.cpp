// A launch guessed from host code: which of its numbers are related to which.
#include "instrumentation/catalog/host_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::instrumentation {
namespace {

LaunchDraft coltrans(const std::string& main) {
    KernelFile kernel;
    kernel.name = "coltrans";
    kernel.source =
        "__global__ void coltrans(float* out, const float* in, int nx, int ny, int reps) { }\n"
        "int main() {\n" +
        main + "}\n";
    const EntryFacts entry{"_Z8coltransPfPKfiii",
                           "coltrans",
                           {{"p0", "u64", 8, 0},
                            {"p1", "u64", 8, 8},
                            {"p2", "u32", 4, 16},
                            {"p3", "u32", 4, 20},
                            {"p4", "u32", 4, 24}},
                           0};
    return guess_launch(entry, kernel, host_code_of(kernel));
}

TEST(host_launch, a_constant_side_of_the_grid_is_not_related_to_an_equal_number) {
    const LaunchDraft draft = coltrans(R"(
    const int nx = 1024, ny = 64, reps = 4;
    float *in, *out;
    cudaMalloc(&in, nx * ny * sizeof(float));
    cudaMalloc(&out, nx * ny * sizeof(float));
    dim3 block(32, 16);
    dim3 grid(nx / block.x, 4);
    coltrans<<<grid, block>>>(out, in, nx, ny, reps);
)");
    EXPECT_EQ(draft.grid[0], "ceil_div(nx, 32)");
    EXPECT_EQ(draft.grid[1], "4") << "neither ceil_div(ny, 16), which is 4, nor reps";
    EXPECT_EQ(draft.grid[2], "1");
    EXPECT_EQ(draft.arguments[4].value, "4");
}

TEST(host_launch, a_side_that_is_computed_from_a_number_is_related_to_it) {
    const LaunchDraft draft = coltrans(R"(
    const int nx = 1024, ny = 64, reps = 4;
    float *in, *out;
    cudaMalloc(&in, nx * ny * sizeof(float));
    cudaMalloc(&out, nx * ny * sizeof(float));
    dim3 block(32, 16);
    dim3 grid(nx / block.x, ny / block.y);
    coltrans<<<grid, block>>>(out, in, nx, ny, reps);
)");
    EXPECT_EQ(draft.grid[0], "ceil_div(nx, 32)");
    EXPECT_EQ(draft.grid[1], "ceil_div(ny, 16)");
}

TEST(host_launch, numbers_of_one_byte_without_host_code_are_random) {
    const auto row_of = [](const std::string& type, const std::string& mangled) {
        const EntryFacts entry{"_Z9histogramPjPK" + mangled + "i",
                               "histogram",
                               {{"p0", "u64", 8, 0}, {"p1", "u64", 8, 8}, {"p2", "u32", 4, 16}},
                               0};
        const std::string source =
            "__global__ void histogram(unsigned int* bins, const " + type + "* data, int n) { }\n";
        return guess_launch(entry, source).arguments[1];
    };
    EXPECT_EQ(row_of("unsigned char", "h").fill, "random");
    EXPECT_EQ(row_of("unsigned char", "h").value, "256") << "all values of the type";
    EXPECT_EQ(row_of("signed char", "a").fill, "random");
    EXPECT_EQ(row_of("signed char", "a").value, "128") << "no index below 0";
    EXPECT_EQ(row_of("bool", "b").value, "2");
    EXPECT_EQ(row_of("int", "i").fill, "iota") << "an index of another buffer must stay within it";
}

}  // namespace
}  // namespace warplens::instrumentation
