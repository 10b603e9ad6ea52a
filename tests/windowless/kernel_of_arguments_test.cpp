// Files with several kernels of which none is named: the arguments of --arg say which is meant, and its
// parameters name the buffers.
#include <gmock/gmock.h>

#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class KernelOfArguments : public TypedCommands {
  protected:
    std::string two_kernels(const std::string& host = "") const {
        return file(
            "two.cu",
            "__global__ void scale(float* data, float factor, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i <= n) data[i] *= factor;\n}\n"
            "__global__ void offset(float* values, const float* shift, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i <= n) values[i] += shift[0];\n}\n" +
                host);
    }
};

TEST_F(KernelOfArguments, is_the_one_that_takes_them) {
    const std::string source = two_kernels();
    const std::vector<std::string> launch{"report", source, "--no-advice", "--grid", "2", "--block", "64"};
    const auto with = [&](std::vector<std::string> arguments) {
        std::vector<std::string> words = launch;
        for (std::string& argument : arguments) {
            words.emplace_back("--arg");
            words.push_back(std::move(argument));
        }
        return warplens(words);
    };
    const Outcome scaled = with({"buffer:f32[64]=iota", "f32=2", "i32=64"});
    if (!compiles(scaled)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(scaled.out, HasSubstr("past the end of \"data\"")) << scaled.error;
    const Outcome moved = with({"buffer:f32[64]=iota", "values+4", "i32=64"});
    EXPECT_THAT(moved.out, HasSubstr("past the end of \"values\"")) << moved.error;
    const Outcome neither = with({"i32=64"});
    EXPECT_EQ(neither.code, 2);
    EXPECT_THAT(neither.error,
                AllOf(HasSubstr("none of the file's kernels takes the arguments of --arg"),
                      HasSubstr("scale(float* data, float factor, int n), offset(float* values,")));
    EXPECT_THAT(refusal({"report", source}),
                AllOf(HasSubstr("several kernels"), HasSubstr("scale(float* data, float factor, int n)")));
    EXPECT_THAT(with({"nonsense", "f32=2", "i32=64"}).error, HasSubstr("--arg nonsense: an argument is"));
}

TEST_F(KernelOfArguments, of_several_is_the_one_that_the_host_code_launches_longest) {
    const std::string source = file(
        "like.cu",
        "__global__ void small(int* p) { p[threadIdx.x] = 1; }\n"
        "__global__ void large(int* q) { for (int i = 0; i < 99; ++i) q[64 * i + threadIdx.x] += q[i]; }\n"
        "int main() {\n  int* p;\n  cudaMalloc(&p, 65536);\n  small<<<1, 64>>>(p);\n  large<<<1, "
        "64>>>(p);\n}\n");
    const Outcome outcome = warplens(
        {"report", source, "--no-advice", "--grid", "1", "--block", "64", "--arg", "buffer:i32[64]=zero"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.out, HasSubstr("past the end of \"q\"")) << outcome.error;
}

}  // namespace
}  // namespace warplens::app
