#include "app/views/source/layout.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {
namespace {

/// The part of the room that a pane may take, by the number of panes.
struct Shares {
    float least, most;
};

/// The gutter of the machine code has more columns than the others.
Shares shares_of(std::size_t panes, std::size_t pane, bool ends_in_machine_code) {
    if (panes == 2) return ends_in_machine_code ? Shares{0.3f, 0.4f} : Shares{0.4f, 0.64f};
    return pane == 0 ? Shares{0.26f, 0.3f} : Shares{0.22f, 0.26f};
}

}  // namespace

bool is_side_by_side(const Theme& theme, ImVec2 room) { return room.x > 1000 * theme.fonts.scale; }

std::size_t panes_that_fit(const Theme& theme, ImVec2 room) {
    if (is_side_by_side(theme, room)) return 3;
    return static_cast<std::size_t>(std::max(1.0f, room.y / (220 * theme.fonts.scale)));
}

float pane_gap(const Theme& theme) { return 16 * theme.fonts.scale; }

std::vector<ImVec2> pane_sizes(const Theme& theme, ImVec2 room, const std::vector<float>& wanted,
                               bool ends_in_machine_code) {
    std::vector<ImVec2> sizes;
    const std::size_t count = wanted.size();
    const bool beside = is_side_by_side(theme, room);
    const float whole = beside ? room.x : room.y;
    float left = whole;
    for (std::size_t i = 0; i < count; ++i) {
        float take = left;
        if (i + 1 < count) {
            const auto [least, most] = shares_of(count, i, ends_in_machine_code);
            take = beside ? std::clamp(wanted[i], whole * least, whole * most)
                          : std::round((left - pane_gap(theme)) * (count - i == 2 ? 0.62f : 0.4f));
        }
        sizes.push_back(beside ? ImVec2{take, room.y} : ImVec2{room.x, take});
        left -= take + pane_gap(theme);
    }
    return sizes;
}

}  // namespace warplens::app
