#include "app/views/timeline_navigation.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {

namespace {

constexpr double fewest_cycles = 6;  // seen at once
constexpr float least_row = 4, comfortable_row = 20, row_with_words = 17;

}  // namespace

void TimelineNavigation::follow(double cycles) {
    const bool all = shows_all() || view_.last > cycles;
    cycles_ = std::max(cycles, 1.0);
    if (all) show_all();
}

void TimelineNavigation::show(const CycleView& view) {
    const double size = std::clamp(view.size(), std::min(fewest_cycles, cycles_), cycles_);
    view_.first = std::clamp(view.first, 0.0, cycles_ - size);
    view_.last = view_.first + size;
}

void TimelineNavigation::zoom(double at, double factor) {
    const double size = std::clamp(view_.size() * factor, std::min(fewest_cycles, cycles_), cycles_);
    const double share = (at - view_.first) / view_.size();
    show({at - size * share, at - size * share + size});
}

void TimelineNavigation::reveal(double cycle) {
    const double room = std::min(0.1 * view_.size(), 50.0);
    if (cycle - room < view_.first) show({cycle - 0.3 * view_.size(), cycle + 0.7 * view_.size()});
    else if (cycle + room > view_.last) show({cycle - 0.7 * view_.size(), cycle + 0.3 * view_.size()});
}

std::vector<TimelineLine> TimelineNavigation::lay_out(const analysis::ScheduleSums& sums, const Box& plot,
                                                      float scale, bool scrolls) {
    std::vector<TimelineLine> lines;
    const auto& rows = sums.rows();
    if (rows.empty() || plot.height() <= 0) return lines;
    std::size_t schedulers = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (i == 0 || rows[i].scheduler != rows[i - 1].scheduler) ++schedulers;
    const auto groups = static_cast<float>(schedulers), slots = static_cast<float>(rows.size());
    // Each scheduler: its issue slots, a little space, its warp slots, more space.
    const float space = std::round(3 * scale), after = std::round(7 * scale);
    float strip = std::round(12 * scale);
    float row = (plot.height() - groups * (strip + space + after) + after) / slots;
    if (scrolls) {
        row = std::clamp(row, least_row * scale, comfortable_row * scale);
        const double cycle = plot.width() / view_.size() / static_cast<double>(scale);  // pixels
        const double grown = std::clamp(std::log2(std::max(cycle, 1.0) / 2) / std::log2(6.0), 0.0, 1.0);
        row = std::max(row, (least_row + (row_with_words - least_row) * static_cast<float>(grown)) * scale);
        row = std::round(row);
    } else {
        row = std::clamp(row, 1.0f, 40 * scale);
        if (row >= 10) row = std::floor(row);
        strip = std::min(strip, std::max(row * 1.5f, 3.0f));
    }
    const float before = content_ > 0 ? content_ : 1;
    content_ = groups * (strip + space + after) - after + slots * row;
    if (held_) scroll_ = (scroll_ + *held_) * content_ / before - *held_;
    held_.reset();

    float y = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].scheduler != rows[i - 1].scheduler) {
            if (i > 0) y += after;
            lines.push_back({true, rows[i].scheduler, i, y, y + strip});
            y += strip + space;
        }
        if (wanted_row_ == i) {
            if (y - strip < scroll_) scroll_ = y - plot.height() / 3;
            if (y + row > scroll_ + plot.height()) scroll_ = y - plot.height() * 2 / 3;
        }
        lines.push_back({false, rows[i].scheduler, i, y, y + row});
        y += row;
    }
    wanted_row_.reset();
    scroll_ = std::round(std::clamp(scroll_, 0.0f, std::max(0.0f, content_ - plot.height())));
    for (TimelineLine& line : lines) {
        line.y0 += plot.y0 - scroll_;
        line.y1 += plot.y0 - scroll_;
    }
    std::erase_if(lines, [&](const TimelineLine& line) { return line.y1 <= plot.y0 || line.y0 >= plot.y1; });
    return lines;
}

}  // namespace warplens::app
