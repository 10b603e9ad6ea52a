// What the timeline says about the whole schedule: the sentence in its title, in several lengths, and where
// its numbers come from.
#pragma once

#include <string>
#include <vector>

#include "app/views/timeline_parts.h"

namespace warplens::app {

/// "`transpose_tiled` on one SM: 11,603 cycles, an instruction issued in 31 % of the slots; …", longest
/// first.
std::vector<std::string> timeline_titles(const TimelineIndex& index, const Scene& scene);
/// "modelled · one SM of 132 · 8 of its 8 blocks · H200".
std::string timeline_provenance(const trace::Schedule& schedule, const Scene& scene);

}  // namespace warplens::app
