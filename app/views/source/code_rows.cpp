#include "app/views/source/code_rows.h"

#include <algorithm>
#include <string>

namespace warplens::app {
namespace {

/// A line is not broken into parts narrower than this.
constexpr std::size_t least_columns = 12;
/// Longer listings are not read as a whole for every frame.
constexpr std::size_t most_lines = 500;

/// The last place of (first, last] at which a line may be broken; `last` where there is none.
std::size_t break_place(const std::string& text, std::size_t first, std::size_t last) {
    for (std::size_t at = last; at > first + 1; --at)
        if (text[at - 1] == ' ' || text[at - 1] == ',' || text[at] == '[') return at;
    while (last > first + 1 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;  // in a sign
    return last;
}

/// Of the line's text before `end`.
BrokenLine break_line(const std::string& text, std::size_t end, std::size_t columns) {
    BrokenLine broken;
    while (end > 0 && text[end - 1] == ' ') --end;
    if (end <= columns || columns < least_columns) return broken;
    const std::size_t indentation = std::min(text.find_first_not_of(' '), end);
    const bool keeps = indentation <= columns / 4;
    std::size_t at = keeps ? 0 : indentation;
    broken.starts = {at};
    for (std::size_t room = columns; end - at > room; room = columns - broken.hang) {
        broken.hang = keeps ? indentation + 2 : 2;
        at = break_place(text, broken.starts.size() == 1 ? std::max(at, indentation) : at, at + room);
        broken.starts.push_back(at);
    }
    return broken;
}

CodeRows rows_of_all(const std::vector<CodeLine>& lines, std::size_t columns) {
    CodeRows rows;
    std::size_t row = 0;
    for (const CodeLine& line : lines) {
        rows.first.push_back(row);
        rows.broken.push_back(break_line(line.text, line.text.size(), columns));
        row += rows.broken.back().starts.size();
    }
    rows.first.push_back(row);
    return rows;
}

CodeRows rows_of_one(const std::vector<CodeLine>& lines, const std::vector<std::uint32_t>& chosen,
                     std::size_t columns) {
    CodeRows rows;
    rows.first.reserve(lines.size() + 1);
    std::size_t row = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        rows.first.push_back(row++);
        if (!rows.broken.empty() || lines[i].number == 0 ||
            !std::ranges::binary_search(chosen, lines[i].number))
            continue;
        const std::string& text = lines[i].text;
        rows.first_broken = i;
        rows.broken = {break_line(text, std::min(text.find("//"), text.size()), columns)};
        row += rows.broken.front().starts.size() - 1;
    }
    rows.first.push_back(row);
    return rows;
}

}  // namespace

const BrokenLine& CodeRows::parts_of(std::size_t line) const {
    static const BrokenLine whole;
    const bool listed = line >= first_broken && line - first_broken < broken.size();
    return listed ? broken[line - first_broken] : whole;
}

CodeRows code_rows(const std::vector<CodeLine>& lines, const std::vector<std::uint32_t>& chosen,
                   std::size_t columns, std::size_t rows) {
    if (lines.size() <= most_lines)
        if (CodeRows all = rows_of_all(lines, columns);
            all.first.back() <= std::max(rows, lines.size() + lines.size() / 2))
            return all;
    return rows_of_one(lines, chosen, columns);
}

}  // namespace warplens::app
