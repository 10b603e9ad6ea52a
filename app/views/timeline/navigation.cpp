#include "app/views/timeline/navigation.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {

namespace {

constexpr double fewest_cycles = 6;  // seen at once
constexpr float least_row = 4, comfortable_row = 20, row_with_words = 17, highest_row = 72;
constexpr float least_folded = 4, comfortable_folded = 14;

}  // namespace

void TimelineNavigation::follow(double cycles) {
    const bool all = shows_all() || view_.last > cycles;
    cycles_ = std::max(cycles, 1.0);
    if (all) show_all();
}

std::optional<WantedCycles> TimelineNavigation::shown_cycles() const {
    if (shows_all()) return std::nullopt;
    return WantedCycles{static_cast<std::uint32_t>(std::floor(view_.first)),
                        static_cast<std::uint32_t>(std::ceil(view_.last))};
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

/// Of the parts of a layout, in pixels: each group its head, a little space, its rows, more space. Folded
/// ones are a head alone.
struct TimelineNavigation::Heights {
    float head = 0, space = 0, after = 0, row = 0, folded = 0;

    float between(const TimelineGroup& before, const TimelineGroup& next) const {
        return before.rows == 0 && next.rows == 0 ? 0 : after;
    }
    float of(const TimelineGroup& group) const {
        return group.rows == 0 ? folded : head + space + static_cast<float>(group.rows) * row;
    }
};

TimelineNavigation::Heights TimelineNavigation::heights(std::span<const TimelineGroup> groups,
                                                        const Box& plot, float scale, bool scrolls) const {
    Heights heights;
    heights.space = std::round(3 * scale);
    heights.after = std::round(7 * scale);
    heights.head = std::round(12 * scale);
    float rows = 0, open = 0, folded = 0, between = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        rows += static_cast<float>(groups[i].rows);
        ++(groups[i].rows == 0 ? folded : open);
        if (i > 0) between += heights.between(groups[i - 1], groups[i]);
    }
    const float room = plot.height() - open * (heights.head + heights.space) - between;
    if (folded > 0) {
        const float least = scrolls ? least_folded * scale : 1;
        const float all_rows = rows * (scrolls ? comfortable_row * 0.6f * scale : least);
        heights.folded = std::clamp((room - all_rows) / folded, least, comfortable_folded * scale);
        if (scrolls || heights.folded > 4) heights.folded = std::floor(heights.folded);
    }
    heights.row = (room - folded * heights.folded) / std::max(rows, 1.0f);
    if (scrolls) {
        heights.row = std::clamp(heights.row, least_row * scale, comfortable_row * scale);
        const double cycle =
            label_share_ * plot.width() / view_.size() / static_cast<double>(scale);  // pixels
        const double grown = std::clamp(std::log2(std::max(cycle, 1.0) / 2) / std::log2(6.0), 0.0, 1.0);
        heights.row = std::max(
            heights.row, (least_row + (row_with_words - least_row) * static_cast<float>(grown)) * scale);
        heights.row = std::round(heights.row);
    } else {
        heights.row = std::clamp(heights.row, 1.0f, highest_row * scale);
        if (heights.row >= 10) heights.row = std::floor(heights.row);
        // Few warps in a large picture: the issue slots get what their rows leave.
        const float spare = room - folded * heights.folded - rows * heights.row;
        if (open > 0) heights.head += std::floor(std::clamp(spare / open, 0.0f, 2 * heights.head));
        heights.head = std::min(heights.head, std::max(heights.row * 1.5f, 3.0f));
    }
    return heights;
}

std::vector<TimelineLine> TimelineNavigation::lay_out(std::span<const TimelineGroup> groups, const Box& plot,
                                                      float scale, bool scrolls) {
    std::vector<TimelineLine> lines;
    if (groups.empty() || plot.height() <= 0) return lines;
    const Heights heights = this->heights(groups, plot, scale, scrolls);
    const float before = content_ > 0 ? content_ : 1;
    content_ = 0;
    for (std::size_t i = 0; i < groups.size(); ++i)
        content_ += heights.of(groups[i]) + (i > 0 ? heights.between(groups[i - 1], groups[i]) : 0);
    if (held_) scroll_ = (scroll_ + *held_) * content_ / before - *held_;
    held_.reset();

    float y = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const TimelineGroup& group = groups[i];
        if (i > 0) y += heights.between(groups[i - 1], group);
        const float head = group.rows == 0 ? heights.folded - (heights.folded > 3 ? 1 : 0) : heights.head;
        lines.push_back({true, group.group, group.first_row, y, y + head});
        y += group.rows == 0 ? heights.folded : heights.head + heights.space;
        for (std::size_t row = group.first_row; row < group.first_row + group.rows; ++row) {
            if (wanted_row_ == row) {
                if (y - heights.head < scroll_) scroll_ = y - plot.height() / 3;
                if (y + heights.row > scroll_ + plot.height()) scroll_ = y - plot.height() * 2 / 3;
            }
            lines.push_back({false, group.group, row, y, y + heights.row});
            y += heights.row;
        }
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
