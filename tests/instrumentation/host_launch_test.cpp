// A launch guessed from host code: which of its numbers are related to which.
#include "instrumentation/catalog/host_launch.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/catalog/launched_kernels.h"

namespace warplens::instrumentation {
namespace {

/// Two pointers and three integers.
EntryFacts entry_of_coltrans(const std::string& mangled) {
    return {mangled,
            "coltrans",
            {{"p0", "u64", 8, 0},
             {"p1", "u64", 8, 8},
             {"p2", "u32", 4, 16},
             {"p3", "u32", 4, 20},
             {"p4", "u32", 4, 24}},
            0};
}

LaunchDraft coltrans(const std::string& main) {
    KernelFile kernel;
    kernel.name = "coltrans";
    kernel.source =
        "__global__ void coltrans(float* out, const float* in, int nx, int ny, int reps) { }\n"
        "int main() {\n" +
        main + "}\n";
    return guess_launch(entry_of_coltrans("_Z8coltransPfPKfiii"), kernel, host_code_of(kernel));
}

TEST(host_launch, an_element_has_the_type_that_the_program_gives_another_name) {
    KernelFile kernel;
    kernel.name = "coltrans";
    kernel.source = R"(
typedef float real;
__global__ void coltrans(real* out, const real* in, int nx, int ny, int reps) { }
int main() {
    real *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    coltrans<<<1, 32>>>(out, in, 1, 2, 3);
}
)";
    const LaunchDraft draft =
        guess_launch(entry_of_coltrans("_Z8coltransPfPKfiii"), kernel, host_code_of(kernel));
    EXPECT_EQ(draft.arguments[0].element_type, "f32");
    EXPECT_EQ(draft.arguments[0].length, "1024");
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

TEST(host_launch, one_block_that_is_computed_from_a_number_grows_with_it) {
    const LaunchDraft draft = coltrans(R"(
    const int nx = 20, ny = 64, reps = 4;
    float *in, *out;
    cudaMalloc(&in, nx * ny * sizeof(float));
    cudaMalloc(&out, nx * ny * sizeof(float));
    dim3 block(32, 16);
    dim3 grid((nx + block.x - 1) / block.x, 1);
    coltrans<<<grid, block>>>(out, in, nx, ny, reps);
)");
    EXPECT_EQ(draft.grid[0], "ceil_div(nx, 32)");
    EXPECT_EQ(draft.grid[1], "1");
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

TEST(host_launch, a_side_is_related_by_what_it_is_divided_by_where_a_block_has_another_shape) {
    const LaunchDraft draft = coltrans(R"(
    const int nx = 1024, ny = 640, reps = 4, tile_m = 32, per_thread = 5;
    float *in, *out;
    cudaMalloc(&in, nx * ny * sizeof(float));
    cudaMalloc(&out, nx * ny * sizeof(float));
    dim3 grid((nx + 63) / 64, ny / (tile_m * per_thread), (reps + 1) >> 1);
    coltrans<<<grid, 256>>>(out, in, nx, ny, reps);
)");
    EXPECT_EQ(draft.grid[0], "ceil_div(nx, 64)");
    EXPECT_EQ(draft.grid[1], "ceil_div(ny, 160)");
    EXPECT_EQ(draft.grid[2], "ceil_div(reps, 2)");
}

TEST(host_launch, a_number_that_is_divided_and_multiplied_is_not_related_by_the_divisor) {
    const LaunchDraft draft = coltrans(R"(
    const int nx = 1024, ny = 640, reps = 4;
    float *in, *out;
    cudaMalloc(&in, nx * ny * sizeof(float));
    cudaMalloc(&out, nx * ny * sizeof(float));
    coltrans<<<dim3(nx / 96 * 3, 7), 96>>>(out, in, nx, ny, reps);
)");
    EXPECT_EQ(draft.grid[0], "30");
    EXPECT_EQ(draft.grid[1], "7");
}

/// The draft of `coltrans(float* out, const float* in, int nx, int ny, int reps)` as one line: grid, lengths,
/// numbers.
std::string line_of(const LaunchDraft& draft) {
    return fmt::format("{} x {} | {} | {} | {} {}", draft.grid[0], draft.grid[1], draft.arguments[0].length,
                       draft.arguments[1].length, draft.arguments[2].value, draft.arguments[3].value);
}

TEST(host_launch, sides_of_a_dim3_may_be_set_one_by_one) {
    const LaunchDraft draft = coltrans(R"(
    const int nx = 1024, ny = 64, reps = 4;
    float *in, *out;
    cudaMalloc(&in, nx * ny * sizeof(float));
    cudaMalloc(&out, nx * ny * sizeof(float));
    dim3 grid, block(16, 16), other = block;
    other.y = 3;
    block.x *= 2;
    grid.x = nx / block.x;
    grid.y = ny / block.y;
    coltrans<<<grid, block>>>(out, in, nx, ny, reps);
    grid.x = 7;
)");
    EXPECT_THAT(draft.block, testing::ElementsAre("32", "16", "1"));
    EXPECT_EQ(draft.grid[0], "ceil_div(nx, 32)");
    EXPECT_EQ(draft.grid[1], "ceil_div(ny, 16)");
}

TEST(host_launch, a_side_that_is_set_to_what_nobody_knows_is_not_1) {
    const LaunchDraft draft = coltrans(R"(
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    dim3 grid;
    grid.x = atoi(argv[1]);
    coltrans<<<grid, 32>>>(out, in, 32, 32, 4);
)");
    EXPECT_NE(draft.grid[0], "1");
}

TEST(host_launch, a_size_that_is_read_from_somewhere_has_one_assumed_value_for_the_whole_launch) {
    const std::string rest = R"(
    unsigned char *in, *out;
    size_t bytes = nx * ny * 3;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, nx * ny);
    dim3 block(32, 8);
    dim3 grid((nx + 31) / 32, (ny + block.y - 1) / block.y);
    coltrans<<<grid, block>>>(out, in, nx, ny, 4);
)";
    const auto of_bytes = [&](const std::string& main, const std::string& before = "") {
        KernelFile kernel;
        kernel.name = "coltrans";
        kernel.source =
            before +
            "__global__ void coltrans(unsigned char* out, const unsigned char* in, int nx, int ny, int "
            "reps) { }\nint main(int argc, char** argv) {\n" +
            main + rest + "}\n";
        return guess_launch(entry_of_coltrans("_Z8coltransPhPKhiii"), kernel, host_code_of(kernel));
    };
    const std::string whole = "ceil_div(nx, 32) x ceil_div(ny, 8) | nx * ny | nx * ny * 3 | 256 256";
    for (const char* read :
         {"int nx, ny, c; unsigned char* p = stbi_load(argv[1], &nx, &ny, &c, 3);",
          "int head[2]; fread(head, 4, 2, file); int nx = head[0], ny = head[1];",
          "int nx = atoi(argv[1]), ny = atoi(argv[2]);",
          "if (argc != 3) { usage(); return 1; } int nx = atoi(argv[1]), ny = atoi(argv[2]);",
          "int nx = 0, ny = 0; std::cin >> nx >> ny;",
          "int nx = 0, ny = 0; fscanf(file, \"%d %d\", &nx, &ny);",
          "cv::Mat img = cv::imread(argv[1]); const int nx = img.cols, ny = img.rows;",
          "Picture p = load(argv[1]); int nx = p.width, ny = p.height;", "int nx = WIDTH, ny = HEIGHT;"}) {
        const LaunchDraft draft = of_bytes(read);
        EXPECT_EQ(line_of(draft), whole) << read;
        EXPECT_THAT(draft.grid_from, testing::EndsWith(", size assumed")) << read;
        EXPECT_THAT(draft.arguments[1].from, testing::EndsWith(", size assumed")) << read;
        EXPECT_THAT(draft.arguments[2].from, testing::HasSubstr("size assumed")) << read;
        EXPECT_EQ(draft.block_from.find("assumed"), std::string::npos) << "the block is known";
    }
    const LaunchDraft known = of_bytes("int nx = 640, ny = argc > 2 ? atoi(argv[2]) : 480;");
    EXPECT_EQ(known.arguments[2].value + " " + known.arguments[3].value, "640 480");
    EXPECT_EQ(known.grid_from.find("assumed"), std::string::npos);
}

TEST(host_launch, a_product_of_other_numbers_that_happens_to_be_a_square_is_none) {
    const LaunchDraft draft = coltrans(R"(
    const int nx = 1024, ny = 48, heads = 16;
    float *in, *out;
    cudaMalloc(&in, heads * nx * 64 * sizeof(float));
    cudaMalloc(&out, nx * nx * 4);
    coltrans<<<32, 256>>>(out, in, nx, ny, 4);
)");
    EXPECT_EQ(draft.arguments[1].length, "1048576");
    EXPECT_EQ(draft.arguments[0].length, "nx * nx");
}

TEST(host_launch, the_square_of_a_small_number_is_one_as_of_a_filter) {
    const LaunchDraft draft = coltrans(R"(
    const int nx = 256, ny = 256, k = 5;
    float *out, *weights;
    cudaMalloc(&out, nx * ny * sizeof(float));
    cudaMalloc(&weights, k * k * sizeof(float));
    coltrans<<<(nx * ny + 255) / 256, 256>>>(out, weights, nx, ny, k);
)");
    EXPECT_EQ(draft.arguments[1].length, "reps * reps");
}

TEST(host_launch, one_count_alone_is_larger_than_a_side) {
    const LaunchDraft draft = coltrans(R"(
    std::vector<float> data = load("data.bin");
    int nx = data.size();
    float *in, *out;
    cudaMalloc(&in, data.size() * sizeof(float));
    cudaMalloc(&out, (nx + 1) * sizeof(float));
    coltrans<<<(nx + 255) / 256, 256>>>(out, in, nx, 1, 1);
)");
    EXPECT_EQ(draft.grid[0], "ceil_div(nx, 256)");
    EXPECT_EQ(draft.arguments[0].length, "nx + 1");
    EXPECT_EQ(draft.arguments[1].length, "nx");
    EXPECT_EQ(draft.arguments[2].value, "65536");
}

TEST(host_launch, a_volume_follows_its_three_sides_and_a_grid_the_tiles_of_its_blocks) {
    const LaunchDraft draft = coltrans(R"(
    int nx = 60, ny = 44, nz = 18;
    float *in, *out;
    cudaMalloc(&in, nx * ny * nz * sizeof(float));
    cudaMalloc(&out, nx * ny * nz * sizeof(float));
    coltrans<<<dim3((nx + 31) / 32, (ny + 31) / 32), dim3(32, 8)>>>(out, in, nx, ny, nz);
)");
    EXPECT_EQ(draft.arguments[1].length, "nx * ny * " + draft.arguments[4].name);
    EXPECT_EQ(draft.grid[0], "ceil_div(nx, 32)");
    EXPECT_EQ(draft.grid[1], "ceil_div(ny, 32)");
}

TEST(host_launch, parameters_of_template_types_keep_their_names) {
    const EntryFacts entry{"_Z5applyi5ArrayIPcLi2EE", "apply", {{"p0", "u32", 4, 0}, {"p1", "b8", 16, 8}}, 0};
    const LaunchDraft draft =
        guess_launch(entry,
                     "template <class T, int N> struct Array { T data[N]; };\n"
                     "__global__ void apply(int count, Array<char*, 2> pointers) { }\n");
    EXPECT_EQ(draft.arguments[0].name, "count");
    EXPECT_EQ(draft.arguments[1].name, "pointers");
}

TEST(host_launch, other_kernels_are_those_of_another_name) {
    KernelFile kernel;
    kernel.source =
        "namespace { __global__ void reduce_all(float* a) { } }\n__global__ void reduce(float* a) { }\n"
        "int main() { float* a; cudaMalloc(&a, 4); reduce<<<1, 32>>>(a); reduce_all<<<1, 32>>>(a); }\n";
    LaunchDraft draft;
    draft.entry = "(anonymous namespace)::reduce_all";
    EXPECT_EQ(other_kernels(draft, host_code_of(kernel)), "--kernel reduce") << "though its name begins so";
    draft.entry = "reduce";
    EXPECT_EQ(other_kernels(draft, host_code_of(kernel)), "--kernel reduce_all");
}

TEST(host_launch, other_instances_of_a_template_are_named_with_their_arguments) {
    KernelFile kernel;
    kernel.source =
        "template <int PAD> __global__ void tile(float* a) { }\n__global__ void copy(float* a) { }\n"
        "int main() { float* a; cudaMalloc(&a, 4); copy<<<1, 32>>>(a); tile<0><<<1, 32>>>(a); "
        "tile<1><<<1, 32>>>(a); }\n";
    LaunchDraft draft;
    draft.entry = "tile<0>";
    EXPECT_EQ(other_kernels(draft, host_code_of(kernel)), "--kernel copy, --kernel \"tile<1>\"");
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
