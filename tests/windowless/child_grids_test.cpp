// Kernels that launch kernels, compiled: results of the whole tree against a golden formula, and errors
// below.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/read_json.h"
#include "tests/typed_commands.h"
#include "tests/windowless/advised.h"
#include "tests/windowless/child_grid_kernels.h"

namespace warplens::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Json = nlohmann::json;

class ChildGrids : public TypedCommands {
  protected:
    /// Null: nothing can be compiled here.
    Json report(const std::string& kernel, int code, std::vector<std::string> more = {}) {
        std::vector<std::string> words{"report", file("k.cu", kernel), "--format", "json"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = warplens(words);
        if (!compiles(outcome)) return nullptr;
        EXPECT_EQ(outcome.code, code) << outcome.error;
        return read_json(outcome.out);
    }
};

/// A file whose kernel `parent` gets `n` integers, `n` threads in blocks of 32.
std::string with_header(const std::string& text, int n = 64) {
    return "/*\n[kernel]\nentry = \"parent\"\ntitle = \"k\"\n[parameters]\nn = { default = " +
           std::to_string(n) +
           ", min = 1, max = 100000 }\n[buffers]\ndata = { type = \"i32\", length = \"n\", fill = \"zero\" "
           "}\n"
           "[launch]\narguments = [\"data\", \"n\"]\ngrid = [\"ceil_div(n, 32)\"]\n"
           "block = [\"32\"]\n*/\n" +
           text;
}

TEST_F(ChildGrids, give_the_results_that_a_program_without_launches_gives) {
    for (const auto& [kernel, set] : {std::pair{quicksort, "n=500"},
                                      {quicksort, "n=1"},
                                      {refinement, "side=128"},
                                      {refinement, "step=1"},
                                      {search, "n=300"},
                                      {search, "degree=33"},
                                      {chain, "n=100"}}) {
        const Json json = report(kernel, 0, {"--set", set});
        if (json.is_null()) GTEST_SKIP() << "needs NVRTC";
        EXPECT_EQ(json.at("golden"), "passed") << set;
        const Json& launches = json.at("launches");
        EXPECT_GT(launches.at("grids"), 0) << set;
        EXPECT_EQ(launches.at("left_out"), 0);
        std::uint64_t steps = 0, grids = 0;
        for (const Json& group : launches.at("groups")) {
            steps += group.at("work").at("steps").get<std::uint64_t>();
            grids += group.at("grids").get<std::uint64_t>();
        }
        EXPECT_EQ(launches.at("all_grids").at("steps"), steps);
        EXPECT_EQ(launches.at("grids"), grids - 1) << "the first group is the host's grid";
        EXPECT_EQ(launches.at("groups").at(0).at("work").at("steps"), json.at("steps"))
            << "the report's own numbers are of the host's grid";
    }
}

/// A picture executes block 0, then others: their arguments are not in the same places.
TEST(child_grids, a_picture_finds_no_races_between_blocks_that_launch) {
    const auto scene = pipeline().run_scene({catalogued("child_launch"), {}, "", 0, Engine::simt}, {});
    ASSERT_TRUE(scene) << scene.error().message;
    ASSERT_GT(scene->blocks_executed, 1u);
    EXPECT_TRUE(scene->report->problems.empty()) << scene->report->problems.front().message;
}

TEST_F(ChildGrids, a_chain_of_tail_launches_is_one_group) {
    const Json json = report(chain, 0);
    if (json.is_null()) GTEST_SKIP() << "needs NVRTC";
    const Json& groups = json.at("launches").at("groups");
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups.at(1).at("grids"), 99);
    EXPECT_EQ(groups.at(1).at("stream"), "tail_launch");
    EXPECT_EQ(groups.at(1).at("depth"), 0) << "a tail launch adds no level";
}

