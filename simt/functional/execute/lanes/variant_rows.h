// Declares the tables in the namespace WARPLENS_LANES. Included once for each variant, so it has no guard.
// WARPLENS_LANE_LINKAGE is of lane_variant.h.
#ifndef WARPLENS_LANE_LINKAGE
#define WARPLENS_LANE_LINKAGE
#endif
namespace warplens::simt::WARPLENS_LANES {

WARPLENS_LANE_LINKAGE ExecutorRows integer_rows();
WARPLENS_LANE_LINKAGE ExecutorRows float_rows();
WARPLENS_LANE_LINKAGE ExecutorRows bitwise_rows();
WARPLENS_LANE_LINKAGE ExecutorRows compare_rows();
WARPLENS_LANE_LINKAGE ExecutorRows move_rows();
WARPLENS_LANE_LINKAGE ExecutorRows access_rows();
WARPLENS_LANE_LINKAGE ExecutorRows examination_rows();
WARPLENS_LANE_LINKAGE ExecutorRows machine_word_rows();
WARPLENS_LANE_LINKAGE ExecutorRows machine_sum_rows();

}  // namespace warplens::simt::WARPLENS_LANES
