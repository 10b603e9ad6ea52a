// What host code is read to put into memory: exactly what the program computes, or a guess that says so.
#include "instrumentation/host_code/device_code.h"
#include "instrumentation/host_code/launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "instrumentation/catalog/fill_formula.h"

namespace warplens::instrumentation::host_code {
namespace {

/// The first launch of a program with `declarations` before main.
HostCode read(const std::string& main, const std::string& declarations = "") {
    return read_host_code({{"main.cu", "__global__ void k(float* a, const float* b, int n);\n" +
                                           declarations + "\nint main() {\n" + main + "\n}\n"}},
                          {});
}

/// What the first argument of the first launch holds: a formula, "unfilled", or "guessed: …".
std::string contents(const std::string& main, const std::string& declarations = "") {
    const HostCode code = read(main + "; k<<<1, 32>>>(a, a, n);", declarations);
    if (code.launches.empty() || code.launches[0].arguments.empty()) return "no launch";
    const auto& storage = code.launches[0].arguments[0].storage;
    if (!storage) return "no memory";
    const Contents& held = storage->contents;
    if (held.kind == Contents::Kind::unfilled) return "unfilled";
    if (held.kind == Contents::Kind::guessed) return "guessed: " + held.by;
    return text_of(held.formula, number_type_of(held.unit));
}

std::string filled(const std::string& fill, const std::string& type = "float") {
    return contents("int n = 64; " + type + "* a = (" + type + "*)malloc(n * sizeof(" + type + ")); " + fill);
}

TEST(host_contents, a_counted_loop_gives_a_formula_of_the_index) {
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = i;"), "i");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = 2.0f;"), "2");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = (i % 7) * 0.5f;"), "i % 7 * 0.5");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = i / 4;"), "i // 4") << "of integers";
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = (float)i / 4;"), "i / 4");
    EXPECT_EQ(filled("int i; for (i = n - 1; i >= 0; --i) a[i] = i + 1;"), "(63 - i) * -1 + 63 + 1");
    EXPECT_EQ(
        filled("for (int y = 0; y < 8; ++y) for (int x = 0; x < 8; ++x) a[y * 8 + x] = x == y ? 1.f : 0.f;"),
        "i % 8 == i // 8 and 1 or 0");
}

TEST(host_contents, parts_and_branches_keep_what_was_there) {
    EXPECT_EQ(filled("memset(a, 0, n * sizeof(float)); for (int i = 0; i < 8; i++) a[i] = 1;"),
              "i < 8 and 1 or 0");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) { if (i % 2 == 0) a[i] = 1; else a[i] = 2; }"),
              "i % 2 ~= 0 and 2 or i % 2 == 0 and 1 or 0");
    EXPECT_EQ(filled("a[3] = 5;"), "i >= 3 and i < 4 and 5 or 0");
}

TEST(host_contents, a_condition_of_several_comparisons_is_followed) {
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = (i == 0 || i == n - 1);"),
              "(i == 0 or i == 63) and 1 or 0")
        << "and not what it is for the first element";
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = i % 2 && i > 8 ? 3 : 4;"),
              "i % 2 ~= 0 and i > 8 and 3 or 4")
        << "Lua takes 0 for true";
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = !(i > 8);"), "i <= 8 and 1 or 0");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) if (!(i < 8 || i > 40)) a[i] = 1; else a[i] = 2;"),
              "(i < 8 or i > 40) and 2 or 1");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = n > 3 && i;"), "i ~= 0 and 1 or 0");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = n > 300 && i;"), "0");
}

TEST(host_contents, infinity_is_put_and_compared_and_not_computed_with) {
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = -INFINITY;"), "-math.huge");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = i == 3 ? 0.f : INFINITY;"),
              "i == 3 and 0 or math.huge");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = HUGE_VAL > i ? 1 : 2;", "double"), "1");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = i * INFINITY;"),
              "guessed: an expression that is not followed")
        << "the first is not a number";
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = (float)1e300;"),
              "guessed: an expression that is not followed");
}

TEST(host_contents, branches_on_one_random_number_draw_it_once) {
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) if (rand() % 10 < 2) a[i] = 5; else a[i] = 7;"),
              "random(10) < 2 and 5 or 7");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) { if (i == 3) a[i] = 0; else if (rand() % 10 < 2)"
                     "a[i] = rand() % 100; else a[i] = 9; }"),
              "i ~= 3 and (random(10) < 2 and random(100) or 9) or 0");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) { float x = 0; if (rand() % 10 < 2) x = 1; else x = 4;"
                     "a[i] = x; }"),
              "random(10) < 2 and 1 or 4");
    EXPECT_THAT(filled("for (int i = 0; i < n; i++) { int x = rand() % 10; a[i] = x < 5 ? x : 0; }"),
                testing::StartsWith("guessed"))
        << "its draws would be two";
}

