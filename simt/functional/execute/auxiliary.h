// Auxiliary operations that decoding adds to an instruction's own.
#pragma once

#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// Runs `inner` for the lanes whose guard is true, and reports these lanes to the observer.
void execute_guarded(Warp& warp, const DecodedOp& op, u32 mask);
/// rows[0] = the clock named by `flags`.
void execute_read_clock(Warp& warp, const DecodedOp& op, u32 mask);
/// rows[0] = base of the activation's local memory (rows[1]) + immediate.
void execute_local_address(Warp& warp, const DecodedOp& op, u32 mask);
/// Reports an instruction that the engine does not execute, and ends the block.
void execute_unsupported(Warp& warp, const DecodedOp& op, u32 mask);
/// Runs DecodedKernel::held_ops[immediate] unless the block is ending.
void execute_unless_ending(Warp& warp, const DecodedOp& op, u32 mask);
void execute_trap(Warp& warp, const DecodedOp& op, u32 mask);
void execute_nothing(Warp& warp, const DecodedOp& op, u32 mask);

}  // namespace warplens::simt