TEST_F(ChildGrids, errors_name_the_child_and_its_line) {
    struct Faulty {
        const char *text, *kind, *child;
        int line;
    };
    const Faulty faulty[] = {
        {R"cuda(__global__ void child(int* d, int n) {
    int i = threadIdx.x;
    d[n + i] = 1;
}
extern "C" __global__ void parent(int* d, int n) {
    if (threadIdx.x == 5) child<<<1, 4>>>(d, n);
}
)cuda",
         "out_of_bounds", "child", 3},
        {R"cuda(__global__ void child(int* d) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    d[threadIdx.x % 32] = s[63 - threadIdx.x];
}
extern "C" __global__ void parent(int* d, int n) {
    if (threadIdx.x == 0 && blockIdx.x == 0) child<<<1, 64>>>(d);
}
)cuda",
         "shared_race", "child", 4},
        {R"cuda(__global__ void child(volatile int* d) { while (d[0] == 0) {} }
extern "C" __global__ void parent(int* d, int n) { if (threadIdx.x == 0 && blockIdx.x == 0) { child<<<1, 1>>>(d); child<<<1,1>>>(d); } }
)cuda",
         "endless_loop", "child", 1},
        {R"cuda(__global__ void child(int* d) { __trap(); }
__global__ void after(int* d) { d[0] = 9; }
extern "C" __global__ void parent(int* d, int n) { if (threadIdx.x == 0 && blockIdx.x == 0) { child<<<1, 1>>>(d); after<<<1, 1>>>(d); } }
)cuda",
         "trap", "child", 1},
    };
    const int header = static_cast<int>(std::ranges::count(with_header(""), '\n'));
    for (const Faulty& one : faulty) {
        const Json json = report(with_header(one.text), 1, {"--max-steps", "20000"});
        if (json.is_null()) GTEST_SKIP() << "needs NVRTC";
        const Json& problems = json.at("problems");
        const auto found = std::ranges::find_if(problems, [&](const Json& problem) {
            return problem.at("kind") == one.kind && problem.at("line") == header + one.line;
        });
        ASSERT_NE(found, problems.end()) << one.kind << problems.dump(1);
        const Json& problem = *found;
        EXPECT_EQ(problem.at("child"), one.child);
        EXPECT_FALSE(problem.contains("site")) << "sites are the host's kernel's";
    }
}

TEST_F(ChildGrids, a_launch_that_fails_is_a_problem_and_an_error_that_the_code_sees) {
    const Json json = report(with_header(R"cuda(__global__ void child(int* d) { d[0] = 1; }
extern "C" __global__ void parent(int* d, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n) { child<<<i / 2, 32>>>(d); if (cudaGetLastError() != cudaSuccess) d[i] = 7; } }
)cuda"),
                             1);
    if (json.is_null()) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(json.at("problems").size(), 1u);
    EXPECT_EQ(json.at("problems").at(0).at("kind"), "failed_launch");
    EXPECT_EQ(json.at("problems").at(0).at("count"), 2) << "threads 0 and 1 launch no blocks";
    EXPECT_EQ(json.at("launches").at("grids"), 62);
}

/// The engine does not know the function: that its result is missing is not a fault of the kernel.
TEST_F(ChildGrids, a_refused_part_leaves_the_result_unchecked) {
    const std::string golden = "\n[golden.data]\nlua = 'return function(i) return 1 end'\n*/\n";
    const auto with_golden = [&](const char* code) {
        std::string text = with_header(code);
        return text.replace(text.find("\n*/\n"), 4, golden);
    };
    for (const auto& [code, why] :
         {std::pair{R"cuda(typedef int (*Op)(int);
__device__ int inc(int x) { return x + 1; }
__device__ Op op = inc;
__global__ void child(int* d, Op f) { d[threadIdx.x] = f(0); }
extern "C" __global__ void parent(int* d, int n) { if (threadIdx.x == 0) child<<<1, 32>>>(d + blockIdx.x * 32, op); }
)cuda",
                    "not checked: an instruction that the CPU engine does not know was not executed"},
          {R"cuda(__global__ void child(int* d) { d[threadIdx.x] = 1; }
extern "C" __global__ void parent(int* d, int n) { if (threadIdx.x == 0) child<<<1, 2048>>>(d); }
)cuda",
           "not checked: a grid was not launched"}}) {
        const Json json = report(with_golden(code), 1);
        if (json.is_null()) GTEST_SKIP() << "needs NVRTC";
        EXPECT_EQ(json.at("golden"), why);
    }
}

