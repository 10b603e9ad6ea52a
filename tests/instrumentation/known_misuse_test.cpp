// The compiler's words about wrong calls of CUDA's own functions, and the sentence that follows them.
#include <gmock/gmock.h>

#include "instrumentation/compile/compile_log.h"

namespace warplens::instrumentation {
namespace {

using testing::HasSubstr;

TEST(known_misuse, explains_wrong_calls_of_cudas_own_functions) {
    CompileRequest request;
    request.name = "kernels/k.cu";
    const auto words_of = [&](const std::string& error) {
        return describe_compile_failure(request, "kernels/k.cu(3): error: " + error + "\n  x\n");
    };
    const std::string none = "no instance of overloaded function \"nvcuda::wmma::";
    EXPECT_EQ(
        words_of("more than one instance of overloaded function \"__reduce_add_sync\" matches the argument "
                 "list:"),
        "kernels/k.cu:3: error: more than one instance of overloaded function \"__reduce_add_sync\" matches "
        "the argument list; __reduce_add_sync takes 32-bit integers only; floating-point numbers are "
        "combined "
        "with __shfl_xor_sync, in five steps");
    EXPECT_THAT(
        words_of("incomplete type \"nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, void>\" "
                 "is not allowed"),
        HasSubstr("wmma::row_major or wmma::col_major, as its last template argument"));
    EXPECT_THAT(
        words_of("incomplete type \"nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float, "
                 "nvcuda::wmma::row_major>\" is not allowed"),
        HasSubstr("an accumulator names no layout"));
    EXPECT_THAT(words_of("incomplete type \"nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 8, 16, half, "
                         "nvcuda::wmma::row_major>\" is not allowed"),
                HasSubstr("no fragment of this shape and type"));
    EXPECT_THAT(words_of(none + "load_matrix_sync\" matches the argument list"),
                HasSubstr("for an accumulator only"));
    EXPECT_THAT(words_of(none + "mma_sync\" matches the argument list"),
                HasSubstr("a matrix_a, a matrix_b and"));
    EXPECT_THAT(words_of(none + "store_matrix_sync\" matches the argument list"),
                HasSubstr("wmma::mem_row_major or wmma::mem_col_major"));
    EXPECT_THAT(words_of("no instance of function template \"nvcuda::wmma::fill_fragment\" matches the "
                         "argument list"),
                HasSubstr("a fragment and the value"));
    EXPECT_THAT(words_of("identifier \"cudaDeviceSynchronize\" is undefined"),
                HasSubstr("cannot wait for the grids that it launches"));
    EXPECT_THAT(words_of("identifier \"__reduce_sum_sync\" is undefined"), testing::EndsWith("is undefined"));
}

TEST(known_misuse, tells_the_layouts_of_types_from_those_of_calls) {
    CompileRequest request;
    request.name = "kernels/k.cu";
    const auto words_of = [&](const std::string& error, const std::string& line) {
        return describe_compile_failure(
            request, "kernels/k.cu(3): error: " + error + "\n      " + line + "\n      ^\n");
    };
    const std::string type = "type name is not allowed";
    EXPECT_THAT(words_of(type, "wmma::store_matrix_sync(c, f, 16, wmma::row_major);"),
                HasSubstr("takes is wmma::mem_row_major or wmma::mem_col_major"));
    EXPECT_THAT(words_of(type, "wmma::load_matrix_sync(f, a, 16, wmma::col_major);"),
                HasSubstr("load_matrix_sync takes no layout"));
    EXPECT_THAT(words_of(type, "int x = float;"), testing::EndsWith("is not allowed"));
    EXPECT_THAT(
        words_of("constant \"nvcuda::wmma::mem_row_major\" is not a type name", "wmma::fragment<…> f;"),
        HasSubstr("in a fragment's type stands wmma::row_major"));
}

}  // namespace
}  // namespace warplens::instrumentation
