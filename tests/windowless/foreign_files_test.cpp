// Files as other people write them, with main, launches, allocations and headers of the host, in
// tests/foreign_files: each opens without a flag, and its launch, read from its host code, runs without
// problems.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/folders.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const fs::path foreign = fs::path(source_folder()) / "tests" / "foreign_files";

using ForeignFiles = TypedCommands;
using ForeignFiles_long = TypedCommands;

TEST_F(ForeignFiles_long, nine_of_ten_run_with_no_flag) {
    int files = 0;
    std::vector<std::string> failed;
    for (const auto& entry : fs::directory_iterator(foreign)) {
        if (entry.path().extension() != ".cu") continue;
        ++files;
        const Outcome outcome =
            warplens({"report", entry.path().string(), "--no-advice", "--format", "json"});
        if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
        const bool runs =
            outcome.code == 0 && outcome.error.find("is guessed from line") != std::string::npos;
        if (!runs) failed.push_back(entry.path().filename().string() + ": " + outcome.error);
    }
    EXPECT_GE(files, 20);
    EXPECT_LE(failed.size() * 10, static_cast<std::size_t>(files)) << testing::PrintToString(failed);
}

TEST_F(ForeignFiles, guesses_say_their_lines_and_flags_override_them) {
    const std::string source = (foreign / "saxpy_blog.cu").string();
    const Outcome guessed = warplens({"report", source, "--no-advice", "--format", "json"});
    if (!compiles(guessed)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(guessed.code, 0) << guessed.error;
    EXPECT_THAT(guessed.error,
                AllOf(HasSubstr("guessed from line 29"), HasSubstr("n=1048576 (line 12)"),
                      HasSubstr("x f32[n]=constant:1 (line 17)"), HasSubstr("--set NAME=VALUE")));
    const Outcome smaller =
        warplens({"report", source, "--set", "n=2048", "--no-advice", "--format", "json"});
    ASSERT_EQ(smaller.code, 0) << smaller.error;
    EXPECT_EQ(nlohmann::json::parse(smaller.out)["global_store"]["requests"], 64);
    const Outcome fewer = warplens({"report", source, "--grid", "2", "--no-advice", "--format", "json"});
    ASSERT_EQ(fewer.code, 0) << fewer.error;
    EXPECT_EQ(nlohmann::json::parse(fewer.out)["global_store"]["requests"], 16);
    EXPECT_THAT(refusal({"report", source, "--block", "2000"}),
                HasSubstr("--block: `2000` gives 2000; it must be 1 to 1024"))
        << "not the launch in line 29";
}

TEST_F(ForeignFiles, a_launch_through_a_pointer_or_the_number_of_sms_is_followed) {
    const auto launch_of = [](const char* name) {
        return warplens({"report", (foreign / name).string(), "--no-advice", "--format", "json"});
    };
    const Outcome pointer = launch_of("kernel_pointer.cu");
    if (!compiles(pointer)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(pointer.error, AllOf(HasSubstr("the launch of transposeCo is guessed from line 60"),
                                     HasSubstr("block 16 × 16"), HasSubstr("--kernel copyPlain")))
        << "of the two that the pointer may have the one that takes longer";
    EXPECT_THAT(launch_of("sms_of_the_device.cu").error, HasSubstr("grid 528 (line 6)"));
    EXPECT_EQ(launch_of("cub_block_sum.cu").code, 0) << "needs the parts of cub that a kernel can use";
    const Outcome table = launch_of("batched_pointers.cu");
    EXPECT_EQ(table.code, 0) << "a null pointer in a table that is a guess is no problem of the kernel";
    EXPECT_THAT(table.error, AllOf(HasSubstr("A u64[12]=zero"),
                                   HasSubstr("A: contents guessed: addresses, which are not followed")));
}

TEST_F(ForeignFiles, classes_and_templates_of_classes_are_followed) {
    const auto launch_of = [](const char* name) {
        return warplens({"report", (foreign / name).string(), "--no-advice", "--format", "json"});
    };
    const Outcome gemm = launch_of("gemm_tower.cu");
    if (!compiles(gemm)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(gemm.error, AllOf(HasSubstr("grid 3 × 4 (line 68), block 256 (line 69), 4096 bytes"),
                                  HasSubstr("ptr=params_C, i32=192, f32=2, f32=0.5}")));
    EXPECT_THAT(launch_of("fluid_class.cu").error,
                AllOf(HasSubstr("advect is guessed from line 42: grid 214"), HasSubstr("nx=320 (line 53)")));
    EXPECT_THAT(launch_of("ray_scene.cu").error, HasSubstr("f32=0, f32=-100.5, f32=-1, f32=100"));
    EXPECT_THAT(launch_of("polynomial.cu").error, HasSubstr("f64[n]=formula:i / 1000000"));
    EXPECT_THAT(launch_of("reduce_defaults.cu").error,
                AllOf(HasSubstr("mythrust::detail::plus<int>"), HasSubstr("init=0 (line 20)")));
}

TEST_F(ForeignFiles, a_lambda_for_the_device_is_a_structure_of_what_it_captures) {
    const auto report = [&](const std::string& source, const std::string& kernel) {
        return warplens({"report", source, "--kernel", kernel, "--no-advice", "--format", "json"});
    };
    const std::string shared = (foreign / "parallel_for.cu").string();
    const Outcome shifted = report(shared, "launch_global<lambda_in_line_21>");
    if (!compiles(shifted)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(shifted.code, 0) << shifted.error;
    EXPECT_THAT(shifted.error, HasSubstr("f64=4"));
    EXPECT_EQ(nlohmann::json::parse(shifted.out)["global_store"]["requests"], 1563);
    const std::string source =
        "#include <cstdio>\n"
        "template <typename F> __global__ void each(int n, const F f) {\n"
        "    if (threadIdx.x < n) f(threadIdx.x);\n}\n"
        "__global__ void plain(float* y) { y[threadIdx.x] = 1; }\n"
        "int main() {\n    float* y; char c = 3; double d = 0.5;\n"
        "    cudaMalloc(&y, 400);\n"
        "    each<<<1, 128>>>(100, [=] __device__ (int i) {\n"
        "        y[i] = c + d + HERE;\n    });\n    plain<<<1, 100>>>(y);\n}\n";
    const auto with = [&](const std::string& here) {
        std::string text = source;
        return file("lambda.cu", text.replace(text.find("HERE"), 4, here));
    };
    const Outcome lambda = report(with("i"), "each<lambda_in_line_9>");
    ASSERT_EQ(lambda.code, 0) << lambda.error;
    EXPECT_THAT(lambda.error, HasSubstr("f=struct:{ptr=f_y, i8=3, f64=0.5}"));
    EXPECT_EQ(report(with("no_such_name"), "plain").code, 0) << "other kernels of the file run";
}

TEST_F(ForeignFiles, what_exit_is_given_is_followed) {
    const std::string source = file("ends.cu",
                                    "__global__ void k(int* out) { out[threadIdx.x] = 1; }\n"
                                    "int go(int n) {\n  int* out;\n  cudaMalloc(&out, n * sizeof(int));\n"
                                    "  k<<<1, n>>>(out);\n  return 0;\n}\n"
                                    "int main() {\n  exit(go(96));\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, HasSubstr("block 96"));
}

TEST_F(ForeignFiles, lines_stay_those_of_the_file) {
    const std::string source = file("wrong.cu",
                                    "#include <vector>\nint main() {\n  k<<<1, 32>>>();\n}\n__global__ void "
                                    "k() {\n  undefined_name = 1;\n}\n");
    const Outcome outcome = warplens({"report", source});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, HasSubstr("wrong.cu:6: error:"));
}

TEST_F(ForeignFiles, what_a_vector_is_generated_with_fills_its_buffer) {
    const std::string source =
        file("letters.cu",
             "#include <algorithm>\n#include <vector>\n"
             "__global__ void count(const char* text, int* letters, int n) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  if (i < n) atomicAdd(&letters[text[i] - 'a'], 1);\n}\n"
             "int main() {\n"
             "  std::vector<char> words(1024);\n  std::vector<int> counts(26);\n"
             "  std::generate(begin(words), end(words), [] { return 'a' + rand() % 26; });\n"
             "  char* text; int* letters;\n"
             "  cudaMalloc(&text, 1024);\n  cudaMalloc(&letters, 26 * sizeof(int));\n"
             "  cudaMemcpy(text, words.data(), 1024, cudaMemcpyHostToDevice);\n"
             "  cudaMemcpy(letters, counts.data(), 104, cudaMemcpyHostToDevice);\n"
             "  count<<<4, 256>>>(text, letters, 1024);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.error, HasSubstr("=formula:97 + random(26)"));
}

TEST_F(ForeignFiles, a_constant_holds_what_the_host_copies_to_it) {
    const std::string source = file("mask.cu",
                                    "__constant__ float mask[4];\n"
                                    "__global__ void scale(float* out) {\n"
                                    "  out[threadIdx.x] = mask[threadIdx.x % 4];\n"
                                    "  if (mask[3] == 4.5f) printf(\"mask %g %g\\n\", mask[0], mask[3]);\n}\n"
                                    "int main() {\n  float own[4] = {1, 2, 3, 4.5f};\n"
                                    "  cudaMemcpyToSymbol(mask, own, sizeof(own));\n"
                                    "  float* out;\n  cudaMalloc(&out, 128);\n  scale<<<1, 32>>>(out);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, HasSubstr("`mask` holds what the host copies to it in line 8"));
    EXPECT_THAT(outcome.out + outcome.error, HasSubstr("mask 1 4.5"));
}

TEST_F(ForeignFiles, a_constant_whose_contents_are_not_followed_is_named_in_the_report) {
    const auto report = [&](const std::string& declaration) {
        const std::string source =
            file("weights.cu", declaration +
                                   "__global__ void scale(float* out) {\n"
                                   "  out[threadIdx.x] = w[threadIdx.x % 3];\n"
                                   "  if (threadIdx.x == 0) printf(\"weight %g\\n\", w[1]);\n}\n"
                                   "int main() {\n  float own[3], sum = 0;\n"
                                   "  for (int i = 0; i < 3; ++i) { own[i] = expf(-i * i); sum += own[i]; }\n"
                                   "  for (int i = 0; i < 3; ++i) own[i] /= sum;\n"
                                   "  cudaMemcpyToSymbol(w, own, sizeof(own));\n"
                                   "  float* out;\n  cudaMalloc(&out, 128);\n  scale<<<1, 32>>>(out);\n}\n");
        return warplens({"report", source, "--no-advice", "--format", "json"});
    };
    const Outcome zero = report("__constant__ float w[3];\n");
    if (!compiles(zero)) GTEST_SKIP() << "needs NVRTC";
    const std::string sentence = "`w` holds what its declaration says, 0 without an initializer";
    EXPECT_THAT(zero.error, HasSubstr(sentence));
    const auto json = nlohmann::json::parse(zero.out);
    EXPECT_THAT(std::string(json["note"]), AllOf(HasSubstr(sentence), HasSubstr("Give it an initializer")));
    EXPECT_THAT(zero.out, HasSubstr("weight 0"));
    EXPECT_THAT(report("__constant__ float w[3] = {1, 0.5f, 2};\n").out, HasSubstr("weight 0.5"));
}

TEST_F(ForeignFiles, a_launch_by_flags_that_lacks_arguments_shows_them_with_flags_that_fit) {
    const std::string source = file("bare.cu",
                                    "__global__ void scale(const float* in, float* out, float by, int n) {\n"
                                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "  if (i < n) out[i] = by * in[i];\n}\n");
    const Outcome none = warplens({"report", source, "--grid", "64", "--block", "256"});
    if (!compiles(none)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.error,
                AllOf(HasSubstr("scale(float const* in, float* out, float by, int n) takes 4 arguments, and "
                                "--arg gives 0; a guess: --grid 64 --block 256 --arg buffer:f32["),
                      HasSubstr("--arg i32=")));
    EXPECT_THAT(refusal({"report", source, "--grid", "64", "--block", "256", "--arg", "i32=1"}),
                HasSubstr("takes 4 arguments, and --arg gives 1"));
}

TEST_F(ForeignFiles, buffers_of_flags_are_called_as_the_kernels_parameters) {
    const std::string source = file("named.cu",
                                    "struct Pair { const float* left; int n; };\n"
                                    "__global__ void add(Pair in, float* out, float* arg3) {\n"
                                    "  out[threadIdx.x] = in.left[threadIdx.x] + arg3[threadIdx.x];\n}\n");
    const Outcome named = warplens({"report", source, "--grid", "1", "--block", "32", "--arg",
                                    "struct:{buffer:f32[32]=iota,i32=4}", "--arg", "buffer:f32[16]", "--arg",
                                    "arg1+0", "--no-advice"});
    if (!compiles(named)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(named.code, 1) << "half of out is missing";
    EXPECT_THAT(named.out, HasSubstr("out[16]"));
    EXPECT_THAT(named.out, Not(HasSubstr("arg1")));
}

TEST_F(ForeignFiles, help_says_what_a_command_takes) {
    EXPECT_THAT(warplens({"help"}).out, AllOf(HasSubstr("report"), HasSubstr("recordings")));
    EXPECT_EQ(warplens({"help", "report"}).out, warplens({"report", "--help"}).out);
    EXPECT_THAT(refusal({"help", "reprot"}), HasSubstr("there is no command `reprot`"));
}

TEST_F(ForeignFiles, what_is_not_followed_is_called_a_guess_and_what_nobody_fills_zero) {
    const std::string source =
        file("image.cu",
             "#include <cstdio>\n#include <cstdlib>\n"
             "__global__ void invert(const unsigned char* in, unsigned char* out) {\n"
             "  out[threadIdx.x] = 255 - in[threadIdx.x];\n}\n"
             "int main() {\n  unsigned char* host = (unsigned char*)malloc(256);\n"
             "  FILE* f = fopen(\"x.raw\", \"rb\");\n  fread(host, 1, 256, f);\n"
             "  unsigned char *in, *out;\n  cudaMalloc(&in, 256);\n  cudaMalloc(&out, 256);\n"
             "  cudaMemcpy(in, host, 256, cudaMemcpyHostToDevice);\n  invert<<<1, 256>>>(in, out);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, AllOf(HasSubstr("in: contents guessed: `fread` in line 9 fills it"),
                                     HasSubstr("out: not filled before the launch: 0")));
}

TEST_F(ForeignFiles, pointers_into_one_allocation_stay_in_it) {
    const std::string source =
        file("shift.cu",
             "__global__ void shift(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x]; }\n"
             "int main() {\n  int host[72];\n  for (int i = 0; i < 72; ++i) host[i] = i;\n  int* d;\n"
             "  cudaMalloc(&d, sizeof(host));\n  cudaMemcpy(d, host, sizeof(host), cudaMemcpyHostToDevice);\n"
             "  shift<<<1, 32>>>(d, d + 40);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.error, AllOf(HasSubstr("to i32[72]=iota"), HasSubstr("from=to + 40")));
    const Outcome flags =
        warplens({"report", source, "--kernel", "shift", "--grid", "1", "--block", "32", "--arg",
                  "buffer:i32[72]+4=formula:i * i", "--arg", "arg0+40", "--no-advice"});
    EXPECT_EQ(flags.code, 0) << flags.error;
}

TEST_F(ForeignFiles, a_functor_that_a_template_kernel_is_launched_with_is_compiled_and_passed) {
    const std::string source =
        file("map.cu",
             "struct Scale { float by; __device__ float operator()(float x) const { return by * x; } };\n"
             "template <typename F> __global__ void map(float* data, F f) {\n"
             "  data[threadIdx.x] = f(1.f);\n  if (threadIdx.x == 0) printf(\"holds %g\\n\", data[0]);\n}\n"
             "template <typename F> void apply(float* data, F f) { map<<<1, 32>>>(data, f); }\n"
             "int main() {\n  float* data;\n  cudaMalloc(&data, 32 * sizeof *data);\n"
             "  apply(data, Scale{2.5f});\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, AllOf(HasSubstr("the launch of map<Scale>"), HasSubstr("data f32[32]"),
                                     HasSubstr("f=struct:{f32=2.5}")));
    EXPECT_THAT(outcome.out + outcome.error, HasSubstr("holds 2.5"));
}

TEST_F(ForeignFiles, an_instance_in_a_variable_or_given_to_the_runtime_is_launched) {
    const std::string kernel =
        "template <typename T, int SIZE> __global__ void fill(T* out) { out[threadIdx.x] = SIZE; }\n"
        "int main() {\n  float* out;\n  cudaMalloc(&out, 64 * sizeof(*out));\n  void* all[] = {&out};\n";
    for (const char* launch : {"auto k = fill<float, 64>;\n  k<<<1, 64>>>(out);\n}\n",
                               "cudaLaunchKernel((void*)fill<float, 64>, dim3(1), dim3(64), all, 0, 0);\n}\n",
                               "cudaLaunchConfig_t c = {0};\n  c.gridDim = 1;\n  c.blockDim = 64;\n  "
                               "cudaLaunchKernelEx(&c, fill<float, 64>, out);\n}\n"}) {
        const Outcome outcome = warplens({"report", file("fill.cu", kernel + launch), "--no-advice"});
        if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
        EXPECT_THAT(outcome.error, AllOf(HasSubstr("fill<float, 64>"), HasSubstr("out f32[64]"))) << launch;
    }
}

TEST_F(ForeignFiles, a_template_that_nothing_instantiates_is_named_with_what_to_write) {
    const std::string source = file("each.cu",
                                    "template <typename F> __global__ void each(F f) { f(threadIdx.x); }\n"
                                    "template <typename F> void run(F f);\n"
                                    "int main() { run([](int i) { return i; }); }\n");
    const Outcome outcome = warplens({"report", source});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.error,
                AllOf(HasSubstr("each is a template"), HasSubstr("template __global__ void each<")));
}

TEST_F(ForeignFiles, a_buffer_in_a_class_of_a_namespace_is_followed) {
    const std::string source =
        file("buffer.cu",
             "namespace gpu {\ntemplate <typename T> class Buffer {\n public:\n"
             "  explicit Buffer(size_t n) { cudaMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T)); }\n"
             "  T* data() { return p_; }\n private:\n  T* p_ = nullptr;\n};\n}\n"
             "__global__ void k(double* out) { out[threadIdx.x] = 1; }\n"
             "int main() {\n  gpu::Buffer<double> out(96);\n  k<<<1, 96>>>(out.data());\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(outcome.error, HasSubstr("out f64[96]=zero (line 4)"));
}

TEST_F(ForeignFiles, names_that_nvcc_takes_from_the_system_are_known) {
    const std::string source =
        file("words.cu",
             "#include <cstddef>\n__global__ void k(volatile int* flags) {\n  const uint i = threadIdx.x;\n"
             "  ushort half = i;\n  ulong twice = 2 * i;\n  std::size_t all = half + twice;\n"
             "  flags[i] = M_PI < INFINITY && flags != NULL ? all : INT_MAX;\n}\n"
             "int main() {\n  int* flags;\n  cudaMalloc(&flags, 128);\n  k<<<1, 32>>>(flags);\n}\n");
    const Outcome outcome = warplens({"report", source, "--no-advice"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("flags i32[32]=zero")) << "volatile is not part of its type";
}

}  // namespace
}  // namespace warplens::app
