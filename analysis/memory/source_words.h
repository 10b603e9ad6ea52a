// SourceWords: words of C++ source, for the analyses that read declarations in it. They do not parse C++.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace warplens::analysis {

inline bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The text with comments and strings blanked, so that a search finds only code. Positions are unchanged.
std::string without_comments(std::string_view text);

/// The position of `name` as a whole word at or after `from`; npos: there is none.
std::size_t find_name(std::string_view code, std::string_view name, std::size_t from);

}  // namespace warplens::analysis
