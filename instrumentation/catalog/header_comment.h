// Finds the header in a C++ source: the first /* … */ comment with a line that reads `[kernel]`. Knows string
// literals, raw strings and line comments, so that none of them is taken for a comment.
#pragma once

#include <optional>
#include <string_view>

namespace warplens::instrumentation {

struct HeaderComment {
    std::string_view text;  // between the comment marks
    int first_line = 1;     // 1-based line of the opening mark
};

std::optional<HeaderComment> find_header_comment(std::string_view source);

}  // namespace warplens::instrumentation
