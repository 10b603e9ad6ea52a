// Warp-wide instructions. rows: results, sources, member mask last.
#pragma once

#include "simt/functional/warp.h"

namespace warplens::simt {

/// DecodedOp::flags: one mode in the low byte, and what comes with it.
inline constexpr u32 shuffle_up = 1, shuffle_down = 2, shuffle_butterfly = 3, shuffle_index = 4;
inline constexpr u32 vote_ballot = 5, vote_all = 6, vote_any = 7, vote_uniform = 8;
inline constexpr u32 reduce_add = 9, reduce_min = 10, reduce_max = 11, reduce_min_signed = 12,
                     reduce_max_signed = 13, reduce_and = 14, reduce_or = 15, reduce_xor = 16;
inline constexpr u32 warp_mode = 0xff;
inline constexpr u32 shuffle_predicate = 0x100;  // a second result
inline constexpr u32 match_all = 0x200;
inline constexpr u32 match_wide = 0x400;
inline constexpr u32 warp_named = 0x800;  // has a member mask

void shuffle(Warp& warp, const DecodedOp& op, u32 mask);
void vote(Warp& warp, const DecodedOp& op, u32 mask);
void match(Warp& warp, const DecodedOp& op, u32 mask);
void reduce(Warp& warp, const DecodedOp& op, u32 mask);
void warp_barrier(Warp& warp, const DecodedOp& op, u32 mask);
void elect(Warp& warp, const DecodedOp& op, u32 mask);
void active_mask(Warp& warp, const DecodedOp& op, u32 mask);

}  // namespace warplens::simt
