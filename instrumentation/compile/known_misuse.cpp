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
         "; load_matrix_sync takes a layout (wmma::mem_row_major) for an accumulator only: fragments of "
         "matrix_a "
         "and matrix_b have theirs in their type, and the pointer is to their element type"},
    Call{
        "store_matrix_sync",
        "; store_matrix_sync takes an accumulator, its element distance and a layout, wmma::mem_row_major or "
        "wmma::mem_col_major"},
    Call{"mma_sync",
         "; mma_sync takes an accumulator, a matrix_a, a matrix_b and an accumulator, in this order and of "
         "one "
         "shape"},
};

}  // namespace

std::string known_misuse(const Diagnostic& error) {
    const std::string_view text = error.text;
    const bool wrong_call = text.find("overloaded function") != std::string_view::npos;
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
    if (wrong_call && text.find("wmma::") != std::string_view::npos)
        for (const Call& call : matrix_calls)
            if (text.find(call.name) != std::string_view::npos) return call.takes;
    return "";
}

}  // namespace warplens::instrumentation
