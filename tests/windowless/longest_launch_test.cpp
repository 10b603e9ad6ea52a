// A file that launches several kernels, none of them named: the one that takes longest is shown, and the
// others are named with what shows them. A grid that nobody can wait for is sampled.
#include <gmock/gmock.h>

#include <string>

#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using LongestLaunch = TypedCommands;

const std::string fill_and_work =
    "__global__ void fill(float* a) { a[threadIdx.x] = 1; }\n"
    "__global__ void work(float* a, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float sum = 0;\n"
    "  for (int k = 0; k < n; ++k)\n    for (int j = 0; j < n; ++j) sum += a[(k * j) & 63];\n"
    "  a[i] = sum;\n}\n";

TEST_F(LongestLaunch, the_first_is_not_the_default) {
    const std::string source =
        file("first.cu", fill_and_work +
                             "int main() {\n  float* a;\n  cudaMalloc(&a, 4096);\n  fill<<<1, 1>>>(a);\n"
                             "  work<<<4, 256>>>(a, 2);\n  fill<<<1, 64>>>(a);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, AllOf(HasSubstr("the launch of work is guessed from line 13"),
                                     HasSubstr("another kernel with --kernel fill\n")));
    const Outcome other = warplens({"report", source, "--no-advice", "--kernel", "fill"});
    EXPECT_THAT(other.error, AllOf(HasSubstr("the launch of fill is guessed from line 12"),
                                   HasSubstr("another kernel with --kernel work\n")));
}

TEST_F(LongestLaunch, threads_decide) {
    const std::string source = file("threads.cu",
                                    "__global__ void few(float* a) { a[threadIdx.x] = 1; }\n"
                                    "__global__ void many(float* a) { a[threadIdx.x] = 2; }\n"
                                    "int main() {\n  float* a;\n  cudaMalloc(&a, 4096);\n"
                                    "  few<<<1, 256>>>(a);\n  many<<<1000, 256>>>(a);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, HasSubstr("the launch of many is guessed from line 7"));
}

TEST_F(LongestLaunch, a_default_template_argument_is_followed) {
    const std::string source = file(
        "functor.cu",
        "namespace sums {\nstruct Plus { __device__ int operator()(int a) const { return a + 1; } };\n"
        "template <typename F> __global__ void k(int* out, F f) { out[threadIdx.x] = f(threadIdx.x); }\n"
        "template <typename T, typename F = Plus> void go(T* out, F f = F{}) { k<<<1, 96>>>(out, f); }\n}\n"
        "int main() {\n  int* out;\n  cudaMalloc(&out, 4096);\n  sums::go(out);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("the launch of sums::k<sums::Plus> is guessed"));
}

TEST_F(LongestLaunch, loops_decide) {
    const std::string source =
        file("loops.cu", fill_and_work +
                             "int main() {\n  float* a;\n  cudaMalloc(&a, 4096);\n  fill<<<4, 256>>>(a);\n"
                             "  work<<<2, 256>>>(a, 2);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, HasSubstr("the launch of work is guessed from line 13"));
}

TEST_F(LongestLaunch, a_grid_of_hours_is_sampled) {
    const std::string source =
        file("grid.cu",
             "__global__ void k(float* a) {\n  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;\n"
             "  if (i < 1000) a[i] = i;\n}\n"
             "int main() {\n  float* a;\n  cudaMalloc(&a, 4000);\n  k<<<2147483647, 1024>>>(a);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("k: 2,147,483,647 blocks would take minutes to hours"));
    EXPECT_THAT(outcome.out, HasSubstr(" of 2,147,483,647 blocks: a sample"));
    const Outcome chosen = warplens({"report", source, "--no-advice", "--blocks", "0-3"});
    EXPECT_THAT(chosen.error, Not(HasSubstr("would take")));
    EXPECT_THAT(chosen.out, HasSubstr("4 of 2,147,483,647 blocks: a sample"));
}

TEST_F(LongestLaunch, a_byte_that_no_text_has_ends_no_file) {
    const std::string source = file("byte.cu",
                                    "// caf\xff\xfe\n__global__ void k(int* out) { out[threadIdx.x] = 1; }\n"
                                    "int main() {\n  int* out;\n  cudaMalloc(&out, 128);\n"
                                    "  k<<<1, 32>>>(out);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
}

}  // namespace
}  // namespace warplens::app
