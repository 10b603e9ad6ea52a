// LaneVariant: which build of the lane loops this machine runs.
#pragma once

namespace warplens::simt {

enum class LaneVariant { baseline, avx2, avx512 };

/// The widest variant that is in the program and that this machine supports. Ends the program if there is
/// none: one that was built for its machine alone has one variant.
LaneVariant lane_variant();

}  // namespace warplens::simt

// A program may lack the other variants; their functions are null then.
#ifdef WARPLENS_LANE_VARIANTS
#define WARPLENS_LANE_LINKAGE [[gnu::weak]]
#else
#define WARPLENS_LANE_LINKAGE
#endif