TEST_F(ChildGrids, print_after_their_parent) {
    const Json printed =
        report(with_header(
                   R"cuda(__global__ void child(int i) { printf("child of %d, thread %d\n", i, threadIdx.x); }
extern "C" __global__ void parent(int* d, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i % 20 == 0) { printf("parent %d\n", i); child<<<1, 2>>>(i); } }
)cuda"),
               0);
    if (printed.is_null()) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(printed.at("printed").size(), 4u + 8u);
    EXPECT_EQ(printed.at("printed").at(4).at("text"), "child of 0, thread 0\n")
        << "after those of the parent";
    EXPECT_EQ(printed.at("printed").at(4).at("child"), "child");
}

TEST_F(ChildGrids, more_launches_than_a_gpu_holds_are_noted) {
    const Json json = report(with_header(R"cuda(__global__ void child(int* d, int i) { d[i] += i; }
extern "C" __global__ void parent(int* d, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n) child<<<1, 1>>>(d, i); }
)cuda",
                                         3000),
                             0);
    if (json.is_null()) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(json.at("notes").size(), 1u);
    EXPECT_EQ(json.at("notes").at(0).at("kind"), "many_launches");
    EXPECT_EQ(json.at("launches").at("grids"), 3000);
}

TEST_F(ChildGrids, waiting_for_them_does_not_compile_and_the_message_says_what_does) {
    const Outcome outcome =
        warplens({"report", file("k.cu", with_header(R"cuda(__global__ void child(int* d) { d[0] = 1; }
extern "C" __global__ void parent(int* d, int n) { if (threadIdx.x == 0) { child<<<1, 1>>>(d); cudaDeviceSynchronize(); } }
)cuda"))});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.error, HasSubstr("cannot wait for the grids that it launches"));
}

TEST_F(ChildGrids, are_in_the_report_s_text_with_what_is_of_the_host_s_grid_alone) {
    const Outcome outcome = warplens({"report", "child_launch"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("Launches from the device"),
                      HasSubstr("All numbers above are of the grid that the host launches."),
                      HasSubstr("child, "), HasSubstr("of `child_launch` at line"),
                      HasSubstr("the order is the engine's"), HasSubstr("Golden check  passed")));
}

TEST_F(ChildGrids, are_executed_from_machine_code_as_from_ptx) {
    const auto catalogue_report = [&](const char* level) {
        const Outcome outcome = warplens({"report", "child_launch", "--format", "json", "--level", level});
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return read_json(outcome.out);
    };
    const Json ptx = catalogue_report("ptx"), machine = catalogue_report("machine");
    EXPECT_EQ(machine["golden"], "passed");
    EXPECT_EQ(machine["launches"]["grids"], ptx["launches"]["grids"]);
    EXPECT_EQ(machine["launches"]["children"]["blocks"], ptx["launches"]["children"]["blocks"]);
    EXPECT_EQ(machine["launches"]["children"]["sectors"], ptx["launches"]["children"]["sectors"]);
    EXPECT_NE(machine["launches"]["children"]["steps"], ptx["launches"]["children"]["steps"])
        << "the machine code's own instructions";
}

TEST_F(ChildGrids, a_file_with_a_main_function_is_executed_with_them) {
    const Outcome outcome = warplens({"report", file("main.cu", R"cuda(#include <cstdio>
#include <cuda_runtime.h>
__global__ void child(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
__global__ void parent(float* x, int n) {
    if (threadIdx.x == 0) {
        child<<<(n + 127) / 128, 128>>>(x, n);
        cudaError_t e = cudaGetLastError();
        if (e != cudaSuccess) printf("failed %d\n", (int)e);
    }
}
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); return 1; } } while (0)
int main() {
    const int n = 1000; float* x;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMemset(x, 0, n * sizeof(float)));
    parent<<<1, 32>>>(x, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    cudaFree(x);
}
)cuda"),
                                      "--kernel", "parent", "--grid", "1", "--block", "32", "--arg",
                                      "buffer:f32[1000]=const:1", "--arg", "i32=1000"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("1 grid of 8 blocks × 128 threads"));
}

}  // namespace
}  // namespace warplens::app
