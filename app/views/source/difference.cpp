#include "app/views/source/difference.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/scene/line_diff.h"
#include "app/scene/rewritten_lines.h"
#include "app/ui/number.h"
#include "app/views/source/listing.h"

namespace warplens::app {
namespace {

/// "+31", "−0.5", "0".
std::string signed_words(double value) {
    const std::string words = compact(std::abs(value));
    if (std::abs(value) < 0.005) return "0";
    const int decimals = std::abs(value) < 99.95 ? 1 : 0;
    const std::string exact = std::abs(value) < 999.5 ? decimal(std::abs(value), decimals) : words;
    return (value < 0 ? "−" : "+") + (exact == "0" ? decimal(std::abs(value), 2) : exact);
}

/// The cost of a difference is below 0 where the line costs less than before. `more_is_better`: of lanes.
/// `is_sum`: of amounts that add up, whose cost ends at 1 for all large ones: then the difference is as large
/// a share of the greater cost as of the greater amount.
HeatCell difference(const HeatCell& before, const HeatCell& after, bool more_is_better, bool is_sum) {
    HeatCell cell;
    if (before.text.empty() && after.text.empty()) return cell;
    const double was = before.value.value_or(0), is = after.value.value_or(0);
    cell.value = is - was;
    cell.text = signed_words(*cell.value);
    const double grown = cell.text == "0" ? 0 : more_is_better ? -*cell.value : *cell.value;
    // A cost is a share of its own run: it may grow although the number becomes smaller.
    double size = std::abs(after.cost - before.cost);
    if (is_sum && std::max(was, is) > 0)
        size = (is > was ? after.cost : before.cost) * std::abs(is - was) / std::max(was, is);
    if (grown != 0) cell.cost = std::copysign(size, grown);
    return cell;
}

std::vector<std::string_view> texts_of(const std::vector<CodeLine>& lines) {
    std::vector<std::string_view> texts;
    for (const CodeLine& line : lines) texts.push_back(line.text);
    return texts;
}

bool is_sum(std::size_t column) { return column == waited_column || column == exposed_column; }

/// A mean that only one of the runs has is no difference: the current one is shown.
void subtract(CodeLine& line, const CodeLine& before) {
    for (std::size_t column = 0; column < heat_columns; ++column) {
        const HeatCell &was = before.heat[column], &is = line.heat[column];
        if (is_sum(column) || (!was.text.empty() && !is.text.empty()))
            line.heat[column] = difference(was, is, column == lanes_column, is_sum(column));
    }
}

/// The costs of a line that only one text has: cycles count as gained or saved, means are the line's own.
void keep_own_costs(CodeLine& line, const CodeLine& costs, bool is_added) {
    for (std::size_t column = 0; column < heat_columns; ++column) {
        const HeatCell& own = costs.heat[column];
        line.heat[column] = !is_sum(column) ? own
                            : is_added      ? difference({}, own, false, true)
                                            : difference(own, {}, false, true);
        if (!is_sum(column) && !is_added) line.heat[column].cost = -own.cost;
    }
}

/// Lines of both texts between two lines that are the same.
struct Hunk {
    std::vector<std::uint32_t> removed, added;
};

class Difference {
  public:
    Difference(const std::vector<CodeLine>& before, const std::vector<CodeLine>& after)
        : before_(before), after_(after) {}

    std::vector<CodeLine> run() && {
        Hunk hunk;
        for (const DiffLine& diff : diff_lines(texts_of(before_), texts_of(after_))) {
            if (diff.kind == DiffLine::Kind::removed) hunk.removed.push_back(diff.before);
            if (diff.kind == DiffLine::Kind::added) hunk.added.push_back(diff.after);
            if (diff.kind != DiffLine::Kind::same) continue;
            close(std::exchange(hunk, {}));
            lines_.push_back(after_[diff.after]);
            subtract(lines_.back(), before_[diff.before]);
        }
        close(hunk);
        return std::move(lines_);
    }

  private:
    void close(const Hunk& hunk) {
        std::vector<std::string_view> old_texts, new_texts;
        for (const std::uint32_t line : hunk.removed) old_texts.push_back(before_[line].text);
        for (const std::uint32_t line : hunk.added) new_texts.push_back(after_[line].text);
        const std::vector<RewrittenLine> pairs = rewritten_lines(old_texts, new_texts);
        for (std::uint32_t i = 0; i < hunk.removed.size(); ++i) {
            const CodeLine& was = before_[hunk.removed[i]];
            CodeLine line;
            line.text = was.text;
            line.change = CodeLine::Change::removed;
            // Of a rewritten line the new text has the difference.
            if (std::ranges::find(pairs, i, &RewrittenLine::before) == pairs.end())
                keep_own_costs(line, was, false);
            lines_.push_back(std::move(line));
        }
        for (std::uint32_t i = 0; i < hunk.added.size(); ++i) {
            CodeLine line = after_[hunk.added[i]];
            line.change = CodeLine::Change::added;
            const auto pair = std::ranges::find(pairs, i, &RewrittenLine::after);
            if (pair == pairs.end()) keep_own_costs(line, after_[hunk.added[i]], true);
            else subtract(line, before_[hunk.removed[pair->before]]);
            lines_.push_back(std::move(line));
        }
    }

    const std::vector<CodeLine>&before_, &after_;
    std::vector<CodeLine> lines_;
};

}  // namespace

std::vector<CodeLine> difference(const std::vector<CodeLine>& before, const std::vector<CodeLine>& after) {
    return Difference(before, after).run();
}

}  // namespace warplens::app
