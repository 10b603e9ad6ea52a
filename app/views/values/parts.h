// The parts of the Values view: a register in all lanes, the registers of a lane, the writes to a location,
// and shared memory as a grid. Each draws into a box and returns what was clicked; view.cpp lays them out.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/values/step_values.h"
#include "app/ui/ink.h"

namespace warplens::app {

/// Of another run, at the step that corresponds.
struct OtherValues {
    const StepValues& values;
    const std::map<std::string, std::string>& names;  // its registers by those of this run
};

struct ValuesPart {
    const Ink& ink;
    const StepValues& values;
    bool interactive = true;
    const OtherValues* other = nullptr;  // what differs from it is marked; null: there is none
    std::string_view hits = "values";    // what names of hit boxes begin with

    /// The mouse, where it is over the box.
    std::optional<ImVec2> mouse_in(const Box& box) const;
};

/// Of the other run; null: it has none.
const RegisterValue* counterpart(const ValuesPart& part, const RegisterValue& value);
/// After the step; false without a counterpart.
bool lane_differs(const ValuesPart& part, const RegisterValue& value, int lane);

/// "%r1 (index) in every lane, after the step".
std::string in_every_lane(const RegisterValue& value);
float lane_strip_height(const Ink& ink, float width);
/// One cell per lane; the lane that was clicked, or -1.
int draw_lane_strip(const ValuesPart& part, const RegisterValue& value, Box box);

/// As many further registers that differ between the executing lanes as have room, a strip for each, without
/// `shown`, which has one already. The lane that was clicked, or -1.
int draw_more_strips(const ValuesPart& part, const RegisterValue* shown, Box box);

/// A line of the list of registers.
struct RegisterRow {
    static constexpr std::size_t nothing = ~std::size_t{0};
    std::size_t index = nothing;  // into StepValues::registers; nothing: the line is empty
    bool differs = false;         // from the other run's
};
/// Of what the lane has written: result and operands first, then those with a name in the source, then other
/// values, and conditions last.
std::vector<RegisterRow> register_rows(const StepValues& values);
float register_row_height(const Ink& ink);
/// Returns the index of the register that was clicked, or -1.
int draw_registers(const ValuesPart& part, std::span<const RegisterRow> rows, Box box, float& scroll);

/// Returns the write that was clicked: an index into LocationHistory::writes, or -1.
int draw_history(const ValuesPart& part, Box box);
float history_height(const Ink& ink, const StepValues& values);

/// With all its rows, in a box of that width.
float shared_grid_height(const ValuesPart& part, float width);
/// Returns the word that was clicked, or -1. `first_row` is what the mouse wheel moves; negative: the row of
/// the location followed.
std::int64_t draw_shared_grid(const ValuesPart& part, Box box, std::int64_t& first_row);

}  // namespace warplens::app
