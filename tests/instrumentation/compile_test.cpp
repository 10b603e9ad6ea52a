// Compiling: the source given to the compiler, its result, and the messages when it fails. If a test needs
// NVRTC and the machine has none, it checks that the compiler says so.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "instrumentation/compile/compile_log.h"
#include "instrumentation/compile/compiler.h"
#include "instrumentation/compile/host_headers.h"
#include "instrumentation/compile/macros.h"
#include "instrumentation/compile/shipped_ptx.h"
#include "tests/instrumentation/compile_requests.h"
#include "tests/instrumentation/header_text.h"

namespace warplens::instrumentation {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

bool has_nvrtc(const Compiler& compiler) { return compiler.description().rfind("NVRTC ", 0) == 0; }

/// The error of a failing compilation; without NVRTC, `without` after checking the message about that.
std::string failure(const CompileRequest& request) {
    const auto compiler = make_compiler({});
    const auto compiled = compiler->compile(request);
    EXPECT_FALSE(compiled.has_value());
    return message_of(compiled);
}

}  // namespace

TEST(macros, only_single_tokens_get_into_the_source) {
    for (const char* value : {"32", "-1", "2.5", "1e-3", "0.5f", "4u", "float4", "lcg12345", "0"}) {
        EXPECT_TRUE(check_macro("N", value).has_value()) << value;
    }
    for (const char* value :
         {"", "1 2", "1\n#include \"/etc/passwd\"", "1;", "1/*", "f(1)", "a+b", "1\\", "\"x\"", "--1", "-",
          "1e", "1.2.3", "?", "0x10", "-a", "__FILE__ x", "\xc3\xa9", "1//"}) {
        EXPECT_FALSE(check_macro("N", value).has_value()) << value;
    }
    for (const char* name :
         {"", "1N", "N N", "N(x)", "N\n", "float", "threadIdx", "__CUDACC__", "_N__", "_Max"}) {
        EXPECT_FALSE(check_macro(name, "1").has_value()) << name;
    }
}

TEST(macros, stand_before_line_one_of_the_users_text) {
    const auto text = source_with_macros(request_for("int x;\n", {{"A", "-1"}, {"B", "float4"}}));
    ASSERT_TRUE(text.has_value());
    EXPECT_THAT(*text, HasSubstr("#define A (-1)\n"));
    EXPECT_THAT(*text, HasSubstr("#define B float4\n"));
    EXPECT_THAT(*text, testing::EndsWith("#line 1 \"kernels/k.cu\"\nint x;\n"));
}

TEST(macros, a_file_name_cannot_break_out_of_the_line_directive) {
    CompileRequest request = request_for("int x;\n");
    request.name = "a\"\n#error \\.cu";
    EXPECT_THAT(*source_with_macros(request),
                testing::EndsWith("#line 1 \"a\\\"?#error \\\\.cu\"\nint x;\n"));
}

TEST(compile_log, is_read_into_files_lines_and_texts) {
    const auto diagnostics = read_compile_log(
        "dir(1)/k.cu(12): error: identifier \"foo\" is undefined\n    a[0]=foo;\n         ^\n\n"
        "dir(1)/k.cu(14): warning #177-D: variable \"x\" was declared but never referenced\n  int x;\n\n"
        "1 error detected in the compilation of \"k.cu\".\n");
    ASSERT_EQ(diagnostics.size(), 2u);
    EXPECT_EQ(diagnostics[0].file, "dir(1)/k.cu");
    EXPECT_EQ(diagnostics[0].line, 12);
    EXPECT_TRUE(diagnostics[0].is_error);
    EXPECT_EQ(diagnostics[0].text, "identifier \"foo\" is undefined");
    EXPECT_EQ(diagnostics[0].quoted, "    a[0]=foo;");
    EXPECT_FALSE(diagnostics[1].is_error);
}

TEST(compile_log, becomes_one_sentence_with_the_lines_of_all_errors) {
    EXPECT_EQ(
        describe_compile_failure(request_for(""),
                                 "kernels/k.cu(2): error: A\n  x\n\nkernels/k.cu(3): warning #1-D: W\n\n"
                                 "kernels/k.cu(5): error: B\n\nkernels/k.cu(9): error: C\n"),
        "kernels/k.cu:2: error: A; 2 more errors at lines 5, 9");
    EXPECT_EQ(describe_compile_failure(request_for(""),
                                       "h.h(2): error: A\n\nh.h(4): error: B\n\nk.cu(9): error: C\n"),
              "h.h:2: error: A; 2 more errors at lines 4, k.cu:9")
        << "a line of another file says of which";
    EXPECT_THAT(describe_compile_failure(
                    request_for("", {{"T", "8"}}),
                    "/cuda/include/x.h(40): error: expected an identifier\n  template <class T>\n"),
                HasSubstr("the parameter `T` clashes with a name in that header"));
    EXPECT_THAT(describe_compile_failure(request_for(""),
                                         "kernels/k.cu(1): catastrophic error: could not open source "
                                         "file \"iostream\"\n"),
                HasSubstr("__CUDACC_RTC__"));
}

