// LaneSteps: how the addresses of a request go from lane to lane, as bits, so that stretches of lanes that
// access places behind one another, or one place, are found without a loop. Built for each vector instruction
// set, as the lane loops are.
#pragma once

#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

/// Bit i is about lane i + 1; bit 31 is 0.
struct LaneSteps {
    u32 same = 0;  // its address is that of lane i
    u32 next = 0;  // it is that of lane i, plus the bytes of an access
};

/// `addresses`: of 32 lanes, those that are off included.
using LaneStepsOf = LaneSteps (*)(const u64* addresses, u64 bytes);

/// For this machine's vector instructions.
LaneStepsOf find_lane_steps();

}  // namespace warplens::simt
