// A program with its device code set aside: what a host compiler is given.
#include <gmock/gmock.h>

#include <algorithm>

#include "instrumentation/host_program/program_source.h"

namespace warplens::instrumentation {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string changed(const std::string& text) {
    const auto files = program_source({{"mine.cu", text}}, {});
    if (!files) return files.error().message;
    EXPECT_EQ(std::ranges::count(text, '\n'), std::ranges::count(files->front().text, '\n'))
        << "every line keeps its number";
    return files->front().text;
}

TEST(program_source, a_kernel_reports_its_launch_with_its_arguments) {
    const std::string text = changed(
        "template <int N>\n"
        "__global__ void scale(const float* __restrict__ in, float (&table)[4], int n = 3, unsigned = 0) {\n"
        "    in[threadIdx.x] = n;  // device code\n"
        "}\n");
    EXPECT_THAT(
        text, HasSubstr("{ ::warplens_program::launched(__PRETTY_FUNCTION__, in, table, n, argument_3); }"));
    EXPECT_THAT(text, HasSubstr("unsigned argument_3 = 0)"));
    EXPECT_THAT(text, Not(HasSubstr("threadIdx")));
}

TEST(program_source, packs_and_kernels_without_parameters_are_passed_on) {
    EXPECT_THAT(changed("template <class... A> __global__ void f(A... rest) { g(rest...); }"),
                HasSubstr("launched(__PRETTY_FUNCTION__, rest...); }"));
    EXPECT_THAT(changed("__global__ void f(void) { }"), HasSubstr("launched(__PRETTY_FUNCTION__); }"));
    EXPECT_THAT(changed("__global__ void f() { }"), HasSubstr("launched(__PRETTY_FUNCTION__); }"));
}

TEST(program_source, a_launch_becomes_a_call) {
    const std::string text = changed(
        "__global__ void k(int*) {}\n"
        "int main() {\n"
        "    k<<<dim3(2, 3), // blocks\n"
        "        64>>>(p);\n"
        "    if (x) sums::tile<float, 2>::run<4><<<1, 2, 3, s>>>(p, q(1, 2));\n"
        "    table[i].kernel<<<g, b>>>();\n"
        "}\n");
    EXPECT_THAT(text, HasSubstr("(::warplens_program::configure(\"mine.cu\", 3, dim3 ( 2 , 3 ) , 64), k"));
    EXPECT_THAT(text, HasSubstr("if (x) (::warplens_program::configure(\"mine.cu\", 5, 1 , 2 , 3 , s), "
                                "sums::tile<float, 2>::run<4>(p, q(1, 2)));"));
    EXPECT_THAT(text, HasSubstr(", g , b), table[i].kernel());"));
}

TEST(program_source, a_launch_in_a_macro_becomes_a_call_in_the_line_of_its_use) {
    const std::string text = changed(
        "#define RUN(k, g, ...) do { k<<<(g), 64>>>(__VA_ARGS__); \\\n    check(); } while (0)\n"
        "#define AT(g) kernel<2><<<g, 32>>>\n"
        "#define ALONE <<<1, 2>>>\n"
        "int main() { RUN(step, n / 64, a, b); AT(3)(a); }\n");
    EXPECT_THAT(text, HasSubstr("do { (::warplens_program::configure(\"mine.cu\", __LINE__, ( g ) , 64), "
                                "k(__VA_ARGS__)); \\\n"));
    EXPECT_THAT(text,
                HasSubstr("#define AT(g) (::warplens_program::configure(\"mine.cu\", __LINE__, g , 32), "
                          "kernel<2>)"));
    EXPECT_THAT(text, HasSubstr("#define ALONE <<<1, 2>>>")) << "the compiler says what it thinks of it";
    EXPECT_THAT(text, HasSubstr("RUN(step, n / 64, a, b); AT(3)(a);"));
}

TEST(program_source, functions_for_the_device_are_set_aside_and_those_for_both_stay) {
    const std::string text = changed(
        "__device__ float only(float x) { return __ldg(&x); }\n"
        "__host__ __device__ float both(float x) { return x + 1; }\n"
        "#define HD __host__ __device__\n"
        "HD int twice(int x) { return 2 * x; }\n"
        "struct Square {\n"
        "    __device__ float operator()(float x) const { return __fmul_rn(x, x); }\n"
        "    HD int id() const { return 7; }\n"
        "};\n"
        "__constant__ float mask[4];\n");
    EXPECT_THAT(text, Not(HasSubstr("__ldg")));
    EXPECT_THAT(text, Not(HasSubstr("__fmul_rn")));
    EXPECT_THAT(
        text,
        HasSubstr(
            "operator()(float x) const { ::warplens_program::only_on_a_device(\"operator()\"); throw 0; }"));
    EXPECT_THAT(text, HasSubstr("return x + 1"));
    EXPECT_THAT(text, HasSubstr("return 2 * x"));
    EXPECT_THAT(text, HasSubstr("return 7"));
    EXPECT_THAT(text, HasSubstr("__constant__ float mask[4];"));
}

TEST(program_source, managed_variables_are_made_known_and_others_are_not) {
    EXPECT_THAT(changed("__device__ __managed__ int counter = 3;\n"),
                HasSubstr("counter = 3; static const bool warplens_manages_counter = "
                          "::warplens_program::Variables::instance().manage(\"counter\", counter);"));
    EXPECT_THAT(changed("__device__ int counter = 3;\n__constant__ float mask[9];\n"),
                Not(HasSubstr("manage(")));
}

TEST(program_source, a_lambda_for_the_device_gets_a_type_that_names_its_line) {
    const std::string text = changed(
        "int main() {\n"
        "    run(n, [=] __device__(int i) { x[i] = i; });\n"
        "    auto both = [a, &b] __host__ __device__ (int i) mutable {\n"
        "        return a[i]; };\n"
        "    auto host = [=](int i) { return a[i]; };\n"
        "    values[3] = 1;\n"
        "}\n");
    EXPECT_THAT(text,
                HasSubstr("run(n, ::warplens_program::lambda_at<2>([=] __device__(int i) { x[i] = i; }));"));
    EXPECT_THAT(text, HasSubstr("auto both = ::warplens_program::lambda_at<3>([a, &b]"));
    EXPECT_THAT(text, HasSubstr("return a[i]; });"));
    EXPECT_THAT(text, HasSubstr("auto host = [=](int i) { return a[i]; };"));
}

TEST(program_source, a_launch_that_is_no_call_is_named_with_its_line) {
    EXPECT_THAT(changed("int main() {\n    k<<<1, 2>>>;\n}\n"),
                HasSubstr("mine.cu:2: the launch has no form"));
    EXPECT_THAT(changed("int main() {\n    k<<<1, 2>>>(a;\n"), HasSubstr("mine.cu:2:"));
}

}  // namespace
}  // namespace warplens::instrumentation