TEST(compiler, gives_ptx_and_resources_or_says_that_nvrtc_is_missing) {
    const auto compiler = make_compiler({});
    const auto compiled = compiler->compile(request_for(small_kernel, {{"N", "7"}}));
    if (!has_nvrtc(*compiler)) {
        EXPECT_THAT(compiler->description(), StartsWith("shipped PTX only: "));
        EXPECT_THAT(message_of(compiled), HasSubstr("install NVRTC"));
        return;
    }
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    EXPECT_THAT(compiled->ptx, HasSubstr(".entry k("));
    EXPECT_THAT(compiled->ptx, HasSubstr(".target sm_90"));
    EXPECT_THAT(compiled->ptx, HasSubstr(".file\t1 \"kernels/k.cu\""));  // no folder of this machine
    EXPECT_THAT(compiled->ptx, HasSubstr(".loc\t1 1 "));                 // the user's first line
    EXPECT_EQ(compiled->origin, compiler->description());
    ASSERT_EQ(compiled->entries.count("k"), 1u);
    EXPECT_GT(compiled->entries.at("k").registers_per_thread, 0u);
    EXPECT_EQ(compiled->entries.at("k").shared_static_bytes, 0u);
    EXPECT_EQ(find_entry(*compiled, "").value_or(""), "k");
}

TEST(compiler, reads_shared_memory_without_the_systems_own) {
    const auto compiler = make_compiler({});
    const std::string source =
        "__global__ void k(float* a) { __shared__ float t[33 * 32]; t[threadIdx.x] = a[threadIdx.x];\n"
        "__syncthreads(); a[threadIdx.x] = t[1055 - threadIdx.x]; }\n"
        "__global__ void other(float* a) { a[0] = 1; }\n";
    for (const char* target : {"sm_80", "sm_90", "sm_120"}) {
        CompileRequest request = request_for(source);
        request.target = target;
        const auto compiled = compiler->compile(request);
        if (!has_nvrtc(*compiler)) {
            EXPECT_FALSE(compiled.has_value());
            continue;
        }
        ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
        const auto entry = find_entry(*compiled, "k");
        ASSERT_TRUE(entry.has_value()) << entry.error().message;
        EXPECT_EQ(*entry, "_Z1kPf");
        EXPECT_EQ(compiled->entries.at(*entry).shared_static_bytes, 33u * 32 * 4) << target;
        EXPECT_THAT(message_of(find_entry(*compiled, "kk")), HasSubstr("it has k, other"));
        EXPECT_THAT(message_of(find_entry(*compiled, "")), HasSubstr("several kernels"));
    }
}

TEST(compiler, errors_keep_the_users_file_and_line) {
    const std::string message = failure(request_for(
        "__global__ void k(int* a) {\n  a[0] = N;\n  a[1] = foo;\n}\n", {{"N", "1"}, {"M", "2"}}));
    EXPECT_THAT(message, testing::AnyOf("kernels/k.cu:3: error: identifier \"foo\" is undefined",
                                        HasSubstr("libnvrtc is not in use")));
}

TEST(compiler, code_is_the_same_whatever_of_the_language_the_text_names) {
    const auto compiler = make_compiler({});
    if (!has_nvrtc(*compiler)) GTEST_SKIP() << "needs NVRTC";
    const std::string text =
        "extern \"C\" __global__ void k(float* p) { p[threadIdx.x] = sqrtf(p[blockIdx.x]); }";
    const auto less = compiler->compile(request_for(text + "\n", {}));
    const auto all = compiler->compile(request_for(text + " // cudaStream_t\n", {}));
    ASSERT_TRUE(less && all);
    EXPECT_EQ(less->ptx, all->ptx);
    EXPECT_EQ(less->cubin, all->cubin);
    const auto named = compiler->compile(request_for(
        "extern \"C\" __global__ void k(cudaTextureObject_t t, float* p) { *p = tex1Dfetch<float>(t, 3); }",
        {}));
    EXPECT_TRUE(named) << message_of(named);
    const auto hidden = compiler->compile(request_for(
        "#define JOIN(x, y) x##y\n"
        "extern \"C\" __global__ void k(JOIN(cu, daTextureObject_t) t, float* p) { *p = t != 0; }",
        {}));
    EXPECT_TRUE(hidden) << "compiled once more, with all of the language: " << message_of(hidden);
}

