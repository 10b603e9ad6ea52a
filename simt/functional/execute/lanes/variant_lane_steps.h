// Declares lane_steps() in the namespace WARPLENS_LANES. Included once for each variant, so it has no guard.
namespace warplens::simt::WARPLENS_LANES {

LaneSteps lane_steps(const u64* addresses, u64 bytes);

}  // namespace warplens::simt::WARPLENS_LANES
