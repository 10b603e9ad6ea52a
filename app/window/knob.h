// Knob: one parameter of the kernel in the toolbar, "PAD ◂ 0 ▸". The arrows and the arrow keys step it,
// dragging the value runs through its range, clicking the value opens a field to type in and the list of
// values.
#pragma once

#include <optional>
#include <string>

#include "app/ui/theme.h"
#include "app/window/frame_state.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

float knob_width(const Theme& theme, const instrumentation::ParameterDeclaration& parameter,
                 const std::string& value);
/// The new value when it was turned this frame.
std::optional<std::string> knob(const Theme& theme, FrameState& state,
                                const instrumentation::ParameterDeclaration& parameter,
                                const std::string& value);

}  // namespace warplens::app
