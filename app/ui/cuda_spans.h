// CUDA spans: the words of a line of CUDA C++ by their kind, for an editor's colours. It knows words, not
// grammar: a macro's name is plain.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/ui/theme.h"

namespace warplens::app {

enum class CudaWord : std::uint8_t {
    plain,
    comment,
    literal,    // strings, characters and numbers
    keyword,    // of C++ and CUDA: for, float, __global__, __shared__
    builtin,    // of CUDA's device code: threadIdx, __syncthreads, atomicAdd
    directive,  // #include, #pragma
};

struct CudaSpan {
    std::string_view text;
    CudaWord word = CudaWord::plain;
};

/// The spans are the line without gaps. `in_comment`: a comment of several lines is open before the line;
/// set to whether one is open after it.
std::vector<CudaSpan> cuda_spans(std::string_view line, bool& in_comment);

/// Legible on the theme's background.
ImU32 colour_of(const Theme& theme, CudaWord word);

}  // namespace warplens::app
