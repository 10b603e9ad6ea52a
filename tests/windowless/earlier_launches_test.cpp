// A program with several launches: what earlier ones write is in the buffers of the one that is shown, since
// they are run before it. Each expected number is one that only running them can give.
#include <gmock/gmock.h>

#include <cstring>

#include "app/command_line/headerless.h"
#include "tests/windowless/advised.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Shown {
    Kernel kernel;
    std::string guesses;  // as printed
};

/// The kernel as the host code launches it.
Shown shown(const std::string& name, const std::string& source) {
    auto kernel = instrumentation::read_kernel_file("steps.cu", source);
    EXPECT_TRUE(kernel);
    LaunchFlags flags;
    flags.entry = name;
    std::vector<std::string> sentences;
    const auto applied = apply_launch_flags(
        flags, *kernel,
        [](const instrumentation::KernelFile& file) {
            return pipeline().entries({std::make_shared<instrumentation::KernelFile>(file), {}, "", {}});
        },
        &sentences);
    EXPECT_TRUE(applied) << applied.error().message;
    Shown shown{std::make_shared<instrumentation::KernelFile>(std::move(*kernel)), {}};
    for (const std::string& sentence : sentences) shown.guesses += sentence + "\n";
    return shown;
}

LoadedLaunch loaded(const Shown& shown, std::map<std::string, std::string> settings = {}) {
    auto launch = pipeline().load({shown.kernel, std::move(settings), "", {}});
    EXPECT_TRUE(launch) << launch.error().message;
    return std::move(launch.value());
}

std::vector<int> ints(const LoadedLaunch& launch, const std::string& buffer) {
    std::vector<int> values;
    for (const auto& prepared : launch.prepared.buffers) {
        if (prepared.name != buffer) continue;
        values.resize(prepared.data.size() / sizeof(int));
        std::memcpy(values.data(), prepared.data.data(), values.size() * sizeof(int));
    }
    return values;
}

const std::string chain =
    "__global__ void squares(int* a, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) a[i] = i * i;\n}\n"
    "__global__ void sums(const int* a, int* b, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) b[i] = a[i] + a[(i + 1) % n];\n}\n"
    "__global__ void add(int* b, int by, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) b[i] += by;\n}\n"
    "__global__ void use(const int* b, int* out, int n, int times) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = times * b[i];\n}\n";

std::string chain_with(const std::string& launches, const std::string& declared = "") {
    return chain + declared +
           "int main() {\n  const int n = 8;\n  int *a, *b, *c, *out;\n  cudaMalloc(&a, n * sizeof(int));\n"
           "  cudaMalloc(&b, n * sizeof(int));\n  cudaMalloc(&c, n * sizeof(int));\n"
           "  cudaMalloc(&out, n * sizeof(int));\n" +
           launches + "}\n";
}

TEST(earlier_launches, three_one_after_another_leave_what_the_next_one_reads) {
    WARPLENS_NEEDS_A_COMPILER();
    const Shown use = shown("use", chain_with("  squares<<<1, 32>>>(a, n);\n  sums<<<1, 32>>>(a, b, n);\n"
                                              "  add<<<1, 32>>>(b, 100, n);\n"
                                              "  use<<<1, 32>>>(b, out, n, 3);\n"));
    EXPECT_THAT(use.guesses, AllOf(HasSubstr("b: written by kernel `add` in line "),
                                   HasSubstr("which is run before it"), Not(HasSubstr("guessed: "))));
    const LoadedLaunch launch = loaded(use);
    EXPECT_THAT(ints(launch, "b"), ElementsAre(101, 105, 113, 125, 141, 161, 185, 149));
    EXPECT_THAT(launch.note, HasSubstr("3 launches of `squares`, `sums`, `add` were run before it"));
    auto executed = pipeline().execute(launch, {});
    ASSERT_TRUE(executed);
    const auto* out = executed->memory.find("out");
    ASSERT_NE(out, nullptr);
    int last = 0;
    std::memcpy(&last, out->data.data() + 28, sizeof last);
    EXPECT_EQ(last, 3 * 149);
}

TEST(earlier_launches, a_knob_runs_them_again_only_where_they_use_it) {
    WARPLENS_NEEDS_A_COMPILER();
    std::string source = chain_with(
        "  squares<<<1, 96>>>(a, n);\n  sums<<<1, 96>>>(a, b, n);\n"
        "  use<<<1, 96>>>(b, out, n, 5);\n");
    source.replace(source.find("n = 8"), 5, "n = 64");
    const Shown use = shown("use", source);
    loaded(use);
    EXPECT_THAT(loaded(use, {{"times", "7"}}).note, IsEmpty()) << "what they left is kept";
    EXPECT_EQ(ints(loaded(use), "b").at(63), 63 * 63);
    const LoadedLaunch larger = loaded(use, {{"n", "96"}});
    EXPECT_THAT(larger.note, HasSubstr("2 launches of `squares`, `sums` were run before it"));
    const std::vector<int> b = ints(larger, "b");
    ASSERT_EQ(b.size(), 96u);
    EXPECT_EQ(b[63], 63 * 63 + 64 * 64);
    EXPECT_EQ(b[95], 95 * 95) << "beside the first element";
}

