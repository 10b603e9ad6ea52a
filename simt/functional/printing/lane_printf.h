// printf for one lane: format, strings and the variadic arguments as they lie in the lane's memory. What is
// wrong with them is reported: a string outside of all memory, an argument that the call does not have.
#pragma once

#include "simt/functional/block/warp.h"
#include "simt/functional/printing/printf_text.h"

namespace warplens::simt {

/// `format` and `arguments` are generic addresses; `arguments` is what the compiler makes of the variadic
/// ones: each at its natural alignment, float as double, small integers as int. `site`: of the call.
PrintfText lane_printf(Warp& warp, SiteId site, int lane, u64 format, u64 arguments);

struct TextRead {
    std::string text;
    bool ended = false;  // by its NUL or its greatest length, not by the end of its memory
};
/// The string at a generic address, at most `longest` characters; it reports nothing.
TextRead read_text(Warp& warp, int lane, u64 address, std::size_t longest);

}  // namespace warplens::simt
