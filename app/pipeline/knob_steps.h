// Knob steps: the values to which a parameter's knob can be set, as text, so that the window never computes
// a value that the kernel's header does not allow.
#pragma once

#include <optional>
#include <string>

#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// The value `steps` further up (or down, negative) from `value`, stopping at the end of the range; nothing
/// when the knob stands there already, or is neither a range nor a list.
std::optional<std::string> stepped(const instrumentation::ParameterDeclaration& parameter,
                                   const std::string& value, int steps);

/// How many steps one click of drag (8 unscaled pixels) should make, so that a range can be crossed on one
/// screen.
int steps_per_click(const instrumentation::ParameterDeclaration& parameter);

/// "0 to 32", "0 to 4096 in steps of 32", "8, 16 or 32": what may be typed.
std::string allowed_words(const instrumentation::ParameterDeclaration& parameter);

}  // namespace warplens::app
