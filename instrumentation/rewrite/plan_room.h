// Where in its first chunk a warp's records have room.
#pragma once

#include <cstdint>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// After the blocks are planned: sets Draft::bounded, RecordingPlan::lane_units and the size of chunks.
/// `most_units`: of one record.
void plan_room(Draft& draft, std::uint32_t most_units);

}  // namespace warplens::instrumentation
