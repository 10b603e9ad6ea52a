// A kernel's printf output for the report and the window: a call's text as displayable lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/printed.h"

namespace warplens::analysis {

/// The lines of a call's text, without their line breaks; one empty line for an empty text. Tabs become
/// spaces up to the next multiple of eight; other control characters and invalid UTF-8 bytes become "\x1b".
std::vector<std::string> printed_lines(std::string_view text);

/// "128 calls of printf", "1 call of printf, and 20 more that were not kept".
std::string printed_count(const PrintedCalls& printed);

/// The lines of the report's section; empty if nothing was printed.
std::vector<std::string> printed_section(const PrintedCalls& printed);

}  // namespace warplens::analysis