TEST(compiler, names_a_library_whose_types_the_kernel_takes) {
    const auto error = [](const std::string& kernel) {
        return failure(request_for("#include <torch/extension.h>\n#include <sys/time.h>\n" + kernel, {}));
    };
    const auto no_nvrtc = HasSubstr("libnvrtc is not in use");
    EXPECT_THAT(
        error("__global__ void k(torch::PackedTensorAccessor32<float, 1> a) { a[0] = 1; }\n"),
        testing::AnyOf(HasSubstr("; torch/extension.h in line 1 was not found and was set aside: give "
                                 "its folder with -I"),
                       no_nvrtc));
    EXPECT_THAT(error("__global__ void k(float* a) { b[0] = 1; }\n"), Not(HasSubstr("set aside")));
}

TEST(compiler, names_a_macro_that_cuda_already_defines) {
    EXPECT_THAT(
        failure(request_for(small_kernel, {{"CUDART_VERSION", "1"}, {"N", "1"}})),
        testing::AnyOf(
            HasSubstr("the parameter `CUDART_VERSION` has the name of a macro that CUDA itself defines"),
            HasSubstr("libnvrtc is not in use")));
}

TEST(compiler, a_kernel_is_found_by_its_template_arguments_or_its_scope) {
    Compiled compiled;
    for (const char* name : {"_Z5scaleIfEvPT_", "_Z5scaleIdEvPT_", "_ZN2ns5innerEPx", "_Z4pairIifEvPT_PT0_"})
        compiled.entries[name] = {};
    EXPECT_EQ(find_entry(compiled, "scale<float>").value_or(""), "_Z5scaleIfEvPT_");
    EXPECT_EQ(find_entry(compiled, "void scale<double>(double*)").value_or(""), "_Z5scaleIdEvPT_");
    EXPECT_EQ(find_entry(compiled, "_Z5scaleIdEvPT_").value_or(""), "_Z5scaleIdEvPT_");
    EXPECT_EQ(find_entry(compiled, "ns::inner").value_or(""), "_ZN2ns5innerEPx");
    EXPECT_EQ(find_entry(compiled, "inner").value_or(""), "_ZN2ns5innerEPx");
    EXPECT_EQ(find_entry(compiled, "pair<int,float>").value_or(""), "_Z4pairIifEvPT_PT0_");
    EXPECT_THAT(message_of(find_entry(compiled, "scale")),
                AllOf(HasSubstr("say which"), HasSubstr("scale<double>"), HasSubstr("scale<float>")));
    EXPECT_THAT(message_of(find_entry(compiled, "")), HasSubstr("scale<double>, scale<float>"));
}

TEST(compiler_long, the_c_library_s_headers_may_be_included) {
    std::string all;
    for (const HostHeader& header : host_headers()) all += fmt::format("#include <{}>\n", header.name);
    // The toolkit's own headers define some of the same names, before or after.
    const std::string toolkit = "#include <cooperative_groups.h>\n#include <cuda/std/cstdint>\n";
    const std::string kernel =
        "__global__ void k(std::uint8_t* a, uint64_t* b, float* c) {\n"
        "    assert(a != NULL);\n    printf(\"%d\", INT_MAX);\n    memset(a, 0, 4);\n"
        "    *b = UINT64_MAX; *c = sinf(M_PI) + FLT_MAX + INFINITY + fabs(-1.0f);\n}\n";
    const auto compiler = make_compiler({});
    const bool has_toolkit =
        has_nvrtc(*compiler) && compiler->compile(request_for(toolkit + "__global__ void k() {}\n"));
    for (const std::string& source : {all, all + toolkit, toolkit + all}) {
        const auto compiled = compiler->compile(request_for(source + kernel));
        const bool expected = has_nvrtc(*compiler) && (source == all || has_toolkit);
        EXPECT_EQ(compiled.has_value(), expected) << compiled.error().message;
    }
}

