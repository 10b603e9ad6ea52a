// The timeline's tooltip: a warp in a cycle, or a scheduler's issue slot.
#pragma once

#include <string>
#include <vector>

#include "app/views/timeline/parts.h"

namespace warplens::app {

struct TimelineWords {
    std::string sentence;            // may hold `code`
    std::vector<std::string> lines;  // facts, in the code font
};

/// Which warp in which cycle is at a place of the plot; no warp over issue slots and idle slots.
TimelinePoint point_at(const TimelineCanvas& canvas, ImVec2 at);

/// The warp's state, why, since when, and what it is about to issue. Empty when it was not resident.
TimelineWords words_of(const TimelineIndex& index, const TimelinePoint& point);
/// Which warp a scheduler issued for, or what its warps waited for instead.
TimelineWords issue_slot_words(const TimelineIndex& index, std::uint32_t scheduler, std::uint32_t cycle);

}  // namespace warplens::app
