// The special registers ("PTX ISA: Special Registers") the engine knows, and where their values come from.
#pragma once

#include <optional>
#include <string_view>

#include "simt/functional/decoded_op.h"

namespace warplens::simt {

struct Warp;

// clang-format off
enum class Special : u8 {
    zero,
    tid_x, tid_y, tid_z, ntid_x, ntid_y, ntid_z,
    ctaid_x, ctaid_y, ctaid_z, nctaid_x, nctaid_y, nctaid_z,
    laneid, warpid, nwarpid, smid, nsmid, gridid, warp_size,
    lanemask_eq, lanemask_le, lanemask_lt, lanemask_ge, lanemask_gt,
    dynamic_smem_size, total_smem_size,
    one,
    clock, clock_hi, clock64, globaltimer, globaltimer_lo, globaltimer_hi,
};
// clang-format on

/// `name` without the percent sign; nothing when the engine does not know it.
std::optional<Special> special_from(std::string_view name);

/// 64-bit registers have rows of 8 bytes a lane.
bool is_wide(Special special);
/// Differs from block to block.
bool is_of_block(Special special);
/// Changes while a warp runs: read by an operation, not kept in a row.
bool is_clock(Special special);

/// What a clock shows: a warp's steps stand for cycles and nanoseconds, so that runs repeat exactly.
u64 read_clock(const Warp& warp, Special special, SiteId site);

}  // namespace warplens::simt