TEST(compiler, names_of_the_c_and_cpp_libraries_are_in_std_as_with_nvcc) {
    const auto compiler = make_compiler({});
    const std::string always =
        "__global__ void k(float* a, std::size_t n) { a[n] = std::sqrt(a[0]) + std::fmax(a[1], 2.0f) + "
        "std::abs(-3); if (std::isnan(a[2])) a[n] = std::exp(1.0); }\n";
    EXPECT_EQ(compiler->compile(request_for("#include <iostream>\n" + always)).has_value(),
              has_nvrtc(*compiler));
    const bool has_toolkit =
        has_nvrtc(*compiler) && compiler->compile(request_for("#include <cuda/std/limits>\n" + always));
    const std::string included =
        "#include <algorithm>\n#include <array>\n#include <limits>\n#include <tuple>\n#include "
        "<type_traits>\n#include <utility>\n#include <vector>\nusing namespace std;\n"
        "template <typename T> __device__ T most(T a) { if constexpr (std::is_same_v<T, float>) return "
        "std::max(a, std::numeric_limits<T>::lowest()); else return max(a, 3); }\n"
        "__global__ void k(float* a, int* b) { *a = most(*a); *b = most(*b) + min(*b, 7) + abs(*b); }\n";
    EXPECT_EQ(compiler->compile(request_for(included)).has_value(), has_toolkit);
}

TEST(compiler, host_code_in_the_file_is_set_aside) {
    const auto compiler = make_compiler({});
    for (const char* source : {"#include <iostream>\n__global__ void k() {}\n",
                               "__global__ void k() {}\nint main() { return 0; }\n"}) {
        const auto compiled = compiler->compile(request_for(source));
        EXPECT_EQ(compiled.has_value(), has_nvrtc(*compiler)) << compiled.error().message;
    }
}

TEST(compiler, a_parameter_called_like_a_template_parameter_does_not_break_the_built_in_headers) {
    const auto compiler = make_compiler({});
    const auto compiled = compiler->compile(
        request_for("__global__ void k(int* a) { a[threadIdx.x] = T + max(a[1], 3); }\n", {{"T", "8"}}));
    EXPECT_EQ(compiled.has_value(), has_nvrtc(*compiler));
}

TEST(compiler, an_unknown_target_is_an_error_that_lists_the_known) {
    for (const char* target : {"sm_10", "90", "sm_90; rm", "sm_", "compute_90"}) {
        CompileRequest request = request_for(small_kernel, {{"N", "1"}});
        request.target = target;
        EXPECT_THAT(failure(request),
                    testing::AnyOf(HasSubstr("it can for"), HasSubstr("libnvrtc is not in use")));
    }
}

TEST(compiler, a_file_without_a_kernel_says_so) {
    EXPECT_THAT(failure(request_for("__device__ int f() { return 1; }\n")),
                testing::AnyOf(HasSubstr("__global__"), HasSubstr("libnvrtc is not in use")));
}

TEST(compiler, may_be_used_from_several_threads) {
    const auto compiler = make_compiler({});
    std::vector<std::string> outcomes(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        threads.emplace_back([&, i] {
            const auto compiled =
                compiler->compile(request_for(small_kernel, {{"N", std::to_string(i % 3)}}));
            outcomes[i] = compiled ? compiled->ptx : "none";
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(outcomes[0], outcomes[3]);
    EXPECT_EQ(outcomes[1] == outcomes[0], !has_nvrtc(*compiler));
}

TEST(compiler, answers_while_other_threads_take_and_free_memory) {
    const auto compiler = make_compiler({});
    std::atomic<bool> done = false;
    std::vector<std::thread> busy;
    for (int i = 0; i < 4; ++i) {
        busy.emplace_back([&] {
            while (!done) std::string(10'000, 'x').append("y");
        });
    }
    for (int n = 0; n < 4; ++n) {
        const auto compiled = compiler->compile(request_for(small_kernel, {{"N", std::to_string(n)}}));
        EXPECT_EQ(compiled.has_value(), has_nvrtc(*compiler));
    }
    done = true;
    for (std::thread& thread : busy) thread.join();
}

TEST(compiler, can_be_kept_from_using_nvrtc_by_an_environment_variable) {
    const ScopedVariable off("WARPLENS_NVRTC", "off");
    const auto compiler = make_compiler({});
    EXPECT_EQ(compiler->description(), "shipped PTX only: WARPLENS_NVRTC is off");
    EXPECT_THAT(message_of(compiler->compile(request_for(small_kernel, {{"N", "1"}}))),
                AllOf(HasSubstr("kernels/k.cu"), HasSubstr("install NVRTC")));
}

}  // namespace warplens::instrumentation
