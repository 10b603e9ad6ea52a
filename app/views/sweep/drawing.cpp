#include "app/views/sweep/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/sweep/heatmap.h"

namespace warplens::app {
namespace {

constexpr std::size_t most_curves = 4;  // more values of a second parameter are a heat map
constexpr int ticks = 4;

/// One metric over the first axis, one curve per value of the second.
class Chart {
  public:
    Chart(const Ink& ink, const Sweep& sweep, const SweepMarks& marks, std::size_t metric, Box box)
        : ink_(ink), sweep_(sweep), marks_(marks), metric_(metric), best_(sweep.best[metric]) {
        const Theme& theme = ink.theme;
        draw_chart_heading(ink, box, sweep, metric);
        double most = 0;
        for (const Sweep* of : {&sweep, ghost_sweep()})
            if (const auto range = of ? of->range(metric) : std::nullopt)
                most = std::max(most, range->second);
        top_ = round_up(most > 0 ? most : 1);
        float labels = 0;
        for (int i = 0; i <= ticks; ++i)
            labels = std::max(labels, text_width(theme.fonts.code, tick_words(i)));
        box.take_left(labels + ink.px(10));
        float names = 0;
        for (std::size_t curve = 0; curves() > 1 && curve < curves(); ++curve)
            names = std::max(names, text_width(theme.fonts.small, curve_name(curve)));
        values_ = app::tick_words(sweep.plan.axes.front());
        // The last value is centred below its point.
        const float last = text_width(theme.fonts.code, values_.back());
        box.take_right(names > 0 ? names + ink.px(22) : std::max(ink.px(20), last / 2 - ink.px(10)));
        box.take_bottom(text_height(theme.fonts.code) + text_height(theme.fonts.words) + ink.px(12));
        box.take_top(ink.px(24));  // over the highest point, its label
        plot_ = box;
    }

    void draw_axes() const {
        const Theme& theme = ink_.theme;
        const std::vector<std::string>& current = marks_.current;
        for (int i = 0; i <= ticks; ++i) {
            const float y = y_of(top_ * i / ticks);
            ink_.line({plot_.x0, y}, {plot_.x1, y}, theme.hairline, i == 0 ? 1.5f : 1);
            ink_.text({plot_.x0 - ink_.px(200), y - ink_.px(10), plot_.x0 - ink_.px(8), y + ink_.px(10)},
                      tick_words(i), theme.fonts.code, theme.text_dim, Align::right);
        }
        const SweepAxis& axis = sweep_.plan.axes.front();
        const float line = text_height(theme.fonts.code);
        const auto reach = [&](std::size_t i) {  // of the value's words, from its point
            return text_width(theme.fonts.code, values_[i]) / 2 + ink_.px(4);
        };
        const auto of_now =
            current.empty() ? axis.values.end() : std::ranges::find(axis.values, current.front());
        const auto at_now = static_cast<std::size_t>(of_now - axis.values.begin());
        const std::size_t last = axis.values.size() - 1;
        float free_from = plot_.x0 - ink_.px(60);
        for (std::size_t i = 0; i < axis.values.size(); ++i) {
            const float x = x_of(i), width = text_width(theme.fonts.code, values_[i]);
            const bool now = i == at_now;
            if (now) dashed(x);
            ink_.line({x, plot_.y1}, {x, plot_.y1 + ink_.px(4)}, theme.hairline, 1);
            // The value as the knobs stand is always written, and the last; others where they meet neither.
            const auto meets = [&](std::size_t other) {
                return i < other && other <= last && x + reach(i) > x_of(other) - reach(other);
            };
            if ((x - reach(i) < free_from || meets(at_now) || meets(last)) && !now) continue;
            draw_text(*ink_.list, theme.fonts.code, {x - width / 2, plot_.y1 + ink_.px(6)},
                      now ? theme.text : theme.text_dim, values_[i]);
            free_from = x + reach(i);
        }
        ink_.text({plot_.x0, plot_.y1 + line + ink_.px(8), plot_.x1, plot_.y1 + 2 * line + ink_.px(14)},
                  axis.name, theme.fonts.words, theme.text_dim, Align::centre);
    }