TEST(earlier_launches, passes_of_a_loop_swap_their_buffers) {
    WARPLENS_NEEDS_A_COMPILER();
    const std::string step =
        "__global__ void step(const int* from, int* to, int n) {\n  int i = threadIdx.x;\n"
        "  if (i < n) to[i] = 2 * from[i] + from[(i + 1) % n];\n}\n";
    std::vector<int> expected(8);
    for (int i = 0; i < 8; ++i) expected[static_cast<std::size_t>(i)] = i * i;
    for (int pass = 0; pass < 3; ++pass) {
        const std::vector<int> before = expected;
        for (std::size_t i = 0; i < 8; ++i) expected[i] = 2 * before[i] + before[(i + 1) % 8];
    }
    const std::string by_hand = "int* old = a;\n    a = b;\n    b = old;", by_library = "std::swap(a, b);",
                      by_function = "exchange(a, b);", first = "    step<<<1, 32>>>(a, b, n);\n    ";
    const std::pair<std::string, std::string> ways[] = {
        {first + by_hand, "a"},
        {first + by_library, "a"},
        {first + by_function, "a"},
        {"    step<<<1, 32>>>(both[now], both[1 - now], n);\n    now = 1 - now;", "both[now]"}};
    for (const auto& [body, result] : ways) {
        const Shown use = shown(
            "use", chain_with("  int* both[2] = {a, b};\n  int now = 0;\n  squares<<<1, 32>>>(a, n);\n"
                              "  for (int pass = 0; pass < 3; ++pass) {\n" +
                                  body + "\n  }\n  use<<<1, 32>>>(" + result + ", out, n, 1);\n",
                              step + "void exchange(int*& p, int*& q) { int* r = p; p = q; q = r; }\n"));
        const LoadedLaunch launch = loaded(use);
        EXPECT_EQ(ints(launch, "b"), expected) << body;
        const Shown pass = shown("step", use.kernel->source);
        EXPECT_THAT(ints(loaded(pass), "from"), ElementsAre(0, 1, 4, 9, 16, 25, 36, 49)) << "of the first";
    }
}

TEST(earlier_launches, the_largest_pass_finds_what_the_passes_before_have_left) {
    WARPLENS_NEEDS_A_COMPILER();
    const std::string grow =
        "__global__ void grow(int* b, int pass, int n) {\n  int i = threadIdx.x;\n"
        "  if (i < n) b[i] += blockIdx.x == 0 ? pass : 0;\n}\n";
    const Shown largest =
        shown("grow", chain_with("  cudaMemset(b, 0, n * sizeof(int));\n"
                                 "  for (int pass = 1; pass < 8; ++pass)\n"
                                 "    grow<<<pass < 5 ? pass : 8 - pass, 32>>>(b, pass, n);\n",
                                 grow));
    EXPECT_THAT(largest.guesses, HasSubstr("pass 4 of 7 of its loop, the largest"));
    EXPECT_THAT(ints(loaded(largest), "b"), Each(1 + 2 + 3));
    const Shown other = shown("use", chain_with("  for (int pass = 0; pass < 2; ++pass)\n"
                                                "    if (pass == 0) squares<<<1, 32>>>(b, n);\n"
                                                "    else use<<<1, 32>>>(b, out, n, 1);\n"));
    EXPECT_THAT(other.guesses, Not(HasSubstr("the largest"))) << "it is the only one of this kernel";
    EXPECT_THAT(ints(loaded(other), "b"), ElementsAre(0, 1, 4, 9, 16, 25, 36, 49));
}

