#include "instrumentation/compile/known_misuse.h"

#include <fmt/format.h>

#include <array>

namespace warplens::instrumentation {
namespace {

/// `__reduce_add_sync` of a text that names it; empty: it names none.
std::string warp_reduction(std::string_view text) {
    const std::size_t begin = text.find("__reduce_");
    if (begin == std::string_view::npos) return "";
    const std::size_t end = text.find("_sync", begin);
    return end == std::string_view::npos ? "" : std::string(text.substr(begin, end + 5 - begin));
}

std::string_view of_fragment(std::string_view text) {
    const bool operand =
        text.find("matrix_a") != std::string_view::npos || text.find("matrix_b") != std::string_view::npos;
    if (operand && text.find("void>") != std::string_view::npos)
        return "; a fragment of matrix_a or matrix_b names how its matrix lies in memory, wmma::row_major or "
               "wmma::col_major, as its last template argument";
    if (text.find("accumulator") != std::string_view::npos && text.find("_major>") != std::string_view::npos)
        return "; an accumulator names no layout in its type: load_matrix_sync and store_matrix_sync take it";
    return "; tensor cores have no fragment of this shape and type: half takes 16 x 16 x 16, 32 x 8 x 16 and "
           "8 x 32 x 16";
}

struct Call {
    const char* name;
    const char* takes;
};
constexpr std::array matrix_calls{
    Call{"load_matrix_sync",
         "; load_matrix_sync takes a fragment, a pointer to its element type, the distance of two rows in "
         "elements and, for an accumulator only, a layout (wmma::mem_row_major or wmma::mem_col_major): "
         "matrix_a and matrix_b have theirs in their type"},
    Call{"store_matrix_sync",
         "; store_matrix_sync takes a pointer to the accumulator's element type, the accumulator, the "
         "distance of two rows in elements and a layout, wmma::mem_row_major or wmma::mem_col_major"},
    Call{"fill_fragment", "; fill_fragment takes a fragment and the value of its elements"},
    Call{"mma_sync",
         "; mma_sync takes an accumulator, a matrix_a, a matrix_b and an accumulator, in this order and of "
         "one "
         "shape"},
};

/// row_major and col_major are types, mem_row_major and mem_col_major values.
std::string_view confused_layout(const Diagnostic& error) {
    const std::string_view text = error.text, line = error.quoted;
    const auto has = [](std::string_view in, std::string_view word) {
        return in.find(word) != std::string_view::npos;
    };
    if (has(text, "is not a type name") && (has(text, "mem_row_major") || has(text, "mem_col_major")))
        return "; in a fragment's type stands wmma::row_major or wmma::col_major: wmma::mem_row_major and "
               "wmma::mem_col_major are for load_matrix_sync and store_matrix_sync of an accumulator";
    if (!has(text, "type name is not allowed") || !(has(line, "row_major") || has(line, "col_major")))
        return "";
    if (has(line, "store_matrix_sync"))
        return "; the layout that store_matrix_sync takes is wmma::mem_row_major or wmma::mem_col_major: "
               "wmma::row_major and wmma::col_major are for the types of matrix_a and matrix_b";
    if (has(line, "load_matrix_sync"))
        return "; wmma::row_major and wmma::col_major are for the types of matrix_a and matrix_b, whose "
               "load_matrix_sync takes no layout; that of an accumulator takes wmma::mem_row_major or "
               "wmma::mem_col_major";
    return "";
}

}  // namespace

std::string known_misuse(const Diagnostic& error) {
    const std::string_view text = error.text;
    const bool wrong_call = text.find("overloaded function") != std::string_view::npos ||
                            text.find("function template") != std::string_view::npos;
    if (const std::string name = warp_reduction(text); wrong_call && !name.empty())
        return fmt::format(
            "; {} takes 32-bit integers only; floating-point numbers are combined with __shfl_xor_sync, in "
            "five steps",
            name);
    if (text.find("\"cudaDeviceSynchronize\" is undefined") != std::string_view::npos)
        return "; device code cannot wait for the grids that it launches: CUDA 12 has no "
               "cudaDeviceSynchronize "
               "there. What needs their results can be a grid launched to cudaStreamTailLaunch, which begins "
               "when they have ended";
    if (text.find("wmma::fragment") != std::string_view::npos &&
        text.find("incomplete type") != std::string_view::npos)
        return std::string(of_fragment(text));
    if (const std::string_view confused = confused_layout(error); !confused.empty())
        return std::string(confused);
    if (wrong_call && text.find("wmma::") != std::string_view::npos)
        for (const Call& call : matrix_calls)
            if (text.find(call.name) != std::string_view::npos) return call.takes;
    return "";
}

}  // namespace warplens::instrumentation
