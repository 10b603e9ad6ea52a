// LineMap: where the lines of a text moved when it was edited, so that a selected line stays selected.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warplens::app {

/// For line i of `before` (from 1; entry 0 is unused) its line in `after`; 0: it is gone. Where as
/// many lines were written in the place of others, they are those others; else those with the same words are.
std::vector<std::uint32_t> map_lines(std::string_view before, std::string_view after);

}  // namespace warplens::app
