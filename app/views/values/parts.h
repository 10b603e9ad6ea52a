// The parts of the Values view: a register in all lanes, the registers of a lane, the writes to a location,
// and shared memory as a grid. Each draws into a box and returns what was clicked; view.cpp lays them out.
#pragma once

#include <optional>
#include <string>

#include "app/pipeline/values/step_values.h"
#include "app/ui/ink.h"

namespace warplens::app {

struct ValuesPart {
    const Ink& ink;
    const StepValues& values;
    bool interactive = true;

    /// The mouse, where it is over the box.
    std::optional<ImVec2> mouse_in(const Box& box) const;
};

float lane_strip_height(const Ink& ink, float width);
/// One cell per lane; the lane that was clicked, or -1.
int draw_lane_strip(const ValuesPart& part, const RegisterValue& value, Box box);

/// Result and operands first, then the others that the lane has written. Returns the index of the register
/// that was clicked, or -1.
int draw_registers(const ValuesPart& part, Box box, float& scroll);

/// Returns the write that was clicked: an index into LocationHistory::writes, or -1.
int draw_history(const ValuesPart& part, Box box);
float history_height(const Ink& ink, const StepValues& values);

/// Returns the word that was clicked, or -1. `first_row` is what the mouse wheel moves; negative: the row of
/// the location followed.
std::int64_t draw_shared_grid(const ValuesPart& part, Box box, std::int64_t& first_row);

}  // namespace warplens::app
