// The drawing of a sweep: one chart per metric — a curve over one parameter, curves or a heat map over two —
// with its axes, units, provenance and the best point marked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/sweep.h"
#include "app/ui/ink.h"

namespace warplens::app {

struct SweepHit {
    std::size_t row = 0, metric = 0;
    ImVec2 at;
};

/// `current`: the values of the knobs, one per axis, empty if that is not a point.
/// Returns what is under the mouse.
std::optional<SweepHit> draw_sweep_charts(const Ink& ink, Box box, const Sweep& sweep,
                                          const std::vector<std::string>& current,
                                          std::optional<ImVec2> mouse);

/// "PAD 1: 1 ways" and so on, the arithmetic of a tooltip.
std::vector<std::string> sweep_row_words(const Sweep& sweep, std::size_t row);

/// The smallest round number not below `value`: 1, 2, 2.5, 5, 10, …
double round_up(double value);

}  // namespace warplens::app
