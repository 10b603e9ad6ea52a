// printf for one lane: reads the format, strings and variadic arguments from the lane's memory and reports
// errors: a string outside all memory, an argument that the call lacks.
#pragma once

#include "simt/functional/block/warp.h"
#include "simt/functional/printing/printf_text.h"

namespace warplens::simt {

/// `format` and `arguments` are generic addresses; `arguments` is the compiler's layout of the variadic
/// arguments: each at its natural alignment, float as double, small integers as int. `site`: the call.
PrintfText lane_printf(Warp& warp, SiteId site, int lane, u64 format, u64 arguments);

struct TextRead {
    std::string text;
    bool ended = false;  // at its NUL or the maximum length, not at the end of its memory
};
/// The string at a generic address, at most `longest` characters; reports nothing.
TextRead read_text(Warp& warp, int lane, u64 address, std::size_t longest);

}  // namespace warplens::simt
