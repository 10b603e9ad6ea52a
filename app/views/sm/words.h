// The words of the SM view: its finding, and what a slot, a pipe or a queue holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/views/sm/drawing.h"

namespace warplens::app {

struct SmSlotWords {
    std::string sentence;
    std::vector<std::string> lines;
};

/// "12:3": warp 3 of block 12.
std::string brief_warp(const trace::Schedule& schedule, std::uint32_t warp);
/// "warp 3 of block (12, 0)".
std::string warp_in_words(const SmDiagram& diagram, std::uint32_t warp);

SmSlotWords slot_words(const SmDiagram& diagram, const analysis::SlotState& slot);
SmSlotWords pipe_words(const SmDiagram& diagram, const PipeName& name, const analysis::PipeState& pipe);
/// "12:3 LDG.E, issued 41 cycles ago, leaves in 3 cycles"
std::string held_words(const SmDiagram& diagram, const analysis::HeldInstruction& held);

/// "`saxpy`, cycle 812: 28 of 32 warps in “Global memory result”"; who issues is the headline.
std::string sm_title(const SmDiagram& diagram);
/// The same without kernel and cycle.
std::string sm_state_words(const SmDiagram& diagram);
/// Of two runs in one cycle: "…; in PAD=0 60 of 64 warps in “Barrier”".
std::string sm_title_of_both(const SmDiagram& diagram, const SmDiagram& before, std::string_view before_name);
/// What stands beside the headline.
std::string sm_facts(const SmDiagram& diagram);

}  // namespace warplens::app