    /// The other run: its curve below this run's, and a ring at its point.
    void draw_ghost() const {
        if (!marks_.ghost) return;
        const SweepGhost& ghost = *marks_.ghost;
        const Sweep& of = ghost.sweep ? *ghost.sweep : sweep_;
        std::size_t named = of.rows.size();  // the row that gets the run's name
        if (ghost.sweep) {
            for (std::size_t curve = 0; curve < curves(); ++curve) draw_ghost_curve(of, curve);
            while (named > 0 && !of.rows[named - 1].values[metric_]) --named;
            named = named == 0 ? of.rows.size() : named - 1;
        }
        for (std::size_t row = 0; row < of.rows.size(); ++row)
            if (of.rows[row].at == ghost.at && of.rows[row].values[metric_]) {
                named = row;
                ink_.list->AddCircle(place_in(of, row), ink_.px(8), ink_.theme.text, 0, ink_.px(1.5f));
            }
        if (named < of.rows.size()) name_ghost(place_in(of, named), std::string(ghost.name));
    }

    void draw_curves() const {
        for (std::size_t curve = 0; curve < curves(); ++curve) draw_curve(curve);
        if (curves() > 1) draw_curve_names();
    }

    void draw_best() const {
        if (best_.empty()) return;
        const Theme& theme = ink_.theme;
        for (const std::size_t row : best_)
            ink_.list->AddCircle(place(row), ink_.px(9), theme.ideal, 0, ink_.px(2));
        const Box box = best_box();
        draw_label(box, best_words(), theme.ideal);
        hit_box(fmt::format("sweep best {}", metric_), box.min(), box.max());
    }

    std::optional<std::size_t> under(ImVec2 mouse) const {
        std::optional<std::size_t> nearest;
        float least = ink_.px(18);
        for (std::size_t row = 0; row < sweep_.rows.size(); ++row) {
            const ImVec2 at = place(row);
            const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
            if (distance >= least) continue;
            least = distance;
            nearest = row;
        }
        return nearest;
    }

    /// A row without a value is on the axis.
    ImVec2 place(std::size_t row) const { return place_in(sweep_, row); }
    ImVec2 place_in(const Sweep& sweep, std::size_t row) const {
        const auto& value = sweep.rows[row].values[metric_];
        return {x_of(row / curves()), y_of(value.value_or(0))};
    }

  private:
    const Sweep* ghost_sweep() const { return marks_.ghost ? marks_.ghost->sweep : nullptr; }
    std::size_t curves() const { return sweep_.plan.axes.size() < 2 ? 1 : sweep_.plan.axes[1].values.size(); }
    float x_of(std::size_t at) const {
        const std::size_t count = sweep_.plan.axes.front().values.size();
        const float margin = ink_.px(14), room = plot_.width() - 2 * margin;
        return plot_.x0 + margin +
               (count < 2 ? room / 2 : room * static_cast<float>(at) / static_cast<float>(count - 1));
    }
    float y_of(double value) const {
        return plot_.y1 - plot_.height() * static_cast<float>(std::clamp(value / top_, 0.0, 1.0));
    }
    std::string tick_words(int i) const {
        const double value = top_ * i / ticks;
        return value >= 1e6 ? scaled(value, "") : sweep_number(*sweep_.plan.metrics[metric_], value);
    }
    void dashed(float x) const {
        for (float y = plot_.y0; y < plot_.y1; y += ink_.px(8))
            ink_.line({x, y}, {x, std::min(y + ink_.px(4), plot_.y1)}, ink_.theme.selected, 1.5f);
    }

    void dashes(ImVec2 from, ImVec2 to, ImU32 colour) const {
        const float length = std::hypot(to.x - from.x, to.y - from.y), dash = ink_.px(5);
        for (float at = 0; at < length; at += 2 * dash) {
            const float a = at / length, b = std::min(at + dash, length) / length;
            ink_.line({from.x + (to.x - from.x) * a, from.y + (to.y - from.y) * a},
                      {from.x + (to.x - from.x) * b, from.y + (to.y - from.y) * b}, colour, 1.5f);
        }
    }

    void draw_ghost_curve(const Sweep& of, std::size_t curve) const {
        const ImU32 colour = ink_.theme.text_dim;
        for (std::size_t row = curve; row < of.rows.size(); row += curves()) {
            if (!of.rows[row].values[metric_]) continue;
            const ImVec2 at = place_in(of, row);
            if (row >= curves() && of.rows[row - curves()].values[metric_])
                dashes(place_in(of, row - curves()), at, colour);
            ink_.list->AddCircle(at, ink_.px(3.5f), colour, 0, ink_.px(1.5f));
        }
    }