TEST(earlier_launches, a_function_that_calls_itself_is_followed_down) {
    WARPLENS_NEEDS_A_COMPILER();
    const std::string halves =
        "__global__ void halve(const int* from, int* to, int n) {\n  int i = threadIdx.x;\n"
        "  if (i < n) to[i] = from[2 * i] + from[2 * i + 1];\n}\n"
        "void sum(int* from, int n, int* result) {\n  int* half;\n  cudaMalloc(&half, n / 2 * sizeof(int));\n"
        "  halve<<<1, 32>>>(from, half, n / 2);\n  if (n > 2) sum(half, n / 2, result);\n"
        "  else cudaMemcpy(result, half, sizeof(int), cudaMemcpyDeviceToDevice);\n}\n";
    const Shown use = shown("use", chain_with("  squares<<<1, 32>>>(a, n);\n  int* result;\n"
                                              "  cudaMalloc(&result, sizeof(int));\n  sum(a, n, result);\n"
                                              "  use<<<1, 32>>>(result, out, 1, 1);\n",
                                              halves));
    EXPECT_THAT(ints(loaded(use), "b"), ElementsAre(140)) << "0 + 1 + 4 + … + 49";
}

TEST(earlier_launches, copies_and_memsets_between_them_are_followed) {
    WARPLENS_NEEDS_A_COMPILER();
    const Shown copied =
        shown("use", chain_with("  squares<<<1, 32>>>(a, n);\n"
                                "  cudaMemcpy(c, a, n * sizeof(int), cudaMemcpyDeviceToDevice);\n"
                                "  cudaMemset(a, 0, n * sizeof(int));\n  add<<<1, 32>>>(a, 9, n);\n"
                                "  sums<<<1, 32>>>(c, b, n);\n  use<<<1, 32>>>(b, out, n, 1);\n"));
    EXPECT_THAT(ints(loaded(copied), "b"), ElementsAre(1, 5, 13, 25, 41, 61, 85, 49));
    const Shown cleared = shown("use", chain_with("  squares<<<1, 32>>>(b, n);\n"
                                                  "  cudaMemset(b, 0, n * sizeof(int));\n"
                                                  "  add<<<1, 32>>>(b, 9, n);\n"
                                                  "  use<<<1, 32>>>(b, out, n, 1);\n"));
    const LoadedLaunch launch = loaded(cleared);
    EXPECT_THAT(ints(launch, "b"), Each(9));
    EXPECT_THAT(launch.note, HasSubstr("1 launch of `add` was run before it")) << "squares leaves nothing";
    const Shown half = shown("use", chain_with("  squares<<<1, 32>>>(a, n);\n"
                                               "  cudaMemcpy(b, a + 4, 4 * sizeof(int), "
                                               "cudaMemcpyDeviceToDevice);\n"
                                               "  use<<<1, 32>>>(b, out, 4, 1);\n"));
    EXPECT_THAT(half.guesses, HasSubstr("b: contents guessed: kernel `squares`")) << "a part of b";
}

TEST(earlier_launches, one_that_takes_too_long_is_left_out_and_named) {
    WARPLENS_NEEDS_A_COMPILER();
    const Shown use = shown(
        "use", chain_with("  cudaMemset(b, 0, n * sizeof(int));\n  slow<<<4096, 256>>>(b, n);\n"
                          "  use<<<1, 32>>>(b, out, n, 1);\n",
                          "__global__ void slow(int* b, int n) {\n"
                          "  for (int k = 0; k < 100000; ++k) b[threadIdx.x % n] += k ^ b[k % n];\n}\n"));
    const LoadedLaunch launch = loaded(use);
    EXPECT_EQ(ints(launch, "b"), ints(pipeline().load_alone({use.kernel, {}, "", {}}).value(), "b"))
        << "the guess stays";
    EXPECT_THAT(launch.launch.note,
                AllOf(HasSubstr("What `b` holds is a guess: kernel `slow` in line "),
                      AnyOf(HasSubstr("was not run: with the launches before it, it takes more than "
                                      "100,000,000 warp-instructions"),
                            HasSubstr("was not run: it takes longer than 10 s"))))
        << "the latter where the engine is slow";
    EXPECT_THAT(launch.doubt, HasSubstr("`b` is a guess"));
}

TEST(earlier_launches, one_with_a_problem_is_left_out_and_its_problem_named) {
    WARPLENS_NEEDS_A_COMPILER();
    const Shown use =
        shown("use", chain_with("  cudaMemset(b, 0, n * sizeof(int));\n  squares<<<1, 32>>>(b, 32);\n"
                                "  sums<<<1, 32>>>(b, c, n);\n  use<<<1, 32>>>(c, out, n, 1);\n"));
    const LoadedLaunch launch = loaded(use);
    EXPECT_THAT(launch.launch.note,
                AllOf(HasSubstr("What `b` holds is a guess: kernel `squares` in line "),
                      HasSubstr("was not run: in it, "), HasSubstr("past the end of \"a\"")))
        << "also through the launch between them";
}

