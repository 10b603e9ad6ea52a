// One register says who a lane is and where it writes, where nothing is written before a warp ends but words
// of logs and columns: %warplens_place, the bytes from the first slab to a word of the lane's own. The slab,
// the lane and whether the warp is its block's first follow from it when they are asked for, so that nothing
// else is kept for them while the kernel runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/lane_mask.h"
#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

inline constexpr std::string_view lane_place = "%warplens_place";
inline constexpr std::uint32_t lane_bits = 4 * (warp_size - 1);  // of it: 4 times the lane

/// Sets %warplens_place. Needs %slab, %lane, %block and %linear.
std::string begin_lane_place(Draft& draft, FunctionDraft& entry);

/// Where the slab's address is used by the first lane alone: sets %warplens_slab, for that lane, in fewer
/// instructions. Empty where others use it as well. Needs %block, %linear and %base.
std::string slab_of_first_lane(const Draft& draft);

/// At the warp's end: declares and sets %of_lane, 4 times the lane, and %to, the lane's word in the first row
/// of the slab, and sets %at, which is declared, to where the slab begins: where a whole warp leaves, of the
/// first lane alone, which leads. Needs %base.
std::string end_of_place(const Draft& draft, bool all_leave);

/// Sets %leads and %first of a warp that is whole, which are declared. Needs %of_lane.
std::string head_of_place(const Draft& draft);

/// How the words of a lane's log are found: by %warplens_place, which goes along with them, or by
/// %warplens_log_place, bytes in the warp's slab, where records are written before the end.
struct LogPlace {
    std::string_view name;    // the register: 128 more at each word
    std::string_view passed;  // a register: bytes that the lane has passed
    std::string find_passed;  // sets it
    std::string find_word;    // sets %word, declared: log_begin() from there is the lane's word. Needs %base
};
LogPlace log_place(const Draft& draft);

}  // namespace warplens::instrumentation
