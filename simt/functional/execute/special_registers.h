// The special registers ("PTX ISA: Special Registers") that the engine supports, and the source of their
// values.
#pragma once

#include <optional>
#include <string_view>

#include "simt/functional/decode/decoded_op.h"

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
    cluster_ctaid_x, cluster_ctaid_y, cluster_ctaid_z, cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z,
    clusterid_x, clusterid_y, clusterid_z, nclusterid_x, nclusterid_y, nclusterid_z,
    cluster_ctarank, cluster_nctarank, is_explicit_cluster,
    workspace_high, workspace_low,  // %envreg1 and 2: the address of a cooperative launch's workspace
    clock, clock_hi, clock64, globaltimer, globaltimer_lo, globaltimer_hi,
};
// clang-format on

/// `name` without the percent sign; std::nullopt if the engine does not support it.
std::optional<Special> special_from(std::string_view name);

/// 64-bit registers have rows of 8 bytes per lane.
bool is_wide(Special special);
/// 0, 1, 2 of a register that has .x, .y and .z, of which `first` is .x; std::nullopt for another register.
inline std::optional<u32> axis_of(Special which, Special first) {
    const u32 axis = static_cast<u32>(which) - static_cast<u32>(first);
    return axis < 3 ? std::optional(axis) : std::nullopt;
}
/// Whether it differs between blocks.
bool is_of_block(Special special);
/// Whether it changes while a warp runs: read by an operation, not kept in a row.
bool is_clock(Special special);

/// A clock's value: a warp's steps count as cycles and nanoseconds, so that runs are reproducible.
u64 read_clock(const Warp& warp, Special special, SiteId site);

}  // namespace warplens::simt
