// Fuzzy match: how well typed letters fit a name. All letters occur in the name in their order, whatever the
// case; words of the query may come in any order. Letters in sequence and at the beginning of words count
// more, gaps and long names less.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens::app {

struct FuzzyMatch {
    int score = 0;                     // the larger, the better
    std::vector<std::size_t> letters;  // byte offsets of the letters in the name that matched, ascending
};

/// Nothing where a letter of the query is missing. An empty query matches everything with score 0.
std::optional<FuzzyMatch> fuzzy_match(std::string_view query, std::string_view name);

}  // namespace warplens::app
