#include "app/views/sweep/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {

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

namespace {

/// Of one colour scale.
struct Scale {
    double least = 1e300, most = -1e300;

    void take(const Sweep& sweep, std::size_t metric) {
        for (const SweepRow& row : sweep.rows)
            if (row.values[metric]) {
                least = std::min(least, *row.values[metric]);
                most = std::max(most, *row.values[metric]);
            }
    }
    double share(double value) const { return most > least ? (value - least) / (most - least) : 0.5; }
};

struct HeatMap {
    const Sweep& sweep;
    std::size_t metric;
    const SweepMarks& marks;
    Scale scale;
    const Sweep* other;  // cells that differ from it are outlined; null: none are
    const char* name;    // of its hit boxes
};

/// Values that are the same in both sweeps: where there are none, outlines would say nothing.
bool some_cells_stay(const Sweep& sweep, const Sweep& other, std::size_t metric) {
    for (std::size_t row = 0; row < std::min(sweep.rows.size(), other.rows.size()); ++row)
        if (sweep.rows[row].values[metric] == other.rows[row].values[metric]) return true;
    return false;
}

class HeatMapDrawing {
  public:
    HeatMapDrawing(const Ink& ink, const HeatMap& map)
        : ink_(ink),
          theme_(ink.theme),
          map_(map),
          down_(map.sweep.plan.axes[0]),
          right_(map.sweep.plan.axes[1]),
          down_words_(tick_words(down_)),
          right_words_(tick_words(right_)),
          best_(map.sweep.best[map.metric]) {}

    std::optional<std::size_t> draw(Box box, std::optional<ImVec2> mouse) {
        draw_names(box);
        std::optional<std::size_t> hit;
        for (std::size_t row = 0; row < map_.sweep.rows.size(); ++row) {
            const std::size_t line = row / right_.values.size(), column = row % right_.values.size();
            const float x = left_ + cell_x_ * static_cast<float>(column);
            const float y = top_ + cell_y_ * static_cast<float>(line);
            const Box cell{x, y, x + cell_x_ - ink_.px(1), y + cell_y_ - ink_.px(1)};
            if (column == 0)
                ink_.text_if_fits({box.x0, y, left_ - ink_.px(10), y + cell_y_}, down_words_[line],
                                  theme_.fonts.code, theme_.text_dim, Align::right);
            draw_cell(row, cell);
            if (mouse && cell.has(*mouse)) {
                hit = row;
                ink_.outline(cell, theme_.selected, 1.5f);
            }
            hit_box(fmt::format("{} {} {}", map_.name, map_.metric, row), cell.min(), cell.max());
        }
        return hit;
    }

  private:
    /// Of the axes, and the values of the one across; what is left is the cells'.
    void draw_names(Box box) {
        float labels = text_width(theme_.fonts.words, down_.name);
        for (const std::string& value : down_words_)
            labels = std::max(labels, text_width(theme_.fonts.code, value));
        box.take_top(ink_.px(6));
        Box names = box.take_top(text_height(theme_.fonts.words) + ink_.px(2));
        names.take_left(labels + ink_.px(10));
        ink_.text(names, right_.name, theme_.fonts.words, theme_.text_dim, Align::centre);
        Box top = box.take_top(text_height(theme_.fonts.code) + ink_.px(6));
        ink_.text(top.take_left(labels), down_.name, theme_.fonts.words, theme_.text_dim, Align::right);
        left_ = box.x0 + labels + ink_.px(10);
        top_ = box.y0;
        cell_x_ = (box.x1 - left_) / static_cast<float>(right_.values.size());
        cell_y_ =
            std::min(box.height() / static_cast<float>(down_.values.size()), std::max(ink_.px(20), cell_x_));
        // Every column's value, or that of every second, third, …
        float widest = 0;
        for (const std::string& value : right_words_)
            widest = std::max(widest, text_width(theme_.fonts.code, value));
        const auto every =
            static_cast<std::size_t>(std::max(1.0f, std::ceil((widest + ink_.px(6)) / cell_x_)));
        for (std::size_t column = 0; column < right_.values.size(); column += every) {
            const float x = left_ + cell_x_ * (static_cast<float>(column) + 0.5f);
            const float half = std::max(text_width(theme_.fonts.code, right_words_[column]), cell_x_) / 2;
            ink_.text({x - half, top.y0, x + half + 1, top.y1}, right_words_[column], theme_.fonts.code,
                      theme_.text_dim, Align::centre);
        }
    }

