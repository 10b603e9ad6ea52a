// The user's own file on the command line: its kernels, its launch by flags, macros and folders, .ptx files,
// the template for a new file, and the messages for files that cannot be used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/read_json.h"
#include "tests/typed_commands.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

using OwnKernel = TypedCommands;

constexpr const char* two_kernels = R"(
template <class T> __global__ void scale(T* data, T by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= by;
}
template __global__ void scale<float>(float*, float, int);
namespace sums { __global__ void add(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += in[i];
} }
)";

TEST_F(OwnKernel, one_of_several_is_named_and_without_flags_fitting_ones_are_proposed) {
    const std::string source = file("two.cu", two_kernels);
    const Outcome asked = warplens({"report", source});
    if (!compiles(asked)) GTEST_SKIP() << "needs NVRTC";
    EXPECT_THAT(refusal({"report", source}),
                AllOf(HasSubstr("--kernel"), HasSubstr("scale<float>"), HasSubstr("sums::add")));
    EXPECT_THAT(
        refusal({"report", source, "--kernel", "scale"}),
        AllOf(HasSubstr("scale<float>(float* data, float by, int n)"), HasSubstr("--grid 256 --block 256"),
              HasSubstr("buffer:f32[65536]=random"), HasSubstr("i32=65536")));
    EXPECT_THAT(refusal({"report", source, "--kernel", "scael"}), HasSubstr("names none"));
    const Outcome outcome = warplens({"report", source, "--kernel", "sums::add", "--grid", "4", "--block",
                                      "64", "--arg", "buffer:f32[256]=zero", "--arg", "buffer:f32[256]=iota",
                                      "--arg", "i32=256", "--format", "json"});
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(read_json(outcome.out)["global_load"]["requests"], 16);
}

TEST_F(OwnKernel, macros_and_folders_of_headers_reach_every_command) {
    fs::create_directory(folder / "inc");
    file("inc/far.h", "#define FAR 3\n");
    file("near.h", "#include \"far.h\"\n");
    const std::string source =
        file("k.cu",
             "#include \"near.h\"\n#include <cuda_fp16.h>\nextern \"C\" __global__ void k(float* out) {\n"
             "    out[threadIdx.x * FAR * TIMES] = __half2float(__float2half(1.0f)) * VALUE;\n}\n");
    std::vector<std::string> words{
        "report", source, "-I",      path("inc"), "-D",    "TIMES=2",         "-D",       "VALUE",
        "--grid", "1",    "--block", "32",        "--arg", "buffer:f32[192]", "--format", "json"};
    const Outcome outcome = warplens(words);
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    if (outcome.error.find("CUDA_HOME") != std::string::npos) return;  // no toolkit's headers here
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(read_json(outcome.out)["global_store"]["sectors"], 24) << "24 bytes apart";
    EXPECT_THAT(refusal({"report", "transpose_tiled", "-D", "PAD=1"}), HasSubstr("--set PAD=1"));
    words[0] = "record";
    words.resize(words.size() - 2);
    words.insert(words.end(), {"-o", path("k.wltrace")});
    EXPECT_EQ(warplens(words).code, 0);
    EXPECT_TRUE(fs::exists(path("k.wltrace")));
}

