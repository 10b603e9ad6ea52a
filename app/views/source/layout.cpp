#include "app/views/source/layout.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {
namespace {

/// Each gets what it wants as long as that is no more than an equal share of what is left; the others share
/// the rest equally.
std::vector<float> shared_widths(const std::vector<float>& wanted, float room) {
    std::vector<float> widths(wanted.size(), 0);
    std::vector<bool> given(wanted.size());
    std::size_t rest = wanted.size();
    for (bool any = true; any && rest > 0;) {
        any = false;
        const float share = room / static_cast<float>(rest);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (!given[i] && wanted[i] <= share) {
                widths[i] = std::round(wanted[i]);
                room -= widths[i];
                given[i] = any = true;
                --rest;
            }
    }
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (!given[i]) widths[i] = std::floor(room / static_cast<float>(rest));
    if (rest == 0 && !widths.empty()) widths.back() += room;
    return widths;
}

}  // namespace

bool is_side_by_side(const Theme& theme, ImVec2 room) { return room.x > 1000 * theme.fonts.scale; }

std::size_t panes_that_fit(const Theme& theme, ImVec2 room) {
    if (is_side_by_side(theme, room)) return 3;
    return static_cast<std::size_t>(std::max(1.0f, room.y / (220 * theme.fonts.scale)));
}

float pane_gap(const Theme& theme) { return 16 * theme.fonts.scale; }

std::vector<ImVec2> pane_sizes(const Theme& theme, ImVec2 room, const std::vector<float>& wanted) {
    std::vector<ImVec2> sizes;
    const std::size_t count = wanted.size();
    const bool beside = is_side_by_side(theme, room);
    const float gaps = pane_gap(theme) * static_cast<float>(count - 1);
    const std::vector<float> widths = beside ? shared_widths(wanted, room.x - gaps) : std::vector<float>();
    float left = room.y;
    for (std::size_t i = 0; i < count; ++i) {
        float height = left;
        if (i + 1 < count) height = std::round((left - pane_gap(theme)) * (count - i == 2 ? 0.62f : 0.4f));
        sizes.push_back(beside ? ImVec2{widths[i], room.y} : ImVec2{room.x, height});
        left -= height + pane_gap(theme);
    }
    return sizes;
}

}  // namespace warplens::app
