// Code that launches kernels is compiled as relocatable code, and no other.
#include <gmock/gmock.h>

#include "instrumentation/compile/compiler.h"
#include "instrumentation/compile/relocatable.h"

namespace warplens::instrumentation {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* launching =
    "__global__ void child(int* a) { a[threadIdx.x] = 1; }\n"
    "extern \"C\" __global__ void parent(int* a) { if (threadIdx.x == 0) child<<<1, 32>>>(a); }\n";

Result<Compiled> compile_text(const std::string& source) {
    CompileRequest request;
    request.name = "kernels/k.cu";
    request.source = source;
    return make_compiler({})->compile(request);
}

bool has_compiler() { return make_compiler({})->description().starts_with("NVRTC"); }

TEST(relocatable, a_launch_in_device_code_becomes_calls_of_the_device_run_time) {
    if (!has_compiler()) GTEST_SKIP() << "needs NVRTC";
    const auto compiled = compile_text(launching);
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_THAT(compiled->ptx, HasSubstr("LaunchDeviceV2"));
    EXPECT_EQ(compiled->entries.size(), 2u);
    EXPECT_GT(compiled->entries.at("parent").registers_per_thread, 0u);
    EXPECT_FALSE(compiled->cubin.empty()) << "it is not linked, which the engine does";
}

TEST(relocatable, other_code_keeps_its_machine_code) {
    if (!has_compiler()) GTEST_SKIP() << "needs NVRTC";
    const auto compiled = compile_text("extern \"C\" __global__ void k(int* a) { a[threadIdx.x] = 1; }\n");
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_FALSE(compiled->cubin.empty());
}

TEST(relocatable, launches_of_host_code_stay_launches_of_host_code) {
    if (!has_compiler()) GTEST_SKIP() << "needs NVRTC";
    const auto compiled = compile_text(
        "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
        "void run(int* a) { k<<<1, 32>>>(a); cudaGetLastError(); }\nint main() { run(nullptr); }\n");
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_THAT(compiled->ptx, Not(HasSubstr("LaunchDeviceV2")));
    EXPECT_FALSE(compiled->cubin.empty());
}

TEST(relocatable, a_source_that_asks_whether_it_is_so_is_so) {
    if (!has_compiler()) GTEST_SKIP() << "needs NVRTC";
    const auto compiled = compile_text(
        "__global__ void child() {}\nextern \"C\" __global__ void parent() {\n#ifdef __CUDACC_RDC__\n"
        "child<<<1, 1>>>();\n#endif\n}\n");
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_THAT(compiled->ptx, HasSubstr("LaunchDeviceV2"));
}

TEST(relocatable, an_error_in_code_that_launches_is_the_code_s_own) {
    if (!has_compiler()) GTEST_SKIP() << "needs NVRTC";
    const auto compiled =
        compile_text(std::string(launching) + "__global__ void wrong() { child<<<1, 1>>>(1.5f, 2); }\n");
    ASSERT_FALSE(compiled);
    EXPECT_THAT(compiled.error().message, HasSubstr("kernels/k.cu:3"));
    EXPECT_THAT(compiled.error().message, Not(HasSubstr("device-side kernel launch")));
}

TEST(relocatable, logs_that_need_the_device_run_time) {
    const std::string at = "k.cu(3): error: ";
    EXPECT_TRUE(needs_device_runtime(at + "a device-side kernel launch could not be processed as …\n"));
    EXPECT_TRUE(needs_device_runtime(at + "identifier \"cudaStreamTailLaunch\" is undefined\n"));
    EXPECT_FALSE(needs_device_runtime(at + "identifier \"cudaMalloc\" is undefined\n"));
    EXPECT_FALSE(needs_device_runtime("k.cu(3): warning: identifier \"cudaGetLastError\" is undefined\n"));
}

}  // namespace
}  // namespace warplens::instrumentation
