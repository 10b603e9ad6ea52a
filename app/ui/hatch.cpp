#include "app/ui/hatch.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {

void draw_hatched(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max, ImU32 colour, float spacing) {
    if (max.x <= min.x || max.y <= min.y) return;
    const float step = std::max(2.0f, std::round(spacing * theme.fonts.scale));
    // A line is x + y = constant; cut each to the box by hand, which is cheaper than a clip rectangle.
    const float first = std::ceil((min.x + min.y) / step) * step;
    for (float sum = first; sum < max.x + max.y; sum += step) {
        const float left = std::max(min.x, sum - max.y), right = std::min(max.x, sum - min.y);
        if (right > left) list.AddLine({left, sum - left}, {right, sum - right}, colour, theme.fonts.scale);
    }
}

ImU32 hatch_on(const Theme& theme, ImU32 fill) { return mix(fill, theme.background, 0.55); }

}  // namespace warplens::app
