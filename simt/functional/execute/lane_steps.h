// LaneSteps: how the addresses of a request change from lane to lane, as bits, so that runs of lanes that
// access consecutive places, or one place, are found without a loop. Built for each vector instruction set,
// like the lane loops.
#pragma once

#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

/// Bit i describes lane i + 1; bit 31 is 0.
struct LaneSteps {
    u32 same = 0;  // its address is that of lane i
    u32 next = 0;  // its address is that of lane i plus the bytes of an access
};

/// `addresses`: of all 32 lanes, including inactive ones.
using LaneStepsOf = LaneSteps (*)(const u64* addresses, u64 bytes);

/// For this machine's vector instructions.
LaneStepsOf find_lane_steps();

}  // namespace warplens::simt
