// Programs that are built and run for the inputs that they give to a kernel: what earlier kernels wrote, what
// only running the host code can tell, and programs that go wrong.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/folders.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class ProgramRun : public TypedCommands {
  protected:
    std::string write(const std::string& text) const {
        const fs::path path = folder / "mine.cu";
        std::ofstream(path) << text;
        return path.string();
    }
    Outcome run(const std::string& path, std::vector<std::string> more = {}) const {
        std::vector<std::string> words{"report", path, "--no-advice", "--format", "json", "--run-program"};
        words.insert(words.end(), more.begin(), more.end());
        return warplens(words);
    }
    static std::uint64_t stores(const Outcome& outcome) {
        return nlohmann::json::parse(outcome.out)["global_store"]["requests"].get<std::uint64_t>();
    }
};
using ProgramRun_long = ProgramRun;

/// `right` stores where each element is what the program must have put there.
const std::string chained_program =
    "#include <cuda_runtime.h>\n#include <vector>\n#include <utility>\n"
    "__global__ void square(const int* in, int* out, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] * in[i]; }\n"
    "__global__ void shift(int* a, int by, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += by; }\n"
    "__global__ void right(const int* a, int* out, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && a[i] == i * i + 5) out[i] = 1; }\n"
    "int main() {\n"
    "    const int n = 1000;\n"
    "    std::vector<int> h;\n"
    "    for (int i = 0; h.size() < n; i++) h.push_back(i);\n"
    "    int *a, *b, *c;\n"
    "    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4);\n"
    "    cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);\n"
    "    square<<<8, 128>>>(a, b, n);\n"
    "    std::swap(a, b);\n"
    "    for (int pass = 0; pass < 5; pass++) shift<<<(n + 255) / 256, 256>>>(a, 1, n);\n"
    "    right<<<(n + 31) / 32, 32>>>(a, c, n);\n"
    "    return cudaDeviceSynchronize();\n"
    "}\n";

