// Compile-time parameters put into a source so that they can change nothing but their own value, and so that
// line numbers stay those of the user's file.
#pragma once

#include <string>

#include "core/result.h"
#include "instrumentation/compile/compiler.h"

namespace warplens::instrumentation {

/// Whether name and value are single tokens that can stand in a #define; the error says what would be right.
Status check_macro(const std::string& name, const std::string& value);

/// The source with a #define a macro in front of its first line. They stand in the text, not on the command
/// line, so that NVRTC's own headers, which come before, never see them.
Result<std::string> source_with_macros(const CompileRequest& request);

/// The macro a compiler's log names as already taken by a built-in header; empty when none.
std::string clashing_macro(const std::string& log);

}  // namespace warplens::instrumentation
