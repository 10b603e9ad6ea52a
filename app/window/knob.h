// Knob: one parameter of the kernel in the toolbar, "PAD ◂ 0 ▸". The arrows and the arrow keys step it,
// dragging the value moves through its range, and clicking the value opens an input field and the list of
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
/// The new value if it was changed in this frame.
std::optional<std::string> knob(const Theme& theme, FrameState& state,
                                const instrumentation::ParameterDeclaration& parameter,
                                const std::string& value);

}  // namespace warplens::app