TEST_F(ProgramRun, earlier_kernels_have_written_what_a_kernel_reads) {
    const Outcome outcome = run(write(chained_program), {"--kernel", "right"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(stores(outcome), 32u) << "every warp stores";
    EXPECT_THAT(outcome.error, AllOf(HasSubstr("the inputs are the program's own"),
                                     HasSubstr("the CPU engine executed the 6 launches before it")));
}

TEST_F(ProgramRun, a_later_launch_can_be_asked_for) {
    const std::string path = write(chained_program);
    const Outcome third = run(path, {"3", "--kernel", "shift"});
    if (!compiles(third)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(third.code, 0) << third.error;
    EXPECT_THAT(third.error, AllOf(HasSubstr("launch 3 of shift"), HasSubstr("the 3 launches before it")));
    EXPECT_THAT(run(path, {"9", "--kernel", "shift"}).error,
                HasSubstr("the program launches shift 5 times here, and launch 9 is asked for"));
}

TEST_F(ProgramRun, structures_constants_and_managed_memory_are_passed_on) {
    const Outcome outcome = run(write(
        "#include <cuda_runtime.h>\n"
        "struct Params { int n; float scale; const float* in; float* out; };\n"
        "__constant__ float table[4];\n"
        "__global__ void right(Params p, const int* index) {\n"
        "    int i = threadIdx.x; if (i < p.n && p.in[i] * p.scale == table[index[i]]) p.out[i] = 1; }\n"
        "int main() {\n"
        "    float *in, *out; int* index; float h[4] = {0.5f, 1.5f, 2.5f, 3.5f};\n"
        "    cudaMallocManaged(&in, 64 * 4); cudaMalloc(&out, 64 * 4); cudaMallocManaged(&index, 64 * 4);\n"
        "    for (int i = 0; i < 64; i++) { index[i] = (i * 7) % 4; in[i] = h[index[i]] / 2; }\n"
        "    cudaMemcpyToSymbol(table, h, sizeof h);\n"
        "    Params p; p.n = 64; p.scale = 2; p.in = in; p.out = out;\n"
        "    right<<<1, 64>>>(p, index);\n"
        "    return cudaDeviceSynchronize();\n"
        "}\n"));
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(stores(outcome), 2u) << outcome.error;
}

TEST_F(ProgramRun, a_file_that_the_program_reads_is_found_beside_it) {
    std::ofstream(folder / "numbers.txt") << "7 9 11";
    const Outcome outcome =
        run(write("#include <cuda_runtime.h>\n#include <cstdio>\n"
                  "__global__ void right(int a, int b, int c, int* out) { if (a + b + c == 27) "
                  "out[threadIdx.x] = 1; }\n"
                  "int main() {\n"
                  "    int a, b, c, *out; FILE* f = fopen(\"numbers.txt\", \"r\");\n"
                  "    if (!f || fscanf(f, \"%d %d %d\", &a, &b, &c) != 3) return 1;\n"
                  "    cudaMalloc(&out, 128);\n"
                  "    right<<<1, 32>>>(a, b, c, out);\n"
                  "}\n"));
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(stores(outcome), 1u);
}

TEST_F(ProgramRun, what_cannot_be_executed_is_said_and_its_result_is_a_guess) {
    const Outcome outcome =
        run(write("#include <cuda_runtime.h>\n"
                  "__global__ void past(int* a) { a[threadIdx.x + 1000000] = 1; }\n"
                  "__global__ void last(const int* a, int* b) { b[a[threadIdx.x] & 31] = 1; }\n"
                  "int main() { int *a, *b; cudaMalloc(&a, 128); cudaMalloc(&b, 128);\n"
                  "    past<<<1, 32>>>(a); last<<<1, 32>>>(a, b); }\n"),
            {"--kernel", "last"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("not executed, so what it writes is missing: past in line 5:"));
}

TEST_F(ProgramRun, programs_that_go_wrong_get_one_sentence) {
    const std::string kernel =
        "#include <cuda_runtime.h>\n__global__ void k(int* a) { a[threadIdx.x] = 1; }\n";
    const auto says = [&](const std::string& rest) { return run(write(kernel + rest)); };
    const Outcome first = says("int main() { missing(); k<<<1, 32>>>(nullptr); }\n");
    if (!compiles(first)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(first.code, 2);
    EXPECT_THAT(first.error,
                AllOf(HasSubstr("its host code does not compile here: mine.cu:3:"), HasSubstr("missing")));
    EXPECT_THAT(says("void solve(int* a) { k<<<1, 32>>>(a); }\n").error, HasSubstr("no function main"));
    EXPECT_THAT(
        says("#include <cstdio>\nint main(int argc, char**) { if (argc < 2) { puts(\"usage: mine N\"); "
             "return 1; } k<<<1, 32>>>(nullptr); }\n")
            .error,
        AllOf(HasSubstr("ended with exit code 1"), HasSubstr("usage: mine N")));
    EXPECT_THAT(says("int main() { int* a = 0; *a = 1; k<<<1, 32>>>(a); }\n").error, HasSubstr("SIGSEGV"));
    EXPECT_THAT(says("int main(int argc, char**) { if (argc > 5) k<<<1, 32>>>(nullptr); }\n").error,
                HasSubstr("ended here without a launch of k; it launched nothing"));
    EXPECT_THAT(refusal({"report", "saxpy", "--run-program"}), HasSubstr("the file's header declares one"));
    EXPECT_THAT(refusal({"report", write(kernel + "int main() { k<<<1, 32>>>(nullptr); }\n"), "--run-program",
                         "1", "--grid", "2"}),
                HasSubstr("flags describe one: leave them out"));
}

TEST_F(ProgramRun, a_whole_program_is_executed_and_its_launches_are_listed_by_time) {
    std::string text = chained_program;
    text.replace(text.find("return cudaDeviceSynchronize();"), 31,
                 "int h2[1000]; cudaMemcpy(h2, c, n * 4, cudaMemcpyDeviceToHost);\n"
                 "    int all = 0; for (int i = 0; i < n; i++) all += h2[i];\n"
                 "    printf(\"right: %d\\n\", all); return 0;");
    const std::string path = write(text);
    const Outcome listed = warplens({"program", path});
    if (!compiles(listed)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(listed.code, 0) << listed.error << listed.out;
    EXPECT_THAT(listed.out, AllOf(HasSubstr("7 launches, "), HasSubstr("The program printed:\nright: 1000")));
    const Outcome outcome = warplens({"program", path, "--format", "json"});
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto kernels = nlohmann::json::parse(outcome.out)["kernels"];
    ASSERT_EQ(kernels.size(), 3u);
    double before = 1e9;
    for (const auto& kernel : kernels) {
        const bool is_shift = kernel["kernel"] == "shift";
        EXPECT_EQ(kernel["launches"], is_shift ? 5 : 1);
        EXPECT_EQ(kernel["executed"], kernel["launches"]);
        EXPECT_EQ(kernel["modelled"], kernel["launches"]);
        EXPECT_GT(kernel["steps"], 0);
        EXPECT_GT(kernel["modelled_us"], 0);
        EXPECT_LE(kernel["modelled_us"], before) << "all launches are modelled";
        before = kernel["modelled_us"];
    }
}

TEST_F(ProgramRun, a_program_that_fails_is_listed_up_to_there) {
    const Outcome outcome = warplens(
        {"program", write("#include <cuda_runtime.h>\n#include <cstdio>\n"
                          "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
                          "__global__ void past(int* a) { a[threadIdx.x + 1000000] = 1; }\n"
                          "int main() { int* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); past<<<1, 32>>>(a);\n"
                          "    puts(\"wrong\"); return 3; }\n")});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("2 launches, "), HasSubstr("modelled for H200"),
                                   HasSubstr("problem in past: "), HasSubstr("past the end"),
                                   HasSubstr("ended with exit code 3"), HasSubstr("wrong")));
    EXPECT_THAT(refusal({"program", "saxpy"}), HasSubstr("only a .cu file has host code to run"));
}

TEST_F(ProgramRun_long, eight_of_ten_foreign_files_run_or_say_what_they_lack) {
    int files = 0, ran = 0;
    std::vector<std::string> failed;
    for (const auto& entry : fs::directory_iterator(fs::path(source_folder()) / "tests" / "foreign_files")) {
        if (entry.path().extension() != ".cu") continue;
        ++files;
        const Outcome outcome = run(entry.path().string());
        if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
        const bool own = outcome.error.find("the inputs are the program's own") != std::string::npos;
        ran += own ? 1 : 0;
        if (!own) failed.push_back(entry.path().filename().string() + ": " + outcome.error);
        EXPECT_TRUE(own || outcome.error.find("does not compile here") != std::string::npos ||
                    outcome.error.find("no function main") != std::string::npos ||
                    outcome.error.find("is a texture or surface") != std::string::npos)
            << entry.path() << outcome.error;
    }
    EXPECT_GE(files, 50);
    EXPECT_GE(ran * 10, files * 8) << testing::PrintToString(failed);
}

}  // namespace
}  // namespace warplens::app
