// The rows of a listing: a line that is too long for its pane is broken into several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/views/source/code_pane.h"

namespace warplens::app {

/// Where a line is broken so that each part fits: after blanks and commas and before brackets where there are
/// any. The line keeps its indentation unless that takes too much of the pane; its second part and those
/// after it are drawn `hang` columns to the right.
struct BrokenLine {
    std::vector<std::size_t> starts{0};  // of each part, bytes into the line
    std::size_t hang = 0;

    /// Whether it is drawn in one piece from its first column.
    bool is_whole() const { return starts.size() == 1 && starts.front() == 0; }
};

struct CodeRows {
    std::vector<std::size_t> first;  // row of each line, and of the end
    std::vector<BrokenLine> broken;  // of the lines from `first_broken` on
    std::size_t first_broken = 0;

    std::size_t count(std::size_t line) const { return first[line + 1] - first[line]; }
    const BrokenLine& parts_of(std::size_t line) const;
};

/// In a pane of so many columns and rows. Where breaking all long lines leaves all of the listing in sight,
/// or makes it longer by no more than a half, all are broken, with their comments. Else only the first of
/// the `chosen` lines (ascending) is, without its comment, and the others go on past the edge.
CodeRows code_rows(const std::vector<CodeLine>& lines, const std::vector<std::uint32_t>& chosen,
                   std::size_t columns, std::size_t rows);

}  // namespace warplens::app
