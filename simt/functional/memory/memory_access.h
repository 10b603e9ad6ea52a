// The interface between the fast paths in execute/lanes/access.cpp and the checked ones in
// execute/memory.cpp: a request takes the fast path only if all its addresses are known to be valid.
#pragma once

#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// The windows of shared and local memory, constants and kernel parameters in the generic address space;
/// device memory is outside of them.
inline constexpr u64 window_bytes = 0x0100'0000;
inline constexpr u64 shared_window = 0x0001'0000'0000'0000;
/// Its lower half is not 0, as on a GPU: a uniform register with it is then not the same as one with 0.
inline constexpr u64 local_window = 0x0002'0000'0600'0000;
inline constexpr u64 constant_window = 0x0003'0000'0000'0000;
inline constexpr u64 param_window = 0x0004'0000'0000'0000;
/// A block's own shared window is followed by those of its cluster's blocks, by rank: an address in the
/// cluster's shared memory, generic or not, has 1 + rank above its low 24 bits, or 0 for the block's own.
inline constexpr u64 most_ranks = 16;

/// Any space, any width, lane by lane, with every check: a lane with a bad address reads 0 or stores nothing,
/// and is reported. Notifies the observer.
void load_checked(Warp& warp, const DecodedOp& op, u32 mask);
void store_checked(Warp& warp, const DecodedOp& op, u32 mask);

/// The executor of an access whose other fields are set: the fast path of its space and width, or one of the
/// checked ones.
Execute access_executor(const DecodedOp& op, bool load);
/// What runs before it with the same rows, once for all accesses of as many bytes whose address is the same
/// but for the immediate; they share its window. nullptr: the access needs no such operation.
Execute examining_executor(const DecodedOp& op, bool load);

/// Notifies the observer and the race detector of the request in warp.addresses. `runs`: Access::runs.
void notify_access(Warp& warp, const DecodedOp& op, u32 mask, Space space, Operation operation,
                   const trace::LaneRuns* runs = nullptr);

}  // namespace warplens::simt
