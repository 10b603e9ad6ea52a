// Messages for one lane's bad access: the operation, the element and the fix. ../execute/memory.cpp finds bad
// accesses.
#pragma once

#include "simt/functional/block/launch_state.h"
#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// `limit`: size of the memory that the address exceeds.
void report_out_of_bounds(Warp& warp, const DecodedOp& op, int lane, u64 address, u32 bytes, Space space,
                          Operation operation, u64 limit);
void report_misaligned(Warp& warp, const DecodedOp& op, int lane, u64 address, u32 bytes, Space space,
                       Operation operation);
void report_uninitialised(Warp& warp, const DecodedOp& op, int lane, u64 address, Space space);

/// Makes notes of races of an access that goes outside memory by a guess, too: the same guess may have led it
/// to another thread's element.
void doubt_races(const LaunchState& launch, RunResult& result);

}  // namespace warplens::simt
