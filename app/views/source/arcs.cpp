#include "app/views/source/arcs.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/ui/text.h"

namespace warplens::app {
namespace {

constexpr float lane_width = 9, arrow = 4, margin = 4;  // unscaled pixels

int lanes_used(const std::vector<CodeArc>& arcs) {
    int used = 0;
    for (const CodeArc& arc : arcs) used = std::max(used, arc.lane + 1);
    return used;
}

float lane_left(const Theme& theme, int lane, float right) {
    return right - (margin + arrow + (static_cast<float>(lane) + 0.5f) * lane_width) * theme.fonts.scale;
}

/// Out to its lane, along it, and back, with round corners and an arrow at its end.
void draw_arc(ImDrawList& list, const Theme& theme, const CodeArc& arc, float right, float y0, float y1,
              double alpha, bool strong) {
    const float scale = theme.fonts.scale, x = lane_left(theme, arc.lane, right);
    const float end = right - margin * scale, round = std::min(3 * scale, std::abs(y1 - y0) / 2);
    const float down = y1 >= y0 ? round : -round;
    const ImU32 colour = with_alpha(theme.category(arc.lane), alpha);
    list.PathLineTo({end, y0});
    list.PathLineTo({x + round, y0});
    list.PathBezierQuadraticCurveTo({x, y0}, {x, y0 + down});
    list.PathLineTo({x, y1 - down});
    list.PathBezierQuadraticCurveTo({x, y1}, {x + round, y1});
    list.PathLineTo({end - arrow * scale, y1});
    list.PathStroke(colour, 0, (strong ? 2.0f : arc.early ? 0.8f : 1.3f) * scale);
    list.AddTriangleFilled({end - arrow * scale, y1 - 3 * scale}, {end, y1},
                           {end - arrow * scale, y1 + 3 * scale}, colour);
}

}  // namespace

float arcs_width(const Theme& theme, const std::vector<CodeArc>& arcs) {
    if (arcs.empty()) return 0;
    return (static_cast<float>(lanes_used(arcs)) * lane_width + arrow + 2 * margin) * theme.fonts.scale;
}

void draw_arc_numbers(ImDrawList& list, const Theme& theme, const std::vector<CodeArc>& arcs, float right,
                      float top) {
    for (int lane = 0; lane < lanes_used(arcs); ++lane) {
        const std::string number = fmt::format("{}", lane);
        const float x = lane_left(theme, lane, right) - text_width(theme.fonts.small, number) / 2;
        draw_text(list, theme.fonts.small, {x, top}, theme.text_dim, number);
    }
}

void draw_arcs(ImDrawList& list, const Theme& theme, const std::vector<CodeArc>& arcs, float right,
               float from, float to, const std::function<float(std::size_t)>& middle_of,
               const std::function<bool(std::size_t)>& picked) {
    const bool any =
        std::ranges::any_of(arcs, [&](const CodeArc& arc) { return picked(arc.from) || picked(arc.to); });
    for (const bool strong : {false, true})
        for (const CodeArc& arc : arcs) {
            if ((picked(arc.from) || picked(arc.to)) != strong) continue;
            const float y0 = middle_of(arc.from), y1 = middle_of(arc.to);
            if (std::max(y0, y1) < from || std::min(y0, y1) > to) continue;
            draw_arc(list, theme, arc, right, y0, y1, strong ? 1 : any ? 0.35 : 0.75, strong);
        }
}

}  // namespace warplens::app
