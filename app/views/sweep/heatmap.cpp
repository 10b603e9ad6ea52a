#include "app/views/sweep/heatmap.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {

using analysis::metric_value;

void draw_chart_heading(const Ink& ink, Box& box, const Sweep& sweep, std::size_t metric) {
    const Theme& theme = ink.theme;
    const analysis::Metric& about = *sweep.plan.metrics[metric];
    const std::string from = sweep.source(metric);
    ink.text(box.take_top(text_height(theme.fonts.code) + ink.px(2)), about.name, theme.fonts.code,
             theme.text);
    const char* better = about.better == analysis::Better::less   ? ", lower is better"
                         : about.better == analysis::Better::more ? ", higher is better"
                                                                  : "";
    ink.text(box.take_top(text_height(theme.fonts.small) + ink.px(2)),
             fmt::format("{}{}{}{}", about.unit, about.unit.empty() ? "" : " · ", from, better),
             theme.fonts.small, theme.text_dim);
}

std::optional<std::size_t> draw_sweep_heatmap(const Ink& ink, Box box, const Sweep& sweep, std::size_t metric,
                                              const SweepMarks& marks, std::optional<ImVec2> mouse) {
    const Theme& theme = ink.theme;
    const SweepAxis &down = sweep.plan.axes[0], &right = sweep.plan.axes[1];
    draw_chart_heading(ink, box, sweep, metric);
    double least = 1e300, most = -1e300;
    for (const SweepRow& row : sweep.rows)
        if (row.values[metric]) {
            least = std::min(least, *row.values[metric]);
            most = std::max(most, *row.values[metric]);
        }
    float labels = text_width(theme.fonts.words, down.name);
    for (const std::string& value : down.values)
        labels = std::max(labels, text_width(theme.fonts.code, value));
    box.take_top(ink.px(6));
    Box names = box.take_top(text_height(theme.fonts.words) + ink.px(2));
    names.take_left(labels + ink.px(10));
    ink.text(names, right.name, theme.fonts.words, theme.text_dim, Align::centre);
    Box top = box.take_top(text_height(theme.fonts.code) + ink.px(6));
    ink.text(top.take_left(labels), down.name, theme.fonts.words, theme.text_dim, Align::right);
    const float left = box.x0 + labels + ink.px(10);
    const float cell_x = (box.x1 - left) / static_cast<float>(right.values.size());
    const float cell_y =
        std::min(box.height() / static_cast<float>(down.values.size()), std::max(ink.px(20), cell_x));
    const auto best = sweep.best(metric);
    std::optional<std::size_t> hit;
    for (std::size_t column = 0; column < right.values.size(); ++column) {
        const float x = left + cell_x * static_cast<float>(column);
        ink.text_if_fits({x, top.y0, x + cell_x, top.y1}, right.values[column], theme.fonts.code,
                         theme.text_dim);
    }
    for (std::size_t row = 0; row < sweep.rows.size(); ++row) {
        const std::size_t line = row / right.values.size(), column = row % right.values.size();
        const float x = left + cell_x * static_cast<float>(column);
        const float y = box.y0 + cell_y * static_cast<float>(line);
        const Box cell{x, y, x + cell_x - ink.px(1), y + cell_y - ink.px(1)};
        if (column == 0)
            ink.text_if_fits({box.x0, y, box.x0 + labels, y + cell_y}, down.values[line], theme.fonts.code,
                             theme.text_dim, Align::right);
        const SweepRow& at = sweep.rows[row];
        if (!at.values[metric]) {
            ink.hatch(cell, theme.inactive);
        } else {
            const double share = most > least ? (*at.values[metric] - least) / (most - least) : 0.5;
            const ImU32 fill = theme.amount(share);
            ink.fill(cell, fill);
            ink.text_if_fits(cell, metric_value(*at.values[metric]), theme.fonts.code, theme.text_on(fill));
        }
        if (at.at == marks.current) ink.outline(cell, theme.selected, 2);
        if (marks.ghost && at.at == marks.ghost->at) {
            outline_change(ink, cell);
            ink.text_if_fits({cell.x0, cell.y1 - (cell.height() - ink.px(12)) / 2, cell.x1, cell.y1},
                             marks.ghost->name, theme.fonts.small, theme.text_on(theme.amount(0)));
        }
        if (best == row) {
            ink.outline(cell.inset(ink.px(2)), theme.ideal, 2.5f);
            ink.text_if_fits({cell.x0, cell.y0, cell.x1, cell.y0 + (cell.height() - ink.px(12)) / 2}, "best",
                             theme.fonts.small, theme.text_on(theme.amount(0)));
        }
        if (mouse && cell.has(*mouse)) {
            hit = row;
            ink.outline(cell, theme.selected, 1.5f);
        }
        hit_box(fmt::format("sweep {} {}", metric, row), cell.min(), cell.max());
    }
    return hit;
}

}  // namespace warplens::app
