// Arguments about which the host code says little: arrays in structures, buffers of unknown length, and what
// the report says where something is a guess.
#include <gmock/gmock.h>

#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using GuessedArguments = TypedCommands;

const std::string strided_copy =
    "struct Tensor { float* data; int sizes[2]; int strides[2]; int dims; };\n"
    "__global__ void copy(Tensor to, Tensor from, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  const int row = i / from.sizes[1], column = i % from.sizes[1];\n"
    "  if (i < n && from.dims == 2)\n"
    "    to.data[row * to.strides[0] + column * to.strides[1]] =\n"
    "        from.data[row * from.strides[0] + column * from.strides[1]];\n}\n";

TEST_F(GuessedArguments, arrays_in_a_structure_are_followed_by_list_by_element_and_through_copies) {
    const std::string source =
        file("copy.cu", strided_copy +
                            "int main() {\n  const int H = 64, W = 32;\n  float *a, *b;\n"
                            "  cudaMalloc(&a, H * W * sizeof(float));\n"
                            "  cudaMalloc(&b, H * W * sizeof(float));\n"
                            "  Tensor from{a, {H, W}, {W, 1}, 2};\n  Tensor to = from;\n"
                            "  to.data = b;\n  to.strides[0] = 1;\n  to.strides[1] = H;\n"
                            "  copy<<<8, 256>>>(to, from, H * W);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.error,
                AllOf(HasSubstr("from=struct:{ptr=from_data, i32=64, i32=32, i32=32, i32=1, "
                                "i32=2}"),
                      HasSubstr("to=struct:{ptr=to_data, i32=64, i32=32, i32=1, i32=64, i32=2}")));
}

TEST_F(GuessedArguments, a_structure_that_is_not_followed_is_said_to_be_zero) {
    const std::string source =
        file("unknown.cu", strided_copy +
                               "Tensor make(const char* name);\n"
                               "int main() {\n  copy<<<8, 256>>>(make(\"to\"), make(\"from\"), 2048);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("bytes of `to` are 0"), HasSubstr("--arg struct:{")));
    EXPECT_THAT(outcome.out, Not(HasSubstr("is guessed: an access past")));
}

/// Of a sparse matrix the rows are known, the entries are not: a matrix without rows does nothing.
TEST_F(GuessedArguments, a_structure_keeps_what_is_known_where_an_array_in_it_has_no_known_length) {
    const std::string source =
        file("spmv.cu",
             "#include <vector>\n"
             "struct View { int rows; const int* offsets; const float* values; };\n"
             "__global__ void sum(View a, float* y) {\n"
             "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= a.rows) return;\n"
             "  float s = 0;\n  for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) s += a.values[k];\n"
             "  y[i] = s;\n}\n"
             "template <class T> T* to_device(const std::vector<T>& v) {\n  T* p;\n"
             "  cudaMalloc(&p, v.size() * sizeof(T));\n"
             "  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);\n  return p;\n}\n"
             "int main() {\n  std::vector<int> offsets;\n  std::vector<float> values;\n"
             "  read_matrix(\"a.mtx\", offsets, values);\n"
             "  View a{1024, to_device(offsets), to_device(values)};\n"
             "  float* y;\n  cudaMalloc(&y, 1024 * sizeof(float));\n  sum<<<4, 256>>>(a, y);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.error, AllOf(HasSubstr("a=struct:{i32=1024, ptr=a_offsets, ptr=a_values}"),
                                     HasSubstr("a_offsets: contents guessed")));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("The length of `a_offsets`, `a_values` is guessed"),
                                   HasSubstr("global load"), Not(HasSubstr("bytes of `a` are 0"))));
}

