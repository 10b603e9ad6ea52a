// Warp-wide instructions. rows: results, sources, member mask last.
#pragma once

#include <algorithm>
#include <bit>

#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// DecodedOp::flags: one mode in the low byte, and its modifiers.
inline constexpr u32 shuffle_up = 1, shuffle_down = 2, shuffle_butterfly = 3, shuffle_index = 4;
inline constexpr u32 vote_ballot = 5, vote_all = 6, vote_any = 7, vote_uniform = 8;
inline constexpr u32 reduce_add = 9, reduce_min = 10, reduce_max = 11, reduce_min_signed = 12,
                     reduce_max_signed = 13, reduce_and = 14, reduce_or = 15, reduce_xor = 16;
inline constexpr u32 warp_mode = 0xff;
inline constexpr u32 shuffle_predicate = 0x100;  // a second result
inline constexpr u32 match_all = 0x200;
inline constexpr u32 match_wide = 0x400;
inline constexpr u32 warp_named = 0x800;  // has a member mask

/// Orders the accesses of the active lanes, for the search for races.
void meet_lanes(Warp& warp, const DecodedOp& op, u32 mask);
void shuffle(Warp& warp, const DecodedOp& op, u32 mask);
void vote(Warp& warp, const DecodedOp& op, u32 mask);
void match(Warp& warp, const DecodedOp& op, u32 mask);
void reduce(Warp& warp, const DecodedOp& op, u32 mask);
/// Of f32: reduce_min or reduce_max as the mode, and the treatment of NaN and sign.
inline constexpr u32 reduce_nan = 0x1000;        // a NaN is the result instead of being ignored
inline constexpr u32 reduce_magnitude = 0x2000;  // of absolute values
void reduce_float(Warp& warp, const DecodedOp& op, u32 mask);
void warp_barrier(Warp& warp, const DecodedOp& op, u32 mask);
void elect(Warp& warp, const DecodedOp& op, u32 mask);
void active_mask(Warp& warp, const DecodedOp& op, u32 mask);

/// The same for lanes with different masks, as in the tiles of a partitioned warp: lanes with the same mask
/// execute together, one set after another. `mask_row` is the member mask's index in op.rows.
template <Execute execute, int mask_row>
void by_member_mask(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 named[warp_size];
    std::copy_n(row<const u32>(warp, op.rows[mask_row]), warp_size, named);
    while (mask != 0) {
        const u32 members = named[std::countr_zero(mask)];
        u32 together = 0;
        for (int lane = 0; lane < warp_size; ++lane) together |= u32{named[lane] == members} << lane;
        together &= mask;
        execute(warp, op, together);
        mask &= ~together;
    }
}

}  // namespace warplens::simt