TEST(earlier_launches, what_cannot_be_followed_is_said_with_the_reason) {
    WARPLENS_NEEDS_A_COMPILER();
    const Shown argument = shown("use", chain_with("  squares<<<1, 32>>>(b, n);\n"
                                                   "  add<<<1, 32>>>(b, read_from_file(), n);\n"
                                                   "  use<<<1, 32>>>(b, out, n, 1);\n"));
    EXPECT_THAT(argument.guesses,
                HasSubstr("b: contents guessed: kernel `add` in line 25 fills it; it is not run, since its "
                          "argument `by` is not known"));
    const Shown loop = shown("use", chain_with("  squares<<<1, 32>>>(b, n);\n"
                                               "  int host = 1;\n  while (host < 1000) {\n"
                                               "    add<<<1, 32>>>(b, 1, n);\n"
                                               "    cudaMemcpy(&host, b, sizeof(int), "
                                               "cudaMemcpyDeviceToHost);\n  }\n"
                                               "  use<<<1, 32>>>(b, out, n, 1);\n"));
    EXPECT_THAT(loop.guesses, HasSubstr("how often the loop in line 26 runs is not followed"));
    EXPECT_THAT(shown("add", loop.kernel->source).guesses, HasSubstr("b: written by kernel `squares`"))
        << "of the first pass";
    const Shown result = shown("use", chain_with("  int sum = 5;\n  squares<<<1, 32>>>(a, n);\n"
                                                 "  cudaMemcpy(&sum, a + 1, sizeof(int), "
                                                 "cudaMemcpyDeviceToHost);\n"
                                                 "  squares<<<1, 32>>>(b, n);\n"
                                                 "  add<<<1, 32>>>(b, sum + 1, n);\n"
                                                 "  use<<<1, 32>>>(b, out, n, 1);\n"));
    EXPECT_THAT(result.guesses, HasSubstr("it is not run, since its argument `by` is not known"))
        << "the host reads what a kernel has computed";
    const Shown read = shown("use", chain_with("  int* h = new int[n];\n  fread(h, 4, n, stdin);\n"
                                               "  cudaMemcpy(a, h, n * sizeof(int), "
                                               "cudaMemcpyHostToDevice);\n"
                                               "  sums<<<1, 32>>>(a, b, n);\n"
                                               "  use<<<1, 32>>>(b, out, n, 1);\n"));
    EXPECT_THAT(read.guesses,
                AllOf(HasSubstr("b: written by kernel `sums` in line 27, which is run before it, on a guess: "
                                "`a` of kernel `sums` in line 27")));
    const Shown variable =
        shown("use", chain_with("  tick<<<1, 32>>>(a);\n  tick<<<1, 32>>>(b);\n"
                                "  use<<<1, 32>>>(b, out, n, 1);\n",
                                "__device__ int ticks;\n"
                                "__global__ void tick(int* b) { if (threadIdx.x < 8) b[threadIdx.x] = "
                                "atomicAdd(&ticks, 1); }\n"));
    EXPECT_THAT(loaded(variable).launch.note,
                HasSubstr("what kernels leave in the variable `ticks` is not followed"));
}

TEST(earlier_launches, what_a_structure_or_a_lambda_points_to_is_written_too) {
    WARPLENS_NEEDS_A_COMPILER();
    const Shown structure =
        shown("use", chain_with("  View v{{b, n}};\n  put<<<1, 32>>>(v);\n  use<<<1, 32>>>(b, out, n, 1);\n",
                                "struct Row { int* data; int n; };\nstruct View { Row row; };\n"
                                "__global__ void put(View v) {\n  int i = threadIdx.x;\n"
                                "  if (i < v.row.n) v.row.data[i] = 7 * i;\n}\n"));
    EXPECT_THAT(ints(loaded(structure), "b"), ElementsAre(0, 7, 14, 21, 28, 35, 42, 49));
    const Shown lambda =
        shown("use", chain_with("  for_each<<<1, 32>>>(n, [=] __device__(int i) { b[i] = 5 * i; });\n"
                                "  use<<<1, 32>>>(b, out, n, 1);\n",
                                "template <class F> __global__ void for_each(int n, F f) {\n"
                                "  if (threadIdx.x < n) f(threadIdx.x);\n}\n"));
    EXPECT_THAT(lambda.guesses, HasSubstr("kernel `for_each")) << "and not what it held before";
    const Shown constant =
        shown("use", chain_with("  put<<<1, 32>>>(b, n);\n  use<<<1, 32>>>(b, out, n, 1);\n",
                                "__global__ void put(int* const p, const int n) {\n"
                                "  if (threadIdx.x < n) p[threadIdx.x] = 3;\n}\n"));
    EXPECT_THAT(ints(loaded(constant), "b"), Each(3)) << "the pointer is constant, not the memory";
}

}  // namespace
}  // namespace warplens::app
