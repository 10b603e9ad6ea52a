// What a kernel printed, in words for the report and the window: a call's text as lines that can be shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/printed.h"

namespace warplens::analysis {

/// The lines of a call's text, without their line breaks; one empty line for an empty text. Tabs become
/// spaces up to the next multiple of eight; other control characters and bytes that are no UTF-8 stand as
/// "\x1b".
std::vector<std::string> printed_lines(std::string_view text);

/// "128 calls of printf", "1 call of printf, and 20 more that were not kept".
std::string printed_count(const PrintedCalls& printed);

/// The section of the report, line by line: nothing where nothing was printed.
std::vector<std::string> printed_section(const PrintedCalls& printed);

}  // namespace warplens::analysis