    /// Above a point, within the chart.
    Box label_box(ImVec2 at, const std::string& words) const {
        ImFont* font = ink_.theme.fonts.words;
        const float width = text_width(font, words), height = text_height(font);
        const float x = std::clamp(at.x - width / 2, plot_.x0, std::max(plot_.x0, plot_.x1 - width));
        const float y = at.y - height - ink_.px(13);
        return {x, y, x + width, y + height};
    }
    /// Above the best point; below or beside it where a curve goes through that place and not through this.
    Box best_box() const {
        const ImVec2 at = place(best_.front());
        const Box above = label_box(at, best_words());
        const float width = above.width(), height = above.height(), aside = ink_.px(15);
        const auto placed = [&](float x, float y) { return Box{x, y, x + width, y + height}; };
        const Box below = placed(above.x0, at.y + ink_.px(13));
        const Box right = placed(at.x + aside, at.y - height / 2);
        const Box left = placed(at.x - aside - width, at.y - height / 2);
        const Box over_right = placed(at.x + aside, above.y0), over_left = placed(left.x0, above.y0);
        for (const Box& box : {above, below, over_right, over_left, right, left}) {
            const bool inside = box.x0 >= plot_.x0 && box.x1 <= plot_.x1 && box.y1 <= plot_.y1 - ink_.px(2);
            if (inside && !on_curve(box.inset(-ink_.px(3)))) return box;
        }
        return above;
    }
    bool on_curve(const Box& box) const {
        constexpr int parts = 64;
        for (const Sweep* of : {&sweep_, ghost_sweep()})
            for (std::size_t row = curves(); of && row < of->rows.size(); ++row) {
                if (!of->rows[row].values[metric_] || !of->rows[row - curves()].values[metric_]) continue;
                const ImVec2 from = place_in(*of, row - curves()), to = place_in(*of, row);
                for (int i = 0; i <= parts; ++i) {
                    const float share = static_cast<float>(i) / parts;
                    if (box.has({from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share}))
                        return true;
                }
            }
        return false;
    }
    void draw_label(const Box& box, const std::string& words, ImU32 colour) const {
        ink_.fill({box.x0 - ink_.px(4), box.y0 - ink_.px(1), box.x1 + ink_.px(4), box.y1 + ink_.px(1)},
                  with_alpha(ink_.theme.panel, 0.85), ink_.px(3));
        draw_text(*ink_.list, ink_.theme.fonts.words, box.min(), colour, words);
    }
    /// "best: 12,174", "equally good: 12,174 to 12,402": of all points with a circle.
    std::string best_words() const {
        const auto number = [&](std::size_t row) {
            return sweep_number(*sweep_.plan.metrics[metric_], *sweep_.rows[row].values[metric_]);
        };
        const std::string first = number(best_.front()), last = number(best_.back());
        return first == last ? "best: " + first : fmt::format("equally good: {} to {}", first, last);
    }

    /// Above the point, or below it where the best one has its label.
    void name_ghost(ImVec2 at, const std::string& words) const {
        Box box = label_box(at, words);
        if (!best_.empty()) {
            const Box taken = best_box().inset(-ink_.px(6));
            const bool overlap =
                box.x0 < taken.x1 && box.x1 > taken.x0 && box.y0 < taken.y1 && box.y1 > taken.y0;
            const float y = std::min(at.y + ink_.px(11), plot_.y1 - box.height() - ink_.px(2));
            if (overlap) box = {box.x0, y, box.x1, y + box.height()};
        }
        draw_label(box, words, ink_.theme.text);
        hit_box(fmt::format("sweep before {}", metric_), box.min(), box.max());
    }

    void draw_curve(std::size_t curve) const {
        const Theme& theme = ink_.theme;
        const ImU32 colour = curve_colour(curve);
        std::optional<ImVec2> before;
        for (std::size_t row = curve; row < sweep_.rows.size(); row += curves()) {
            if (!sweep_.rows[row].values[metric_]) {
                before.reset();
                draw_missing(place(row));
                continue;
            }
            const ImVec2 at = place(row);
            if (before) ink_.line(*before, at, colour, 2);
            before = at;
        }
        for (std::size_t row = curve; row < sweep_.rows.size(); row += curves()) {
            if (!sweep_.rows[row].values[metric_]) continue;
            const ImVec2 at = place(row);
            ink_.list->AddCircleFilled(at, ink_.px(4.5f), colour);
            ink_.list->AddCircle(at, ink_.px(4.5f), theme.panel, 0, ink_.px(1));
            if (!sweep_.rows[row].problem.empty())
                draw_text(*ink_.list, theme.fonts.words, {at.x + ink_.px(6), at.y - ink_.px(18)}, theme.error,
                          "!");
            hit_box(fmt::format("sweep {} {}", metric_, row), {at.x - ink_.px(5), at.y - ink_.px(5)},
                    {at.x + ink_.px(5), at.y + ink_.px(5)});
        }
    }

    ImU32 curve_colour(std::size_t curve) const {
        return ink_.theme.category(curves() == 1 ? 4 : static_cast<int>(curve) + 1);
    }
    std::string curve_name(std::size_t curve) const {
        const SweepAxis& second = sweep_.plan.axes[1];
        return second.name + " " + swept_words(second.values[curve]);
    }