TEST_F(GuessedArguments, a_buffer_of_unknown_length_is_enough_for_the_threads_and_said_to_be_a_guess) {
    const std::string source = file("pixels.cu",
                                    "#include \"bitmap.h\"\n"
                                    "__global__ void paint(unsigned char* pixels) {\n"
                                    "  const int at = blockIdx.x + blockIdx.y * gridDim.x;\n"
                                    "  for (int c = 0; c < 4; ++c) pixels[4 * at + c] = 255;\n}\n"
                                    "int main() {\n  Bitmap bitmap(200, 200);\n  unsigned char* pixels;\n"
                                    "  cudaMalloc((void**)&pixels, bitmap.image_size());\n"
                                    "  paint<<<dim3(200, 200), 1>>>(pixels);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("The length of `pixels` is guessed"));
}

TEST_F(GuessedArguments, dynamic_shared_memory_of_unknown_size_is_some_and_said_to_be_a_guess) {
    const std::string source = file("shared.cu",
                                    "__global__ void k(float* out) {\n  extern __shared__ float s[];\n"
                                    "  s[threadIdx.x] = 1;\n  out[threadIdx.x] = s[threadIdx.x];\n}\n"
                                    "int bytes_for(int threads);\n"
                                    "int main() {\n  float* out;\n  cudaMalloc(&out, 1024);\n"
                                    "  k<<<1, 256, bytes_for(256)>>>(out);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("bytes of dynamic shared memory are a guess"));
    const Outcome given = warplens({"report", source, "--dynamic-shared", "1024", "--no-advice"});
    EXPECT_EQ(given.code, 0) << given.error;
    EXPECT_THAT(given.out, Not(HasSubstr("are a guess")));
}

TEST_F(GuessedArguments, a_launch_that_no_gpu_accepts_is_refused_by_its_side) {
    const std::string source = file("large.cu",
                                    "__global__ void k(int* out) { out[threadIdx.x] = 1; }\n"
                                    "int main() {\n  int* out;\n  cudaMalloc(&out, 8192);\n"
                                    "  k<<<1, 2048>>>(out);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.error,
                HasSubstr("the launch in line 5: block x: `2048` gives 2048; it must be 1 to 1024"));
}

TEST_F(GuessedArguments, a_length_that_the_program_gives_is_no_guess) {
    const std::string source = file("known.cu",
                                    "__global__ void k(int* out) { out[threadIdx.x + 1] = 1; }\n"
                                    "int main() {\n  int* out;\n  cudaMalloc(&out, 128);\n"
                                    "  k<<<1, 32>>>(out);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 1) << "its last thread writes past the end";
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("out_of_bounds"), Not(HasSubstr("is guessed"))));
}

TEST_F(GuessedArguments, of_a_list_in_a_loop_the_pass_with_the_most_threads_is_shown) {
    const std::string source = file("list.cu",
                                    "__global__ void k(int* out) { out[threadIdx.x] = 1; }\n"
                                    "int main() {\n  int* out;\n  cudaMalloc(&out, 4096);\n"
                                    "  int block_sizes[] = {96, 128, 256};\n"
                                    "  for (int i = 0; i < sizeof(block_sizes) / sizeof(int); i++) {\n"
                                    "    int block_size = block_sizes[i];\n"
                                    "    k<<<2, block_size>>>(out);\n  }\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, AllOf(HasSubstr("pass 3 of 3 of its loop, the largest"),
                                     HasSubstr("block 256 (line 7)"), Not(HasSubstr("assumed"))));
}

TEST_F(GuessedArguments, a_number_of_blocks_follows_from_a_size_that_is_read) {
    const std::string source =
        file("nodes.cu",
             "#define MOST 512\nint no_of_nodes;\n"
             "__global__ void k(int* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 1; }\n"
             "int main(int argc, char** argv) {\n  FILE* f = fopen(argv[1], \"r\");\n"
             "  fscanf(f, \"%d\", &no_of_nodes);\n  int num_of_blocks = 1, threads = no_of_nodes;\n"
             "  if (no_of_nodes > MOST) {\n    num_of_blocks = (int)ceil(no_of_nodes / (double)MOST);\n"
             "    threads = MOST;\n  }\n  int* out;\n"
             "  cudaMalloc((void**)&out, sizeof(int) * no_of_nodes);\n"
             "  dim3 grid(num_of_blocks, 1, 1), block(threads, 1, 1);\n"
             "  k<<<grid, block>>>(out, no_of_nodes);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error,
                AllOf(HasSubstr("grid ceil_div(n, 512)"), HasSubstr("block 512"), HasSubstr("n=65536")));
}

}  // namespace
}  // namespace warplens::app
