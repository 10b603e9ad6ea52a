#include "simt/functional/decode/compare_flags.h"

namespace warplens::simt {

namespace {

u32 combine(u32 flags, u32 bits, u32 with) {
    switch (flags & combine_mask) {
        case combine_and:
            return bits & with;
        case combine_or:
            return bits | with;
        case combine_xor:
            return bits ^ with;
        default:
            return bits;
    }
}

u32 value_of(u32 flags, bool low, bool high) {
    if (flags & result_u32) return low ? 0xffffffffu : 0;
    if (flags & result_f32) return low ? 0x3f800000u : 0;
    if (flags & result_u16) return low ? 0xffffu : 0;
    if (flags & result_f16) return low ? 0x3c00u : 0;
    if (flags & result_bf16) return low ? 0x3f80u : 0;
    u32 one = flags & result_f16x2 ? 0x3c00u : 0x3f80u;
    return (low ? one : 0) | (high ? one << 16 : 0);
}

}  // namespace

void finish_comparison(Warp& warp, const DecodedOp& op, u32 mask, u32 bits, u32 upper) {
    u32 with = (op.flags & combine_mask) != 0 ? predicate(warp, op.rows[4]) : 0;
    u32 p = combine(op.flags, bits, with);
    if (op.flags >= result_u32) {
        u32 high = combine(op.flags, upper, with);
        u32* d = row<u32>(warp, op.rows[0]);
        for_each_lane({mask}, [&](int i) { d[i] = value_of(op.flags, p >> i & 1u, high >> i & 1u); });
        return;
    }
    set_predicate(warp, op.rows[0], mask, p);
    if (op.flags & second_result) set_predicate(warp, op.rows[1], mask, combine(op.flags, ~bits, with));
    if (op.flags & second_is_upper_half)
        set_predicate(warp, op.rows[1], mask, combine(op.flags, upper, with));
}

}  // namespace warplens::simt