TEST(host_contents, running_sums_are_exact) {
    const std::string degree = "int degree(int r) { return 1 + r % 7; }";
    EXPECT_EQ(contents("int n = 64; int* a = (int*)malloc((n + 1) * sizeof(int)); a[0] = 0;"
                       "for (int i = 0; i < n; i++) a[i + 1] = a[i] + degree(i)",
                       degree),
              "sum(i, [[1 + i % 7]])");
    EXPECT_EQ(filled("a[0] = 5; for (int i = 1; i < n; i++) a[i] = a[i - 1] + 3;", "int"), "5 + i * 3");
    EXPECT_EQ(
        filled("for (int i = 0; i < n; i++) a[i] = i % 4; for (int i = 1; i < n; i++) a[i] += a[i - 1];",
               "int"),
        "sum(i, [[(i + 1) % 4]])");
    EXPECT_EQ(
        filled("int s = 0; for (int i = 0; i < n; i++) { a[i] = s; int k = 2 + (i & 3); s += k; }", "int"),
        "sum(i, [[2 + (i & 3)]])");
    EXPECT_EQ(filled("int s = 0; for (int i = 0; i < n; i++) { a[i] = s; for (int k = 0; k < 4; k++) s++; }",
                     "int"),
              "i * 4");
    EXPECT_EQ(contents("int n = 0; int* a = (int*)malloc(256); for (int i = 0; i < 64; i++) n += i % 5;"
                       "for (int i = 0; i < 64; i++) a[i] = n"),
              "126")
        << "after the loop it is a number";
    const std::string scan =
        "int n = 64; std::vector<int> d(n), a(n + 1); for (int i = 0; i < n; i++) "
        "d[i] = i % 5 + 3; ";
    EXPECT_EQ(contents(scan + "std::partial_sum(d.begin(), d.end(), a.begin() + 1)"),
              "i >= 1 and sum(i - 1 + 1, [[i % 5 + 3]]) or 0");
    EXPECT_EQ(contents(scan + "std::exclusive_scan(d.begin(), d.end(), a.begin(), 2)"),
              "i < 64 and 2 + sum(i, [[i % 5 + 3]]) or 0");
}

TEST(host_contents, what_is_no_running_sum_is_a_guess) {
    for (const char* fill :
         {"int s = 0; for (int i = 0; i < n; i++) { a[i] = s; s += s + 1; }",
          "int s = 0; for (int i = 0; i < n; i++) { a[i] = s; if (i % 3) s += 2; }",
          "int s = 0; for (int i = 0; i < n; i++) { a[i] = s; s += 2; if (i % 3) s = 0; }",
          "int s = 0; for (int i = 0; i < n; i++) { if (i == 9) break; a[i] = s; s += 2; }",
          "int s = 0; for (int i = 0; i < n; i++) { a[i] = s; s += 1 + i % 2; change(&s); }",
          "int s = 0; for (int i = 0; i < n; i++) { a[i] = s; s += 100000000 + i; }",
          "a[0] = 1; for (int i = 1; i < n; i++) a[i] = a[i - 1] * 3;",
          "a[0] = 1; for (int i = 1; i < n; i++) a[i] = a[i - 1] + a[i - 1];",
          "a[0] = 1; for (int i = 2; i < n; i++) a[i] = a[i - 1] + a[i - 2];"})
        EXPECT_EQ(filled(fill, "int").substr(0, 7), "guessed") << fill << ": " << filled(fill, "int");
}

TEST(host_contents, random_numbers_keep_their_range) {
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = rand() / (float)RAND_MAX;"), "random()");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = (float)rand() / RAND_MAX;"), "random()");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = 5 + rand() % 10;", "int"), "5 + random(10)");
    EXPECT_EQ(filled("for (int i = 0; i < n; i++) a[i] = rand() & 0xFF;", "int"), "random(256)");
    EXPECT_EQ(filled("std::mt19937 g; std::uniform_int_distribution<int> d(3, 8); for (int i = 0; i < n; "
                     "i++) a[i] = d(g);",
                     "int"),
              "random(6) + 3");
    EXPECT_EQ(filled("std::mt19937 g(7); for (int i = 0; i < n; i++) a[i] = g() % 100;", "int"),
              "random(100)");
}

