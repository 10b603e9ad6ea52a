// How a warp leaves that only records as a whole: it stores its head. Whoever also says which SM it is on and
// what time it is, or that a prediction was wrong, does so out of the way, with stores of its own, and comes
// back to nobody: the assembler needs no pair of barriers for it.
#pragma once

#include <string>
#include <string_view>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// Reports SpaceHead::warps_apart, with %mark, which is 1.
inline constexpr std::string_view report_warps_apart = "@%warplens_apart st.global.b32 [%base+{}], %mark;\n";

/// Records stay in a warp's first chunk.
bool slabs_can_be_full(const Draft& draft);

/// Needs %now, %first and what end_of_place() or find_slab_head sets; %full and %wrong, where slabs can be
/// full. `ends`: nobody goes on behind it. `last`: WarpHead::exit_mask.
std::string leave_whole(const Draft& draft, bool ends, const std::string& last);

}  // namespace warplens::instrumentation
