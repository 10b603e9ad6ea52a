// What the timeline shows about the entire schedule: the sentence in its title, in several lengths, and the
// meaning of its colours and marks.
#pragma once

#include <string>
#include <vector>

#include "app/ui/legend.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

/// "`transpose_tiled` on one SM: 11,603 cycles, an instruction issued in 31 % of the slots; …", longest
/// first.
std::vector<std::string> timeline_titles(const TimelineIndex& index, const Scene& scene);

/// The states that take at least a share of the warps' time (issuing always), barriers, and whose issues the
/// selection marks.
std::vector<LegendEntry> timeline_legend(const TimelineIndex& index, const Theme& theme, const Spot& chosen,
                                         double least_share);

}  // namespace warplens::app
