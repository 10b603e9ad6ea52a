// Where in its first chunk a warp's records have room, and how its lanes pack what they leave outside of
// them.
#pragma once

#include <cstdint>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// After the blocks are planned: sets Draft::bounded, RecordingPlan::lane_units and the size of chunks.
/// `most_units`: of one record.
void plan_room(Draft& draft, std::uint32_t most_units);

/// Tallies and logs that are known to be short go into one number of each lane; tallies that do not fit into
/// it, side by side into words.
void pack_lanes(Draft& draft);

}  // namespace warplens::instrumentation
