// The drawing of a sweep: one chart per metric — a curve over one parameter, curves or a heat map over two —
// with its axes, units, provenance and the best point marked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/sweep.h"
#include "app/ui/ink.h"

namespace warplens::app {

struct SweepHit {
    std::size_t row = 0, metric = 0;
    ImVec2 at;
};

/// Another run on the same axes.
struct SweepGhost {
    std::string_view name;         // of the run: "PAD=0"
    std::vector<std::string> at;   // values of its knobs, one per axis
    const Sweep* sweep = nullptr;  // over the same values; null: the run is a point of the sweep shown
};

/// Runs that are points of the sweep.
struct SweepMarks {
    std::vector<std::string> current;    // values of the knobs, one per axis; empty: no point
    std::string_view current_name = {};  // of the run: "PAD=1"
    std::optional<SweepGhost> ghost;
};

/// Returns what is under the mouse.
std::optional<SweepHit> draw_sweep_charts(const Ink& ink, Box box, const Sweep& sweep,
                                          const SweepMarks& marks, std::optional<ImVec2> mouse);

/// More values of a second parameter are a heat map.
bool is_heatmap(const Sweep& sweep);

/// "PAD 1: 1 ways" and so on, the arithmetic of a tooltip.
std::vector<std::string> sweep_row_words(const Sweep& sweep, std::size_t row);

/// A value of the metric without its unit, "11,213"; a share in percent, "9.3 %".
std::string sweep_number(const analysis::Metric& metric, double value);
/// With its unit: "11,213 cycles".
std::string sweep_words(const analysis::Metric& metric, double value);

/// The smallest round number not below `value`: 1, 2, 2.5, 5, 10, …
double round_up(double value);

}  // namespace warplens::app
