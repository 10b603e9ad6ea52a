// Alternatives in host code: cases of a switch, sides of an if, kernels in a table of structures; and other
// things that whole programs do: texts, complex numbers, normal distributions, temporaries.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/catalog/host_launch.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {
namespace {

using host_code::Contents;
using host_code::HostArgument;
using host_code::HostLaunch;
using host_code::NumberType;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<HostLaunch> launches_of(const std::string& source) {
    return host_code::read_host_code({{"alternatives.cu", source}}, {}).launches;
}

std::vector<std::string> kernels_of(const std::string& source) {
    std::vector<std::string> kernels;
    for (const HostLaunch& launch : launches_of(source)) kernels.push_back(launch.expression());
    return kernels;
}

std::string held(const HostArgument& argument, NumberType stored = NumberType::f32) {
    if (!argument.storage) return "no memory";
    const Contents& contents = argument.storage->contents;
    if (contents.kind == Contents::Kind::guessed) return "guessed: " + contents.by;
    return contents.formula ? text_of(contents.formula, stored) : "nothing";
}

const std::string two_kernels =
    "__global__ void a(int* p, const char* text) { }\n__global__ void b(int* p, const char* text) { }\n";

TEST(host_alternatives, a_case_finds_memory_as_the_switch_did_where_the_iteration_has_filled_it) {
    const auto of = [](const std::string& in_loop, const std::string& before) {
        const auto launches = launches_of(two_kernels + "int main() {\n  int* p;\n  cudaMalloc(&p, 64);\n  " +
                                          before + "\n  for (int v = 0; v < 2; ++v) {\n    " + in_loop +
                                          "\n    switch (v) {\n    case 0: a<<<1, 16>>>(p, 0); break;\n"
                                          "    case 1: b<<<1, 16>>>(p, 0); break;\n    }\n  }\n}\n");
        return launches.size() == 2 ? held(launches[1].arguments[0], NumberType::i32) : "other launches";
    };
    EXPECT_EQ(of("cudaMemset(p, 0, 64);", ""), "0");
    EXPECT_EQ(of("", "cudaMemset(p, 0, 64);"), "guessed: kernel `a`")
        << "the second iteration finds what a wrote";
    EXPECT_EQ(of("", ""), "guessed: kernel `a`");
}

TEST(host_alternatives, of_a_loop_the_pass_with_most_threads_is_the_launch) {
    const auto of = [](const std::string& loop) {
        const auto launches = launches_of(
            "__global__ void k(int* p, const int* q, int d) { }\n"
            "int main() {\n  int* p;\n  int* q;\n  cudaMalloc(&p, 4096);\n"
            "  cudaMalloc(&q, 4096);\n  cudaMemset(p, 0, 4096);\n  cudaMemset(q, 0, 4096);\n  " +
            loop + "\n}\n");
        if (launches.size() != 1 || launches[0].arguments.size() != 3) return std::string("other launches");
        const HostLaunch& launch = launches[0];
        return fmt::format("{} of {}: {} blocks, d {}, p + {} {}, q {}", launch.pass, launch.passes,
                           launch.grid[0].value_or(0), launch.arguments[2].integer,
                           launch.arguments[0].offset, held(launch.arguments[0], NumberType::i32),
                           held(launch.arguments[1], NumberType::i32));
    };
    EXPECT_EQ(of("for (int i = 0; i < 9; ++i) { int b = i < 5 ? i + 1 : 9 - i; k<<<b, 32>>>(p, q, i); }"),
              "5 of 9: 5 blocks, d 4, p + 0 guessed: kernel `k`, q 0");
    EXPECT_EQ(of("for (int i = 2; i < 9; i += 3) { dim3 g(1); g.x = i * 2; k<<<g, 32>>>(p + i, q, i); }"),
              "3 of 3: 16 blocks, d 8, p + 32 guessed: kernel `k`, q 0");
    EXPECT_EQ(of("for (int i = 0; i < 9; ++i) if (i < 4) k<<<dim3(1, i + 1), 32>>>(p, q, i);"),
              "4 of 9: 1 blocks, d 3, p + 0 guessed: kernel `k`, q 0")
        << "the later passes launch nothing";
    const std::string first = "1 of 1: 1 blocks, d 0, p + 0 0, q 0";
    EXPECT_EQ(of("for (int i = 0; i < 9; ++i) k<<<1, 32>>>(p, q, i);"), first) << "of equals the first";
    EXPECT_EQ(of("for (int i = 0; i < 9; ++i) { if (i == 3) break; k<<<i + 1, 32>>>(p, q, i); }"),
              "3 of 4: 3 blocks, d 2, p + 0 guessed: kernel `k`, q 0");
    EXPECT_EQ(of("for (int i = 0; i < 9; ++i) { k<<<i + 1, 32>>>(p, q, i); if (done()) break; }"), first)
        << "whether a later pass comes is not followed";
    EXPECT_EQ(
        of("int* each[2] = {p, p + 8};\n  for (int i = 0; i < 2; ++i) k<<<i + 1, 32>>>(each[i], q, i);"),
        "2 of 2: 2 blocks, d 1, p + 32 guessed: kernel `k`, q 0");
    EXPECT_EQ(of("int i = 1;\n  while (i < 5) { if (i == 2) { ++i; continue; } k<<<i, 32>>>(p, q, i); "
                 "i += 2; }"),
              "2 of 2: 3 blocks, d 3, p + 0 guessed: kernel `k`, q 0");
    EXPECT_EQ(of("int s = 1;\n  do { k<<<s, 32>>>(p, q, s); s *= 2; } while (s < 8);"),
              "3 of 3: 4 blocks, d 4, p + 0 guessed: kernel `k`, q 0");
    EXPECT_EQ(of("for (int i = 0; i < 1 << 20; ++i) k<<<i + 1, 32>>>(p, q, i);"), first)
        << "more passes than are looked at";
    EXPECT_EQ(of("for (int i = 0; i < 9; ++i) k<<<9 - i, 32>>>(p, q, i);"),
              "1 of 1: 9 blocks, d 0, p + 0 0, q 0");
}

TEST(host_alternatives, of_two_sides_only_one_has_run) {
    const auto launches = launches_of(
        two_kernels +
        "int main(int argc, char** argv) {\n  int* p;\n  cudaMalloc(&p, 64);\n  cudaMemset(p, 0, 64);\n"
        "  if (getenv(\"FAST\")) a<<<1, 16>>>(p, 0);\n  else b<<<1, 16>>>(p, 0);\n  b<<<2, 8>>>(p, 0);\n}\n");
    ASSERT_THAT(launches, SizeIs(3));
    EXPECT_EQ(held(launches[0].arguments[0], NumberType::i32), "0");
    EXPECT_EQ(held(launches[1].arguments[0], NumberType::i32), "0");
    EXPECT_EQ(held(launches[2].arguments[0], NumberType::i32), "guessed: kernel `a`");
}

TEST(host_alternatives, kernels_in_a_table_of_structures_are_launched) {
    const std::string table =
        "template <int PAD> __global__ void tile(float* p) { }\n__global__ void copy(float* p) { }\n"
        "typedef void (*Kernel)(float*);\nstruct Variant { const char* name; Kernel kernel; };\n"
        "int main() {\n  float* p;\n  cudaMalloc(&p, 64);\n"
        "  const Variant all[] = {{\"copy\", copy}, {\"tile\", tile<0>}, {\"padded\", tile<1>}};\n";
    EXPECT_THAT(kernels_of(table + "  for (const Variant& v : all) v.kernel<<<1, 16>>>(p);\n}\n"),
                ElementsAre("copy", "tile<0>", "tile<1>"));
    EXPECT_THAT(kernels_of(table + "  for (int i = 0; i < 3; ++i) all[i].kernel<<<1, 16>>>(p);\n}\n"),
                ElementsAre("copy", "tile<0>", "tile<1>"));
    EXPECT_THAT(kernels_of(table + "  all[1].kernel<<<1, 16>>>(p);\n}\n"), ElementsAre("tile<0>"));
    EXPECT_THAT(
        kernels_of(table + "  std::vector<Variant> some = {{\"padded\", tile<1>}, {\"copy\", copy}};\n"
                           "  for (auto& v : some) (*v.kernel)<<<1, 16>>>(p);\n}\n"),
        ElementsAre("tile<1>", "copy"));
}

TEST(host_alternatives, a_text_that_grows_letter_by_letter_is_followed) {
    const auto launches = launches_of(
        two_kernels +
        "int main() {\n  const std::string pattern = \"cab\";\n  std::string text;\n  int* p;\n  char* d;\n"
        "  for (int i = 0; i < 32; ++i) text.push_back(pattern[i % pattern.size()]);\n"
        "  cudaMalloc(&d, text.size());\n"
        "  cudaMemcpy(d, text.c_str(), text.size(), cudaMemcpyHostToDevice);\n"
        "  a<<<1, 16>>>(p, d);\n}\n");
    ASSERT_THAT(launches, SizeIs(1));
    EXPECT_EQ(launches[0].arguments[1].bytes, 32);
    EXPECT_EQ(held(launches[0].arguments[1], NumberType::i32), "({99, 97, 98})[i % 3 + 1] or 0");
}

TEST(host_alternatives, complex_numbers_of_the_toolkit_have_two_members) {
    const auto launches = launches_of(
        "__global__ void k(cuFloatComplex* x, const cuDoubleComplex* y) { }\nint main() {\n"
        "  cuFloatComplex* x;\n  cuDoubleComplex* y;\n  cudaMallocManaged(&x, 8 * sizeof(cuFloatComplex));\n"
        "  cudaMallocManaged(&y, 8 * sizeof(*y));\n"
        "  for (int i = 0; i < 8; ++i) { x[i].x = i; x[i].y = 1.0f; y[i] = make_cuDoubleComplex(2.0, 2.0); "
        "}\n"
        "  k<<<1, 8>>>(x, y);\n}\n");
    ASSERT_THAT(launches, SizeIs(1));
    EXPECT_EQ(launches[0].arguments[0].bytes, 64);
    EXPECT_EQ(held(launches[0].arguments[0]),
              "i >= 1 and (i - 1) % 2 == 0 and 1 or i < 15 and i % 2 == 0 and i // 2 or 0");
    EXPECT_EQ(launches[0].arguments[1].bytes, 128);
    EXPECT_EQ(held(launches[0].arguments[1], NumberType::f64),
              "i >= 1 and (i - 1) % 2 == 0 and 2 or i < 15 and i % 2 == 0 and 2 or 0");
}

TEST(host_alternatives, a_normal_distribution_is_one) {
    const auto launches = launches_of(
        "__global__ void k(const float* x) { }\nint main() {\n  std::mt19937 engine(7);\n"
        "  std::normal_distribution<float> noise(5.0f, 2.0f);\n  std::vector<float> h(64);\n"
        "  for (int i = 0; i < 64; ++i) h[i] = noise(engine);\n  float* d;\n  cudaMalloc(&d, 256);\n"
        "  cudaMemcpy(d, h.data(), 256, cudaMemcpyHostToDevice);\n  k<<<1, 64>>>(d);\n}\n");
    ASSERT_THAT(launches, SizeIs(1));
    ASSERT_TRUE(launches[0].arguments[0].storage->contents.formula);
    const host_code::Formula& formula = *launches[0].arguments[0].storage->contents.formula;
    SplitMix64 draws{3};
    double sum = 0, squares = 0;
    constexpr int count = 20'000;
    for (int i = 0; i < count; ++i) {
        const auto x = value_at(formula, i, host_code::LoopVariables::unknown, &draws);
        ASSERT_TRUE(x);
        sum += *x;
        squares += *x * *x;
    }
    const double mean = sum / count;
    EXPECT_NEAR(mean, 5, 0.06) << "four standard errors";
    EXPECT_NEAR(squares / count - mean * mean, 4, 0.17);
}

TEST(host_alternatives, a_temporary_container_is_copied) {
    const auto launches = launches_of(
        "__global__ void k(float* x) { }\ntemplate <typename T> struct Tensor {\n"
        "  explicit Tensor(size_t n) { cudaMalloc(&p, n * sizeof(T)); }\n"
        "  Tensor(size_t n, T value) : Tensor(n) { take(std::vector<T>(n, value)); }\n"
        "  void take(const std::vector<T>& v) { cudaMemcpy(p, v.data(), v.size() * sizeof(T), "
        "cudaMemcpyHostToDevice); }\n  T* p;\n};\n"
        "int main() {\n  Tensor<float> x(64, 3.f);\n  k<<<1, 64>>>(x.p);\n}\n");
    ASSERT_THAT(launches, SizeIs(1));
    EXPECT_EQ(held(launches[0].arguments[0]), "3");
}

TEST(host_alternatives, a_quotient_does_not_grow_with_its_divisor) {
    const auto launches = launches_of(
        "__global__ void k(int* sums, int tile, int n) { }\nint main() {\n  int n = 1024 * 1024, tile = "
        "1024;\n"
        "  int* sums;\n  cudaMalloc(&sums, n / tile * sizeof(int));\n  k<<<n / tile, 256>>>(sums, tile, "
        "n);\n}\n");
    ASSERT_THAT(launches, SizeIs(1));
    const HostLaunch& launch = launches[0];
    EXPECT_FALSE(includes(launch.grid_roots[0], launch.arguments[1].roots));
    EXPECT_FALSE(includes(launch.arguments[0].storage->roots, launch.arguments[1].roots));
    EXPECT_TRUE(includes(launch.grid_roots[0], launch.arguments[2].roots));
}

TEST(host_alternatives, a_loop_over_known_numbers_is_run_to_its_end) {
    const auto launches = launches_of(
        "__global__ void k(int a, int b, int c, int d) { }\n"
        "int log_of(int n) { int r = 0; while (n >>= 1) ++r; return r; }\n"
        "int power_above(int n) { int p = 1; while (p < n) { p *= 2; } return p; }\n"
        "int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }\n"
        "int main() {\n  int levels = 0;\n  for (int i = 1; i < 100; i *= 3) levels++;\n"
        "  k<<<1, 32>>>(log_of(65536), power_above(1000), gcd(48, 36), levels);\n}\n");
    ASSERT_THAT(launches, SizeIs(1));
    std::vector<std::int64_t> numbers;
    for (const HostArgument& argument : launches[0].arguments) numbers.push_back(argument.integer);
    EXPECT_THAT(numbers, ElementsAre(16, 1024, 12, 5));
    EXPECT_THAT(launches_of("__global__ void k(int a) { }\nint main() { int a = 1; while (a != 0) a += 2; "
                            "k<<<1, 32>>>(a); }\n"),
                SizeIs(1))
        << "one that does not end is followed once";
}

TEST(host_alternatives, new_with_brackets_is_zero_and_a_sort_keeps_a_guess) {
    const auto launches = launches_of(
        "__global__ void k(int* p, int* q) { }\nint main() {\n  int* zeros = new int[64]();\n"
        "  int* sorted = new int[64];\n  for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) "
        "sorted[i * 8 + j] = i * 8 + j;\n  int *p, *q, *r;\n"
        "  cudaMalloc(&p, 256);\n  cudaMalloc(&q, 256);\n"
        "  cudaMemcpy(p, zeros, 256, cudaMemcpyHostToDevice);\n"
        "  cudaMemcpy(q, sorted, 256, cudaMemcpyHostToDevice);\n  k<<<1, 64>>>(p, q);\n"
        "  std::sort(sorted, sorted + 64);\n  cudaMalloc(&r, 256);\n"
        "  cudaMemcpy(r, sorted, 256, cudaMemcpyHostToDevice);\n  k<<<1, 64>>>(p, r);\n}\n");
    ASSERT_THAT(launches, SizeIs(2));
    EXPECT_EQ(held(launches[0].arguments[0], NumberType::i32), "0");
    EXPECT_EQ(held(launches[0].arguments[1], NumberType::i32), "i") << "i // 8 * 8 + i % 8";
    EXPECT_EQ(held(launches[1].arguments[1], NumberType::i32), "guessed: `sort`");
    EXPECT_EQ(text_of(launches[1].arguments[1].storage->contents.formula, NumberType::i32), "i");
}

TEST(host_alternatives, row_offsets_that_begin_with_another_row_are_followed) {
    const auto offsets = [](const std::string& body) {
        const auto launches = launches_of(
            "__global__ void k(const int* p) { }\nint main() {\n  int n = 64;\n  int* p;\n"
            "  cudaMallocManaged(&p, (n + 1) * sizeof(int));\n  p[0] = 0;\n"
            "  for (int i = 1; i < n; i++) {\n    " +
            body + "\n  }\n  p[n] = 190;\n  k<<<1, 64>>>(p);\n}\n");
        std::vector<double> values;
        if (launches.size() != 1 || !launches[0].arguments[0].storage->contents.formula) return values;
        for (const int i : {0, 1, 2, 3, 63, 64})
            values.push_back(value_at(*launches[0].arguments[0].storage->contents.formula, i).value_or(-1));
        return values;
    };
    EXPECT_THAT(offsets("if (i > 1) { p[i] = p[i - 1] + 3; } else { p[1] = 2; }"),
                ElementsAre(0, 2, 5, 8, 188, 190));
    EXPECT_THAT(offsets("if (i == 1) p[i] = 2; else p[i] = p[i - 1] + 3;"),
                ElementsAre(0, 2, 5, 8, 188, 190));
    EXPECT_THAT(offsets("if (i % 2 == 1) p[i] = 2; else p[i] = p[i - 1] + 3;"), IsEmpty())
        << "more than the first";
}

}  // namespace
}  // namespace warplens::instrumentation