/// RandFloat of NVIDIA's samples, which gives numbers from low to high.
TEST(host_contents, a_random_number_that_is_used_twice_is_one_number) {
    const std::string loop = "for (int i = 0; i < n; i++) ";
    EXPECT_EQ(filled(loop + "{ float t = rand() / (float)RAND_MAX; a[i] = (1.0f - t) * 5.0f + t * 30.0f; }"),
              "f32(random() * 25) + 5");
    EXPECT_EQ(filled(loop + "{ float t = rand() / (float)RAND_MAX; a[i] = t * t; }").substr(0, 7), "guessed")
        << "not a straight line";
    EXPECT_EQ(filled("std::mt19937 g; std::uniform_real_distribution<float> d(0, 1); " + loop +
                     "a[i] = d(g) - d(g);"),
              "random() - random()")
        << "two numbers";
}

TEST(host_contents, types_of_several_words_are_followed_in_template_arguments) {
    const std::string vector =
        "std::vector<unsigned char> v(64); for (int i = 0; i < 64; i++) v[i] = i % 7; ";
    EXPECT_EQ(contents(vector + "int n = 64; unsigned char* a; cudaMalloc(&a, v.size()); "
                                "cudaMemcpy(a, v.data(), v.size(), cudaMemcpyHostToDevice);"),
              "i % 7");
}

TEST(host_contents, what_is_not_followed_is_a_guess_and_never_a_number) {
    const std::string loop = "for (int i = 0; i < n; i++) ";
    for (const std::string& fill :
         {"float x = 0; " + loop + "{ a[i] = x; x += 0.5f; }",
          std::string("int i = 0; while (i < n) a[i++] = 1;"), loop + "{ if (i == 3) continue; a[i] = 1; }",
          loop + "if (is_prime(i)) a[i] = 1;", std::string("fread(a, 4, n, f);"), loop + "a[i * i] = 1;",
          std::string("memset(a, 0, n * 4); for (int i = 1; i < n; i++) a[i] = a[i - 1] + i % 7;"),
          loop + "a[i] = table[i];", std::string("k<<<1, 32>>>(a, a, n);"),
          "unsigned s = 7; " + loop + "{ s = s * 3 + 1; a[i] = s; }"}) {
        std::string held = filled(fill);
        if (fill.starts_with("k<<<")) {  // what the second launch gets
            const HostCode code = read("int n = 64; float* a; cudaMalloc(&a, 256); " + fill + fill);
            ASSERT_EQ(code.launches.size(), 2u);
            held = code.launches[1].arguments[0].storage->contents.kind == Contents::Kind::guessed
                       ? "guessed: "
                       : "known";
        }
        EXPECT_TRUE(held.starts_with("guessed: ")) << fill << " gives " << held;
    }
    EXPECT_EQ(filled(""), "unfilled");
    EXPECT_EQ(filled(loop + "a[i] = i; " + loop + "a[i] = a[i] * 2;"), "i * 2") << "its own element";
}

TEST(host_contents, copies_follow_offsets_and_helpers_their_arguments) {
    EXPECT_EQ(
        contents("int n = 8; float h[8]; for (int i = 0; i < 8; ++i) h[i] = i; float* a; cudaMalloc(&a, 64); "
                 "cudaMemcpy(a + 4, h, 32, cudaMemcpyHostToDevice)"),
        "i >= 4 and i < 12 and i + -4 or 0");
    EXPECT_EQ(
        contents("int n = 64; float* a = new float[n]; set(a, n, 3.0f)",
                 "template <class T> void set(T* p, int n, T x) { for (int i = 0; i < n; ++i) p[i] = x; }"),
        "3");
    EXPECT_EQ(contents("int n = 4; std::vector<int> a = {4, 9, 1, 7}"), "({4, 9, 1, 7})[i + 1] or 0");
    EXPECT_EQ(contents("int n = 64; thrust::host_vector<float> a(n); thrust::sequence(a.begin(), a.end())"),
              "i");
    EXPECT_EQ(contents("int n = 4; std::vector<int> a; for (int i = 0; i < n; ++i) a.push_back(i * 2)"),
              "i * 2");
    EXPECT_EQ(contents("int n = 2; P a[2]; for (int i = 0; i < 2; ++i) { a[i].x = 1; a[i].y = i; }",
                       "struct P { float x, y; };"),
              "i >= 1 and (i - 1) % 2 == 0 and (i - 1) // 2 or i < 3 and i % 2 == 0 and 1 or 0");
}

