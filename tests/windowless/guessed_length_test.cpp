// Guesses that are too small: an access that is right in the program is not a problem of the kernel.
#include <gmock/gmock.h>

#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using GuessedLength = TypedCommands;

TEST_F(GuessedLength, a_buffer_is_as_long_as_the_accesses_of_its_kernel) {
    const std::string source =
        file("cell.cu",
             "#include <torch/extension.h>\n"
             "template <typename T> __global__ void cell(const T* gates, const T* old, T* next, int size) {\n"
             "  const int column = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  const int row = blockIdx.y * size * 3;\n"
             "  if (column < size) next[blockIdx.y * size + column] = old[blockIdx.y * size + column] *\n"
             "      gates[row + column] + gates[row + size + column] + gates[row + 2 * size + column];\n}\n"
             "torch::Tensor forward(torch::Tensor gates, torch::Tensor old) {\n"
             "  auto next = torch::zeros_like(old);\n"
             "  const auto batch_size = old.size(0); const auto state_size = old.size(1);\n"
             "  const dim3 blocks((state_size + 255) / 256, batch_size);\n"
             "  AT_DISPATCH_FLOATING_TYPES(gates.scalar_type(), \"cell\", ([&] {\n"
             "    cell<scalar_t><<<blocks, 256>>>(gates.data_ptr<scalar_t>(), old.data_ptr<scalar_t>(),\n"
             "                                    next.data_ptr<scalar_t>(), state_size);\n  }));\n"
             "  return next;\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.error, HasSubstr("grid ceil_div(size, 256) × 8 (line 11, size assumed)"));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("The length of `gates`, `old`, `next` is guessed"),
                                   Not(HasSubstr("out_of_bounds")), Not(HasSubstr("past the end of")),
                                   Not(HasSubstr("global_race"))));
}

TEST_F(GuessedLength, an_index_from_guessed_numbers_is_a_note) {
    const std::string kernel =
        "__global__ void gather(float* out, const float* in, const int* index) {\n"
        "  out[threadIdx.x] = in[index[threadIdx.x] + 40];\n}\n";
    const auto main_with = [&](const std::string& fill) {
        return kernel +
               "int main() {\n  float *out, *in;\n  int *index, host[64];\n  cudaMalloc(&out, 256);\n"
               "  cudaMalloc(&in, 256);\n  cudaMalloc(&index, 256);\n" +
               fill +
               "  cudaMemcpy(index, host, 256, cudaMemcpyHostToDevice);\n"
               "  gather<<<1, 64>>>(out, in, index);\n}\n";
    };
    const std::string guessed = file("guessed.cu", main_with("  read_indices(host);\n"));
    const Outcome note = warplens({"report", guessed, "--no-advice"});
    if (!compiles(note)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(note.code, 0) << note.out;
    EXPECT_THAT(note.out, AllOf(HasSubstr("Line 2: reads in[64]"), HasSubstr("`index` is a guess"),
                                Not(HasSubstr("Problems"))));
    const std::string known = file("known.cu", main_with("  for (int i = 0; i < 64; ++i) host[i] = i;\n"));
    const Outcome problem = warplens({"report", known, "--no-advice"});
    EXPECT_EQ(problem.code, 1) << problem.out;
    EXPECT_THAT(problem.out, HasSubstr("out_of_bounds: reads in[64]"));
}

TEST_F(GuessedLength, a_race_through_guessed_indices_is_a_note) {
    const auto program = [&](const std::string& columns, const std::string& last) {
        return "__global__ void gather(float* z, const int* col, const float* x, float* y) {\n"
               "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n  float s = 0;\n"
               "  for (int j = row * 16; j < row * 16 + 16; ++j) s += x[col[j]];\n  y[row] = s;\n" +
               last +
               "}\n"
               "int main() {\n  const int rows = 16384;\n  static int host[rows * 16];\n" +
               columns +
               "  int* col;\n  float *x, *y, *z;\n  cudaMalloc(&z, rows * 4);\n  cudaMalloc(&col, rows * "
               "64);\n  cudaMalloc(&x, rows * 4);\n"
               "  cudaMalloc(&y, rows * 4);\n  cudaMemcpy(col, host, rows * 64, cudaMemcpyHostToDevice);\n"
               "  gather<<<rows / 256, 256>>>(z, col, x, y);\n}\n";
    };
    const std::string guessed = "  read_columns(host);\n";
    const Outcome note = warplens({"report", file("guessed.cu", program(guessed, "")), "--no-advice"});
    if (!compiles(note)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(note.code, 0) << note.out;
    EXPECT_THAT(note.out, AllOf(HasSubstr("nothing puts the two in order: blocks run in any order, until the "
                                          "kernel ends. This may be right in your program: `col` is a guess"),
                                Not(HasSubstr("global_race"))));
    const Outcome race =
        warplens({"report", file("race.cu", program(guessed, "  z[row / 2] = row;\n")), "--no-advice"});
    EXPECT_EQ(race.code, 1) << "no guess leads to z[row / 2]: " << race.out;
    EXPECT_THAT(race.out, HasSubstr("global_race: writes z[0]"));
    const std::string known = "  for (int j = 0; j < rows * 16; ++j) host[j] = j % rows;\n";
    const Outcome problem =
        warplens({"report", file("known.cu", program(known, "  z[row / 2] = row;\n")), "--no-advice"});
    EXPECT_EQ(problem.code, 1) << problem.out;
    EXPECT_THAT(problem.out, HasSubstr("global_race: writes z[0]"));
}

TEST_F(GuessedLength, a_bin_in_shared_memory_from_guessed_numbers_is_a_note) {
    const std::string source =
        file("bins.cu",
             "__global__ void scores(unsigned short* to, int seed) { to[threadIdx.x] = seed % 100; }\n"
             "__global__ void count(const unsigned short* scores, int* bins) {\n"
             "  extern __shared__ int part[];\n  part[threadIdx.x] = 0;\n  __syncthreads();\n"
             "  for (int i = threadIdx.x; i < 65536; i += 128) atomicAdd(&part[scores[i]], 1);\n"
             "  __syncthreads();\n  bins[threadIdx.x] = part[threadIdx.x];\n}\n"
             "int main() {\n  unsigned short* s;\n  int* bins;\n  cudaMalloc(&s, 65536 * 2);\n"
             "  cudaMalloc(&bins, 512);\n  scores<<<512, 128>>>(s, seed_of(\"a.txt\"));\n"
             "  count<<<1, 128, 512>>>(s, bins);\n}\n");
    const Outcome outcome = warplens({"report", source, "--kernel", "count", "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("This may be right in your program: `scores` is a guess"));
}

TEST_F(GuessedLength, shared_memory_past_a_guessed_size_is_a_note) {
    const std::string source =
        file("shared.cu",
             "__global__ void k(float* out) {\n  extern __shared__ float s[];\n"
             "  s[threadIdx.x * 64] = 1;\n  out[threadIdx.x] = s[threadIdx.x * 64];\n}\n"
             "int bytes_for(int threads);\n"
             "int main() {\n  float* out;\n  cudaMalloc(&out, 1024);\n"
             "  k<<<1, 256, bytes_for(256)>>>(out);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("This may be right in your program: 32,768 bytes of dynamic shared "
                                       "memory are a guess"));
    const Outcome given = warplens({"report", source, "--dynamic-shared", "32768", "--no-advice"});
    EXPECT_EQ(given.code, 1) << "who says the size does not guess it";
}

}  // namespace
}  // namespace warplens::app
