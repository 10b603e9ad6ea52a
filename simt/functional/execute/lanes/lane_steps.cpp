#include "simt/functional/execute/lane_functions.h"

#include "core/lane_mask.h"

#ifndef WARPLENS_LANES
#define WARPLENS_LANES lanes_baseline
#endif
#include "simt/functional/execute/lanes/variant_functions.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

struct BitOfLane {
    alignas(64) u64 bits[warp_size];
};
constexpr BitOfLane bit_of_lane = [] {
    BitOfLane table{};
    for (u32 lane = 0; lane < warp_size; ++lane) table.bits[lane] = u64{1} << lane;
    return table;
}();

}  // namespace

LaneSteps lane_steps(const u64* addresses, u64 bytes) {
    alignas(64) u64 following[warp_size];
    __builtin_memcpy(following, addresses + 1, (warp_size - 1) * sizeof(u64));
    following[warp_size - 1] = addresses[warp_size - 1] + ~bytes;  // neither
    // As wide as the addresses, so that vectors need no packing.
    u64 same = 0, next = 0;
    for (int i = 0; i < warp_size; ++i) {
        const u64 step = following[i] - addresses[i];
        same |= (0 - u64{step == 0}) & bit_of_lane.bits[i];
        next |= (0 - u64{step == bytes}) & bit_of_lane.bits[i];
    }
    return {static_cast<u32>(same), static_cast<u32>(next)};
}

}  // namespace warplens::simt::WARPLENS_LANES
