// Operations that the lowering of machine code puts between the instructions' own, and loops over the lanes
// of a warp for those. A pair of registers is two rows one after the other, the lower word first.
#pragma once

#include "simt/functional/block/warp.h"
#include "simt/functional/execute/lane_rows.h"
#include "simt/functional/machine/machine_rows.h"

namespace warplens::simt {

/// The bits of a register.
inline constexpr u64 low_word = 0xffffffffu;

// rows: result, source
void negate_wide(Warp& warp, const DecodedOp& op, u32 mask);
void invert_wide(Warp& warp, const DecodedOp& op, u32 mask);
void invert_predicate(Warp& warp, const DecodedOp& op, u32 mask);
/// rows: result, a, b; flags 1: b is inverted.
void conjunction(Warp& warp, const DecodedOp& op, u32 mask);
/// rows: predicate result, mask: whether lanes of the mask are not active.
void is_diverged(Warp& warp, const DecodedOp& op, u32 mask);
/// rows: predicate result, predicate: whether it holds for an active lane. flags 1: it is inverted.
void any_of_predicate(Warp& warp, const DecodedOp& op, u32 mask);
/// Of a double: flags are the sign's bits; immediate 1 magnitude, 2 negation.
void change_sign_wide(Warp& warp, const DecodedOp& op, u32 mask);
/// The half numbered `flags` in both halves of the result.
void repeat_half(Warp& warp, const DecodedOp& op, u32 mask);

/// Runs `inner` for all lanes, active or not; guarded, when the uniform guard holds.
void execute_everywhere(Warp& warp, const DecodedOp& op, u32 mask);
void execute_everywhere_guarded(Warp& warp, const DecodedOp& op, u32 mask);

// ---- loops over lanes
/// What a lane-wise instruction reads and writes, one lane. The rows of such an operation are LaneRow's.
struct LaneInputs {
    u64 a = 0, b = 0, c = 0;
    bool p = false, q = false;
    u32 flags = 0;
    u64 immediate = 0;
};
struct LaneResults {
    u64 d = 0;
    bool p = false, q = false;
};

template <int words>
u64 read_lane(Warp& warp, Row where, int lane) {
    u64 value = row<const u32>(warp, where)[lane];
    if constexpr (words == 2) value |= u64{row<const u32>(warp, where + word_row_bytes)[lane]} << 32;
    return value;
}

template <int words>
void write_lane(Warp& warp, Row where, int lane, u64 value) {
    row<u32>(warp, where)[lane] = static_cast<u32>(value);
    if constexpr (words == 2) row<u32>(warp, where + word_row_bytes)[lane] = static_cast<u32>(value >> 32);
}

/// F: LaneInputs to LaneResults; D, A, B, C are the words of result and sources.
template <auto F, int D = 1, int A = 1, int B = 1, int C = 1>
void each_lane_of(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 holds = predicate(warp, op.rows[lane_predicate]),
              holds_too = predicate(warp, op.rows[lane_predicate_2]);
    u32 p = 0, q = 0;
    for_each_lane({mask}, [&](int lane) {
        LaneInputs in;
        in.a = read_lane<A>(warp, op.rows[lane_a], lane);
        in.b = read_lane<B>(warp, op.rows[lane_b], lane);
        in.c = read_lane<C>(warp, op.rows[lane_c], lane);
        in.p = (holds >> lane & 1) != 0;
        in.q = (holds_too >> lane & 1) != 0;
        in.flags = op.flags;
        in.immediate = op.immediate;
        const LaneResults out = F(in);
        if constexpr (D != 0) write_lane<D>(warp, op.rows[lane_result], lane, out.d);
        p |= u32{out.p} << lane;
        q |= u32{out.q} << lane;
    });
    set_predicate(warp, op.rows[lane_p], mask, p);
    set_predicate(warp, op.rows[lane_q], mask, q);
}

}  // namespace warplens::simt