TEST(host_contents, equal_numbers_are_related_only_when_computed_from_each_other) {
    const HostCode code = read(
        "int n = 64, m = 64; float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, m * 4); "
        "k<<<(n + 31) / 32, 32>>>(a, b, n);");
    ASSERT_EQ(code.launches.size(), 1u);
    const HostLaunch& launch = code.launches[0];
    const Roots& n = launch.arguments[2].roots;
    EXPECT_TRUE(includes(launch.arguments[0].storage->roots, n));
    EXPECT_FALSE(includes(launch.arguments[1].storage->roots, n));
    EXPECT_TRUE(includes(launch.grid_roots[0], n));
}

TEST(host_contents, a_size_follows_the_pointer_that_it_names) {
    const auto bytes = [](const std::string& size) {
        const HostCode code = read("int n = 8; double* a; short* many[4]; double t[3][2]; cudaMalloc(&a, " +
                                   size + "); k<<<1, 32>>>(a, a, n);");
        return code.launches.at(0).arguments.at(0).bytes;
    };
    EXPECT_EQ(bytes("n * sizeof(*a)"), 64);
    EXPECT_EQ(bytes("n * sizeof *a"), 64);
    EXPECT_EQ(bytes("sizeof(a[0]) * n"), 64);
    EXPECT_EQ(bytes("n * sizeof(many[0])"), 64) << "a pointer's";
    EXPECT_EQ(bytes("sizeof(t) / sizeof(t[0][0])"), 6);
    EXPECT_EQ(bytes("n * sizeof(curandState)"), 384);
}

TEST(host_contents, what_is_copied_to_a_variable_of_the_device_is_its_initializer) {
    const HostCode code = read(
        "float h[3] = {0.1f, 2, -3.5f}; cudaMemcpyToSymbol(filter, h, sizeof(h)); int s = 3; "
        "cudaMemcpyToSymbol(shift, &s, sizeof(s)); k<<<1, 32>>>(0, 0, 1);",
        "__constant__ float filter[3]; __constant__ int shift;");
    ASSERT_EQ(code.copied_symbols.size(), 2u);
    EXPECT_EQ(initializer_of(code.copied_symbols[0].second), "{0.1f, 2.0f, -3.5f}");
    EXPECT_EQ(initializer_of(code.copied_symbols[1].second), "{3}");
    std::string numbers = "0";  // no ramp
    for (int i = 1; i < 64; ++i) numbers += ", " + std::to_string(i * i);
    const HostCode table = read(
        "int h[64] = {" + numbers + "}; cudaMemcpyToSymbol(squares, h, sizeof(h)); k<<<1, 32>>>(0, 0, 1);",
        "__constant__ int squares[64];");
    ASSERT_EQ(table.copied_symbols.size(), 1u);
    EXPECT_EQ(initializer_of(table.copied_symbols[0].second), "{" + numbers + "}");
}

TEST(host_contents, each_variable_gets_its_initializer_once) {
    std::vector<host_code::File> files{
        {"k.cu", "__constant__ float a[4];\n__constant__ float b[2], c;\n__device__ int d;\n"}};
    host_code::add_initializers(files, {{"a", "{1}"}, {"b", "{2}"}, {"c", "{3}"}, {"d", "{4}"}});
    EXPECT_EQ(
        files[0].text,
        "__constant__ float a[4] = {1};\n__constant__ float b[2] = {2}, c = 3;\n__device__ int d = 4;\n");
}

TEST(host_contents, a_constant_of_structures_holds_their_numbers_in_order) {
    const auto initializer = [](const std::string& members, const std::string& fill) {
        const HostCode code = read("Ball h[2]; for (int i = 0; i < 2; ++i) {" + fill +
                                       "} cudaMemcpyToSymbol(balls, h, sizeof(h)); k<<<1, 32>>>(0, 0, 1);",
                                   "struct Ball { " + members + " }; __constant__ Ball balls[2];");
        if (code.copied_symbols.empty()) return std::string("none");
        return initializer_of(code.copied_symbols[0].second).value_or("not followed");
    };
    EXPECT_EQ(initializer("float x; float r;", "h[i].x = i; h[i].r = 2.5f;"), "{0.0f, 2.5f, 1.0f, 2.5f}");
    EXPECT_EQ(initializer("float x; int n;", "h[i].x = 1.5f; h[i].n = i + 3;"), "{1.5f, 3, 1.5f, 4}");
    const std::string random = initializer("float x;", "h[i].x = rand() / (float)RAND_MAX * 4 + 8;");
    double first = 0, second = 0;
    ASSERT_EQ(std::sscanf(random.c_str(), "{%lff, %lff}", &first, &second), 2) << random;
    EXPECT_TRUE(first >= 8 && first < 12 && second >= 8 && second < 12 && first != second) << random;
    EXPECT_EQ(initializer("float x; Ball() {}", "h[i].x = i;"), "not followed") << "braces do not list it";
    EXPECT_EQ(initializer("char c; float x;", "h[i].x = i;"), "not followed") << "bytes between its members";
}

