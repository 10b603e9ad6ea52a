// What two runs measured, metric by metric.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/views/measured/drawing.h"
#include "app/views/measured/table.h"

namespace warplens::app {

std::vector<MeasuredChange> measured_changes(const std::vector<analysis::ComparedMetric>& before,
                                             const std::vector<analysis::ComparedMetric>& after) {
    std::vector<MeasuredChange> changes;
    for (const analysis::ComparedMetric& metric : after) {
        const auto same = std::ranges::find(before, metric.key, &analysis::ComparedMetric::key);
        if (same != before.end() && same->measured && metric.measured) changes.push_back({&*same, &metric});
    }
    return changes;
}

int draw_measured_changes(const Ink& ink, Box box, const std::vector<MeasuredChange>& changes,
                          std::string_view before_name, std::string_view after_name, ImVec2 mouse) {
    const Theme& theme = ink.theme;
    MeasuredTable table(
        ink, box, std::min(ink.px(232), box.width() * 0.36f),
        {{std::string(before_name), 0.24f}, {std::string(after_name), 0.24f}, {"", 0.3f}, {"change", 0.22f}});
    table.head("measured");
    int under = -1;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const analysis::ComparedMetric& metric = *changes[i].after;
        const double was = *changes[i].before->measured, is = *metric.measured;
        std::string words = "–";
        if (was > 0) {
            const double share = is / was - 1;
            words = std::abs(share) < 0.005
                        ? "±0 %"
                        : (share > 0 ? "+" : "−") + decimal(std::abs(share) * 100, 0) + " %";
        }
        const Box row = table.row(name_with_unit(metric), {{value_words(was, metric.unit), theme.text_dim},
                                                           {value_words(is, metric.unit)},
                                                           {""},
                                                           {words, was > 0 ? 0 : theme.text_dim}});
        Box bars = table.column_box(row, 2);
        bars = {bars.x0 + ink.px(12), bars.y0 + ink.px(5), bars.x1 - ink.px(4), bars.y1 - ink.px(5)};
        const double most = std::max({was, is, 1e-12});
        const auto end = [&](double value) {
            return bars.x0 + bars.width() * static_cast<float>(std::max(value, 0.0) / most);
        };
        ink.fill({bars.x0, bars.y0, end(is), bars.y1}, theme.category(0), ink.px(1));
        ink.outline({bars.x0, bars.y0 - ink.px(2), end(was), bars.y1 + ink.px(2)}, theme.text_dim, ink.px(1),
                    ink.px(1));
        hit_box("measured change " + metric.key, row.min(), row.max());
        if (!row.has(mouse)) continue;
        ink.fill(row, theme.hovered);
        under = static_cast<int>(i);
    }
    return under;
}

}  // namespace warplens::app
