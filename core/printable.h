// Makes text safe for a terminal: without control characters, which could move the cursor or set the title,
// and with bounded length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warplens {

/// Control characters but newline and tab, those that turn the direction of a line, and bytes that are not
/// UTF-8, come out as \x1b; the rest stays.
std::string printable(std::string_view text);

inline constexpr std::size_t longest_message = 600;  // bytes

/// One line: printable, line ends as \n, and cut in the middle with a count of what was left out.
std::string one_line(std::string_view message, std::size_t longest = longest_message);

}  // namespace warplens
