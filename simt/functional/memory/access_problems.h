// The words for one lane's bad access: what it does, to which element, and what would be right. Whether an
// access is bad is found out in exec_memory.cpp.
#pragma once

#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// `limit`: bytes of the memory that the address lies behind.
void report_out_of_bounds(Warp& warp, const DecodedOp& op, int lane, u64 address, u32 bytes, Space space,
                          Operation operation, u64 limit);
void report_misaligned(Warp& warp, const DecodedOp& op, int lane, u64 address, u32 bytes, Space space,
                       Operation operation);
void report_uninitialised(Warp& warp, const DecodedOp& op, int lane, u64 address, Space space);

}  // namespace warplens::simt