/// Names of the kernels that the launches have, in order.
std::string launched(const std::string& main) {
    const HostCode code = read(main,
                               "__global__ void one(float* a) {}\n__global__ void two(float* a) {}\n"
                               "__global__ void three(float* a) {}\n");
    std::string names;
    for (const HostLaunch& launch : code.launches) names += (names.empty() ? "" : " ") + launch.kernel;
    return names;
}

TEST(host_launches, a_pointer_to_a_kernel_stands_for_each_that_it_may_have) {
    const std::string pointer = "float* a; cudaMalloc(&a, 4); void (*p)(float*) = nullptr; ";
    EXPECT_EQ(launched(pointer + "for (int i = 0; i < 3; i++) { switch (i) { case 0: p = &one; break; "
                                 "case 1: p = &two; break; case 2: p = three; break; } p<<<1, 32>>>(a); }"),
              "one two three");
    EXPECT_EQ(launched(pointer + "for (int i = 0; i < 3; i++) { if (i == 0) p = one; else p = two; "
                                 "p<<<1, 32>>>(a); }"),
              "one two");
    EXPECT_EQ(launched("float* a; cudaMalloc(&a, 4); void (*all[])(float*) = {one, two, three}; "
                       "for (int i = 0; i < 3; i++) all[i]<<<1, 32>>>(a);"),
              "one two three");
    EXPECT_EQ(launched(pointer + "p = two; p<<<1, 32>>>(a);"), "two");
}

TEST(host_launches, a_loop_over_the_cases_of_a_switch_comes_to_each_launch_once) {
    EXPECT_EQ(launched("float* a; cudaMalloc(&a, 4); for (int i = 0; i < 3; i++) switch (i) { case 0: "
                       "one<<<1, 32>>>(a); break; case 1: two<<<1, 32>>>(a); break; default: "
                       "three<<<1, 32>>>(a); }"),
              "one two three");
    EXPECT_EQ(launched("float* a; cudaMalloc(&a, 4); switch (1) { case 0: one<<<1, 32>>>(a); break; case 1: "
                       "two<<<1, 32>>>(a); break; case 2: three<<<1, 32>>>(a); }"),
              "two")
        << "known";
}

/// Nothing behind the last token is read: the sanitizers see it where the tokens fill their room, which one
/// of these does.
TEST(host_code, a_file_may_end_within_a_switch) {
    for (std::size_t others = 0; others <= 64; ++others) {
        const std::string before = "__global__ void k(float* a);\nint main() { float* a; int n = 1; " +
                                   std::string(others, ';') + " switch (n) { case 1: k<<<1, 32>>>(a); ";
        for (const char* end : {"f(n", "f(", "{ n", "case", "default", "if (n", "switch (n"})
            EXPECT_EQ(read_host_code({{"main.cu", before + end}}, {}).launches.size(), 1u) << end;
    }
}

/// The formula, evaluated as a header's fill.
TEST(fill_formula, elements_are_those_that_c_computes) {
    PreparedBuffer buffer;
    buffer.element_type = "u8";
    buffer.element_bytes = 1;
    buffer.data.resize(300);
    FillArguments arguments;
    arguments.formula = "i * n - 1";
    arguments.names["n"] = std::int64_t{3};
    ASSERT_TRUE(fill_by_formula(buffer, arguments));
    for (int i = 0; i < 300; ++i)
        EXPECT_EQ(std::to_integer<int>(buffer.data[static_cast<std::size_t>(i)]),
                  static_cast<std::uint8_t>(i * 3 - 1));
    arguments.formula = "sum(i % 40, [[i % n]]) + sum(-1, [[i]])";
    ASSERT_TRUE(fill_by_formula(buffer, arguments));
    for (int i = 0, total = 0; i < 300; ++i) {
        if (i % 40 == 0) total = 0;
        EXPECT_EQ(std::to_integer<int>(buffer.data[static_cast<std::size_t>(i)]), total);
        total += i % 40 % 3;
    }
    for (const char* wrong : {"i / 2", "nothing", "i +", "random(0)", "{}", "sum(i, [[]])", "sum(i)"}) {
        arguments.formula = wrong;
        EXPECT_FALSE(fill_by_formula(buffer, arguments)) << wrong;
    }
}

}  // namespace
}  // namespace warplens::instrumentation::host_code
