// LineDiff: which lines of a text are new compared with an earlier one, and which were removed — as in
// `diff`, by the longest common subsequence, found piecewise between lines that occur once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warplens::app {

struct DiffLine {
    enum class Kind : std::uint8_t { same, added, removed };
    Kind kind = Kind::same;
    std::uint32_t before = 0, after = 0;  // line indices, 0 first; `before` of an added and `after` of a
                                          // removed line are where it would be
    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

std::vector<std::string_view> split_lines(std::string_view text);

/// In order; removed lines before the added ones of the same place.
std::vector<DiffLine> diff_lines(const std::vector<std::string_view>& before,
                                 const std::vector<std::string_view>& after);

/// A line of a difference, or where `folded` is not 0 a stretch of that many equal lines from `line` on.
struct FoldedLine {
    std::uint32_t line = 0;  // into the difference
    std::uint32_t folded = 0;
    friend bool operator==(const FoldedLine&, const FoldedLine&) = default;
};
/// Long stretches of equal lines are folded but for a few lines next to each change, except those whose first
/// folded line is in `opened`. Nothing is folded where nothing changes.
std::vector<FoldedLine> fold_equal_lines(const std::vector<DiffLine>& lines,
                                         const std::vector<std::uint32_t>& opened = {});

}  // namespace warplens::app
