// RewrittenLines: which removed line of a text an added line rewrites, by the words that both have, so that a
// cost is compared with that of the same statement. Not a difference: line_diff.h finds what was removed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warplens::app {

struct RewrittenLine {
    std::uint32_t before = 0, after = 0;  // indices into the removed and the added lines
    friend bool operator==(const RewrittenLine&, const RewrittenLine&) = default;
};

/// Ascending in both; at least half of the words of a pair are the same. A line has one counterpart at most.
std::vector<RewrittenLine> rewritten_lines(const std::vector<std::string_view>& removed,
                                           const std::vector<std::string_view>& added);

}  // namespace warplens::app
