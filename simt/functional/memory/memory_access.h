// Memory instructions between the fast paths in lanes/exec_access.cpp and the checked ones in
// exec_memory.cpp: a request takes the fast path only if all its addresses are known to be good.
#pragma once

#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// Where the generic address space shows shared and local memory, constants and kernel parameters; device
/// memory lies outside of these windows.
inline constexpr u64 window_bytes = 0x0100'0000;
inline constexpr u64 shared_window = 0x0001'0000'0000'0000;
inline constexpr u64 local_window = 0x0002'0000'0000'0000;
inline constexpr u64 constant_window = 0x0003'0000'0000'0000;
inline constexpr u64 param_window = 0x0004'0000'0000'0000;
/// Behind a block's own shared window stand those of its cluster's blocks, by rank: an address of the
/// cluster's shared memory, generic or not, has 1 + rank above its low 24 bits, and 0 there for one's own.
inline constexpr u64 most_ranks = 16;

/// Any space, any width, lane by lane, with every check: a lane with a bad address reads 0 or stores nothing,
/// and is reported. Tells the observer.
void load_checked(Warp& warp, const DecodedOp& op, u32 mask);
void store_checked(Warp& warp, const DecodedOp& op, u32 mask);

/// The request that stands in warp.addresses, for the observer and the race detector.
void tell_access(Warp& warp, const DecodedOp& op, u32 mask, Space space, Operation operation);

}  // namespace warplens::simt