TEST_F(OwnKernel, a_structure_is_passed_by_value) {
    const std::string source = file("s.cu",
                                    "struct P { float a; int n; float* out; };\n"
                                    "extern \"C\" __global__ void s(P p) {\n"
                                    "    if (int(threadIdx.x) < p.n) p.out[threadIdx.x] = p.a;\n}\n");
    const Outcome outcome = warplens({"report", source, "--grid", "1", "--block", "64", "--arg",
                                      "struct:{f32=2.5,i32=40,buffer:f32[40]}", "--format", "json"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(read_json(outcome.out)["global_store"]["requests"], 2);
    EXPECT_THAT(refusal({"report", source, "--grid", "1", "--block", "64", "--arg", "struct:{f32=2.5}"}),
                HasSubstr("4 bytes"));
    EXPECT_THAT(refusal({"report", source, "--grid", "1", "--block", "64", "--arg", "i32=2"}),
                HasSubstr("struct:{"));
}

TEST_F(OwnKernel, a_ptx_file_is_launched_by_flags_and_draws) {
    const std::string ptx = file("k.ptx", R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 8;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
)");
    EXPECT_THAT(refusal({"report", ptx}), HasSubstr("--grid"));
    const std::vector<std::string> launch{"--grid", "1", "--block", "32", "--arg", "buffer:u32[64]"};
    std::vector<std::string> words{"report", ptx, "--format", "json"};
    words.insert(words.end(), launch.begin(), launch.end());
    const Outcome outcome = warplens(words);
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(read_json(outcome.out)["global_store"]["sectors"], 8);
    words = {"shot", ptx, "--view", "source", "-o", path("k.svg")};
    words.insert(words.end(), launch.begin(), launch.end());
    EXPECT_EQ(warplens(words).code, 0);
    EXPECT_TRUE(fs::exists(path("k.svg")));
    words.insert(words.end(), {"-D", "X"});
    EXPECT_THAT(refusal(words), HasSubstr("compiled already"));
}

TEST_F(OwnKernel, a_new_one_runs_as_it_stands) {
    const std::string source = path("my_kernel.cu");
    ASSERT_EQ(warplens({"new", source}).code, 0);
    EXPECT_THAT(refusal({"new", source}), HasSubstr("exists already"));
    const Outcome outcome = warplens({"report", source, "--format", "json"});
    if (!compiles(outcome)) GTEST_SKIP() << "needs NVRTC";
    ASSERT_EQ(outcome.code, 0) << outcome.error << outcome.out;
    EXPECT_EQ(read_json(outcome.out)["golden"], "passed");
    EXPECT_EQ(warplens({"report", source, "--set", "STRIDE=8", "--set", "BLOCK=64"}).code, 0);
}

TEST_F(OwnKernel, what_is_no_kernel_file_is_called_what_it_is) {
    EXPECT_THAT(refusal({"report", path("absent.cu")}), HasSubstr("does not exist"));
    fs::create_directory(folder / "folder.cu");
    EXPECT_THAT(refusal({"report", path("folder.cu")}), HasSubstr("is a folder"));
    EXPECT_THAT(refusal({"report", file("binary.cu", std::string("a\0b", 3))}), HasSubstr("is not text"));
    const std::string huge = file("huge.cu", "");
    fs::resize_file(huge, (16u << 20) + 1);
    EXPECT_THAT(refusal({"report", huge}), HasSubstr("larger than 16 MiB"));
    if (::geteuid() != 0) {
        const std::string secret = file("secret.cu", "");
        ::chmod(secret.c_str(), 0);
        EXPECT_THAT(refusal({"report", secret}), HasSubstr("cannot be read"));
    }
    const std::vector<std::string> launch{"--grid", "1", "--block", "32"};
    const auto report = [&](const std::string& source) {
        std::vector<std::string> words{"report", source};
        words.insert(words.end(), launch.begin(), launch.end());
        return refusal(words);
    };
    const std::string empty = report(file("empty.cu", "// nothing\n"));
    if (empty.find("libnvrtc") != std::string::npos) return;
    EXPECT_THAT(empty, HasSubstr("needs a __global__ function"));
    EXPECT_THAT(report(file("wrong.cu", "\n\n__global__ void k() { undefined_name = 1; }\n")),
                AllOf(HasSubstr("wrong.cu:3: error:"), HasSubstr("undefined_name")));
    EXPECT_THAT(report(file("self.cu", "#include \"self.cu\"\n__global__ void k() {}\n")),
                AllOf(HasSubstr("self.cu:1"), HasSubstr("includes itself")));
}

}  // namespace
}  // namespace warplens::app
