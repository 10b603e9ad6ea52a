// Arcs: connections between lines of a listing, drawn in its gutter: from the instruction that sets a
// scoreboard to the one that waits for it. Each scoreboard has a lane of its own, so that arcs of different
// ones never lie on each other.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "app/ui/ink.h"
#include "app/ui/theme.h"

namespace warplens::app {

inline constexpr int arc_lanes = 6;

struct CodeArc {
    std::size_t from = 0, to = 0;  // indices of lines
    int lane = 0;                  // 0 is next to the code
    bool early = false;            // drawn thinner: `from` is over earlier than its result
};

/// Width of the gutter's part for arcs; 0 without arcs.
float arcs_width(const Theme& theme, const std::vector<CodeArc>& arcs);
/// The numbers of the lanes, over them. `right`: where the code begins.
void draw_arc_numbers(ImDrawList& list, const Theme& theme, const std::vector<CodeArc>& arcs, float right,
                      float top);
/// `middle_of`: the middle of a line, in screen pixels. Arcs outside `from` to `to` are not drawn; those of
/// lines that are `picked` stand out.
void draw_arcs(ImDrawList& list, const Theme& theme, const std::vector<CodeArc>& arcs, float right,
               float from, float to, const std::function<float(std::size_t)>& middle_of,
               const std::function<bool(std::size_t)>& picked);

}  // namespace warplens::app
