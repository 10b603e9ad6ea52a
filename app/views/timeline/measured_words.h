// The words of the measured timeline: its title in several lengths, the provenance of its numbers, its
// legend, the warp under the mouse, and the side panel.
#pragma once

#include <string>
#include <vector>

#include "app/ui/legend.h"
#include "app/views/timeline/hover.h"
#include "app/views/timeline/measured_rows.h"

namespace warplens::app {

/// Microseconds with enough decimals to distinguish ticks `step` nanoseconds apart.
std::string microsecond_tick(double ns, double step);

std::vector<std::string> measured_titles(const MeasuredIndex& index);
std::string measured_provenance(const MeasuredIndex& index);
std::vector<LegendEntry> measured_legend(const MeasuredIndex& index, const Theme& theme);

/// A warp at a time of the launch: its basic block, and since when, or that it waited.
TimelineWords measured_words(const MeasuredIndex& index, std::uint32_t warp, double ns);
/// An SM at a time: how many warps were resident.
TimelineWords measured_sm_words(const MeasuredIndex& index, std::uint32_t sm, double ns);

/// The launch in numbers, the recording overhead, and the chosen warp's numbers.
void draw_measured_side(const MeasuredCanvas& canvas, const Box& box, std::uint32_t chosen);

}  // namespace warplens::app
