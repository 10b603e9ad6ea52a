// Memory operations without a fast path; see memory_access.h for the others.
#pragma once

#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

/// From the launch's parameter space, the same for every lane. immediate: byte offset.
void load_kernel_parameter(Warp& warp, const DecodedOp& op, u32 mask);
/// A function's .param variables, a lane each. immediate: byte offset.
void load_parameter(Warp& warp, const DecodedOp& op, u32 mask);
void store_parameter(Warp& warp, const DecodedOp& op, u32 mask);
/// isspacep: rows[0] = whether the generic address rows[1] lies in `space`.
void is_space(Warp& warp, const DecodedOp& op, u32 mask);

/// The bytes of one lane's access, or nullptr after having reported what is wrong with it. `address` is as
/// the instruction computed it; `space` none is resolved, and `address` made relative to the space.
std::byte* resolve(Warp& warp, const DecodedOp& op, int lane, u64& address, u32 bytes, Space& space,
                   warplens::Operation operation);

/// The same for any number of bytes, which need not divide the address.
std::byte* resolve_range(Warp& warp, const DecodedOp& op, int lane, u64& address, u32 bytes, Space& space,
                         warplens::Operation operation);

/// What a function of CUDA's own reads for a lane: `bytes` at a generic address, nullptr when any of them
/// lies in no memory. Nothing is reported and no observer is told; `space` says where they are.
const std::byte* peek(Warp& warp, int lane, u64 address, u64 bytes, Space* space = nullptr);
/// Whether the lane has stored to any of its local bytes at a generic address.
bool is_local_written(Warp& warp, int lane, u64 address, u32 bytes);

/// Bytes of a shared space that hold a value from now on.
void mark_written(Warp& warp, Space space, u64 address, u32 bytes);

/// Addresses of the masked lanes, into warp.addresses.
void compute_addresses(Warp& warp, const DecodedOp& op, u32 mask);

}  // namespace warplens::simt