    void draw_cell(std::size_t row, const Box& cell) const {
        const SweepRow& at = map_.sweep.rows[row];
        const std::optional<double>& value = at.values[map_.metric];
        const ImU32 on_cell = theme_.text_on(theme_.amount(0));
        if (!value) {
            ink_.hatch(cell, theme_.inactive);
        } else {
            const ImU32 fill = theme_.amount(map_.scale.share(*value));
            ink_.fill(cell, fill);
            ink_.text_if_fits(cell, sweep_number(*map_.sweep.plan.metrics[map_.metric], *value),
                              theme_.fonts.code, theme_.text_on(fill));
        }
        if (map_.other && map_.other->rows[row].values[map_.metric] != value) outline_change(ink_, cell);
        if (at.at == map_.marks.current) ink_.outline(cell, theme_.selected, 2);
        if (map_.marks.ghost && at.at == map_.marks.ghost->at) {
            outline_change(ink_, cell);
            ink_.text_if_fits({cell.x0, cell.y1 - (cell.height() - ink_.px(12)) / 2, cell.x1, cell.y1},
                              map_.marks.ghost->name, theme_.fonts.small, on_cell);
        }
        if (std::ranges::find(best_, row) == best_.end()) return;
        ink_.outline(cell.inset(ink_.px(2)), theme_.ideal, 2.5f);
        ink_.text_if_fits({cell.x0, cell.y0, cell.x1, cell.y0 + (cell.height() - ink_.px(12)) / 2}, "best",
                          theme_.fonts.small, on_cell);
    }

    const Ink& ink_;
    const Theme& theme_;
    const HeatMap& map_;
    const SweepAxis &down_, &right_;
    std::vector<std::string> down_words_, right_words_;
    const std::vector<std::size_t>& best_;
    float left_ = 0, top_ = 0, cell_x_ = 1, cell_y_ = 1;
};

std::string best_words(const Sweep& sweep, std::size_t metric) {
    const auto& best = sweep.best[metric];
    if (best.empty()) return {};
    return "best: " + sweep_number(*sweep.plan.metrics[metric], *sweep.rows[best.front()].values[metric]);
}

}  // namespace

std::optional<std::size_t> draw_sweep_heatmap(const Ink& ink, Box box, const Sweep& sweep, std::size_t metric,
                                              const SweepMarks& marks, std::optional<ImVec2> mouse) {
    draw_chart_heading(ink, box, sweep, metric);
    Scale scale;
    scale.take(sweep, metric);
    const Sweep* before = marks.ghost ? marks.ghost->sweep : nullptr;
    if (before == nullptr)
        return HeatMapDrawing(ink, {sweep, metric, marks, scale, nullptr, "sweep"}).draw(box, mouse);
    scale.take(*before, metric);
    const bool outlined = some_cells_stay(sweep, *before, metric);
    RunBoxes boxes = boxes_of_runs(ink, box, ink.px(260));
    const ImU32 colour = ink.theme.text_dim;
    const std::string best = best_words(sweep, metric), best_before = best_words(*before, metric);
    run_heading(ink, boxes.before, marks.ghost->name, {best_before}, colour);
    run_heading(ink, boxes.after, marks.current_name, {best}, colour);
    const SweepMarks was{marks.ghost->at, {}, std::nullopt}, now{marks.current, {}, std::nullopt};
    HeatMapDrawing(ink, {*before, metric, was, scale, outlined ? &sweep : nullptr, "sweep before"})
        .draw(boxes.before, std::nullopt);
    return HeatMapDrawing(ink, {sweep, metric, now, scale, outlined ? before : nullptr, "sweep"})
        .draw(boxes.after, mouse);
}

}  // namespace warplens::app