    /// Right of the curves' ends, one below the other where the ends are close together.
    void draw_curve_names() const {
        struct Name {
            std::size_t curve;
            ImVec2 end;
            float y;
        };
        std::vector<Name> names;
        for (std::size_t curve = 0; curve < curves(); ++curve)
            for (std::size_t row = sweep_.rows.size() - curves() + curve + curves(); row >= curves();) {
                row -= curves();
                if (!sweep_.rows[row].values[metric_]) continue;
                names.push_back({curve, place(row), place(row).y});
                break;
            }
        std::ranges::stable_sort(names, {}, &Name::y);
        const float line = text_height(ink_.theme.fonts.small);
        float free = plot_.y0 - ink_.px(20);
        for (Name& name : names) {
            name.y = std::max(name.y, free + line / 2);
            free = name.y + line / 2;
        }
        float under = plot_.y1 + line / 2;
        for (auto name = names.rbegin(); name != names.rend(); ++name) {
            name->y = std::min(name->y, under - line / 2);
            under = name->y - line / 2;
        }
        const float x = plot_.x1 + ink_.px(10);
        for (const Name& name : names) {
            const ImU32 colour = curve_colour(name.curve);
            ink_.line({name.end.x + ink_.px(5), name.end.y}, {x - ink_.px(3), name.y}, colour, 1);
            draw_text(*ink_.list, ink_.theme.fonts.small, {x, name.y - line / 2}, colour,
                      curve_name(name.curve));
        }
    }

    void draw_missing(ImVec2 at) const {
        const float r = ink_.px(4);
        const ImU32 colour = ink_.theme.text_dim;
        ink_.line({at.x - r, at.y - r - ink_.px(6)}, {at.x + r, at.y + r - ink_.px(6)}, colour, 1.5f);
        ink_.line({at.x - r, at.y + r - ink_.px(6)}, {at.x + r, at.y - r - ink_.px(6)}, colour, 1.5f);
    }

    const Ink& ink_;
    const Sweep& sweep_;
    const SweepMarks& marks_;
    std::size_t metric_;
    const std::vector<std::size_t>& best_;
    double top_ = 1;
    std::vector<std::string> values_;  // of the axis, as its ticks have them
    Box plot_;
};

/// As many columns as allow charts that are wider than high.
std::size_t columns_for(const Box& box, std::size_t charts) {
    std::size_t best = 1;
    float least = 1e9f;
    for (std::size_t columns = 1; columns <= charts; ++columns) {
        const auto rows = static_cast<float>((charts + columns - 1) / columns);
        const float shape = box.width() / static_cast<float>(columns) / (box.height() / rows);
        if (const float off = std::abs(std::log(shape / 1.5f)); off < least) {
            least = off;
            best = columns;
        }
    }
    return best;
}

}  // namespace

bool is_heatmap(const Sweep& sweep) {
    return sweep.plan.axes.size() == 2 && sweep.plan.axes[1].values.size() > most_curves;
}

std::optional<SweepHit> draw_sweep_charts(const Ink& ink, Box box, const Sweep& sweep,
                                          const SweepMarks& marks, std::optional<ImVec2> mouse) {
    std::optional<SweepHit> hit;
    const std::size_t charts = sweep.plan.metrics.size();
    const std::size_t columns = columns_for(box, charts);
    const std::size_t rows = (charts + columns - 1) / columns;
    const float gap = ink.px(32);
    const float width = (box.width() - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float height =
        (box.height() - ink.px(20) * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    const bool heat = is_heatmap(sweep);
    for (std::size_t i = 0; i < charts; ++i) {
        const float x = box.x0 + static_cast<float>(i % columns) * (width + gap);
        const float y = box.y0 + static_cast<float>(i / columns) * (height + ink.px(20));
        const Box place{x, y, x + width, y + height};
        if (heat) {
            if (const auto row = draw_sweep_heatmap(ink, place, sweep, i, marks, mouse))
                hit = SweepHit{*row, i, *mouse};
            continue;
        }
        const Chart chart(ink, sweep, marks, i, place);
        chart.draw_axes();
        chart.draw_curves();
        chart.draw_ghost();
        chart.draw_best();
        if (!mouse || !place.has(*mouse)) continue;
        if (const auto row = chart.under(*mouse)) hit = SweepHit{*row, i, chart.place(*row)};
    }
    if (hit && !heat) ink.list->AddCircle(hit->at, ink.px(7), ink.theme.selected, 0, ink.px(2));
    return hit;
}

}  // namespace warplens::app
