// Memory operations without a fast path; see ../memory/memory_access.h for the others.
#pragma once

#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

/// From the launch's parameter space, the same for every lane. immediate: byte offset.
void load_kernel_parameter(Warp& warp, const DecodedOp& op, u32 mask);
/// A function's .param variables, per lane. immediate: byte offset.
void load_parameter(Warp& warp, const DecodedOp& op, u32 mask);
void store_parameter(Warp& warp, const DecodedOp& op, u32 mask);
/// isspacep: rows[0] = whether the generic address rows[1] is in `space`.
void is_space(Warp& warp, const DecodedOp& op, u32 mask);

/// The bytes of one lane's access, or nullptr after reporting a problem. `address` is as the instruction
/// computed it; `space` none is resolved, and `address` becomes relative to the space.
std::byte* resolve(Warp& warp, const DecodedOp& op, int lane, u64& address, u32 bytes, Space& space,
                   warplens::Operation operation);

/// The same for all bytes of an operation that has a window, which remembers the allocation.
std::byte* resolve_remembered(Warp& warp, const DecodedOp& op, int lane, u64& address, Space& space,
                              warplens::Operation operation);

/// The same for any number of bytes, without an alignment check.
std::byte* resolve_range(Warp& warp, const DecodedOp& op, int lane, u64& address, u32 bytes, Space& space,
                         warplens::Operation operation);

/// Reads for functions that CUDA provides: `bytes` at a generic address, nullptr if any of them is outside
/// all memory. Reports no problem and notifies no observer; `space` receives the space.
const std::byte* peek(Warp& warp, int lane, u64 address, u64 bytes, Space* space = nullptr);
/// Whether the lane has stored to any of its local bytes at a generic address.
bool is_local_written(Warp& warp, int lane, u64 address, u32 bytes);

/// Marks bytes at a generic address, which peek() found, as stored to by the lane.
void mark_stored(Warp& warp, int lane, u64 address, u32 bytes);

/// Marks bytes of a shared space as written.
void mark_written(Warp& warp, Space space, u64 address, u32 bytes);

/// Writes the addresses of the masked lanes to warp.addresses.
void compute_addresses(Warp& warp, const DecodedOp& op, u32 mask);

}  // namespace warplens::simt
