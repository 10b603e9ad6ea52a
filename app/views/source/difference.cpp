#include "app/views/source/difference.h"

#include <fmt/core.h>

#include <cmath>
#include <string_view>

#include "app/scene/line_diff.h"
#include "app/ui/number.h"
#include "app/views/source/listing.h"

namespace warplens::app {
namespace {

/// "+31", "−0.5", "0".
std::string signed_words(double value) {
    const std::string words = compact(std::abs(value));
    if (std::abs(value) < 0.005) return "0";
    const std::string exact = std::abs(value) < 1000 ? decimal(std::abs(value), 1) : words;
    return (value < 0 ? "−" : "+") + (exact == "0" ? decimal(std::abs(value), 2) : exact);
}

/// The cost of a difference is below 0 where the line costs less than before. `more_is_better`: of lanes.
HeatCell difference(const HeatCell& before, const HeatCell& after, bool more_is_better) {
    HeatCell cell;
    if (before.text.empty() && after.text.empty()) return cell;
    const double was = before.value.value_or(0), is = after.value.value_or(0);
    cell.value = is - was;
    cell.text = signed_words(*cell.value);
    const double grown = cell.text == "0" ? 0 : more_is_better ? -*cell.value : *cell.value;
    // A cost is a share of its own run: it may grow although the number becomes smaller.
    if (grown != 0) cell.cost = std::copysign(std::abs(after.cost - before.cost), grown);
    return cell;
}

std::vector<std::string_view> texts_of(const std::vector<CodeLine>& lines) {
    std::vector<std::string_view> texts;
    for (const CodeLine& line : lines) texts.push_back(line.text);
    return texts;
}

void subtract(CodeLine& line, const CodeLine& before) {
    for (std::size_t column = 0; column < heat_columns; ++column)
        line.heat[column] = difference(before.heat[column], line.heat[column], column == lanes_column);
}

}  // namespace

std::vector<CodeLine> difference(const std::vector<CodeLine>& before, const std::vector<CodeLine>& after) {
    std::vector<CodeLine> lines;
    std::vector<std::uint32_t> removed;  // of the hunk that is being read
    for (const DiffLine& diff : diff_lines(texts_of(before), texts_of(after))) {
        if (diff.kind == DiffLine::Kind::removed) {
            CodeLine line;
            line.text = before[diff.before].text;
            line.change = CodeLine::Change::removed;
            lines.push_back(std::move(line));
            removed.push_back(diff.before);
            continue;
        }
        CodeLine line = after[diff.after];
        if (diff.kind == DiffLine::Kind::same) {
            removed.clear();
            subtract(line, before[diff.before]);
        } else {
            line.change = CodeLine::Change::added;
            subtract(line, removed.empty() ? CodeLine{} : before[removed.front()]);
            if (!removed.empty()) removed.erase(removed.begin());
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace warplens::app
