#include "simt/functional/machine/operations.h"

#include <bit>

namespace warplens::simt {

namespace {

constexpr u32 everyone = 0xffffffffu;

template <auto F, int words>
void change(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        write_lane<words>(warp, op.rows[0], lane, F(read_lane<words>(warp, op.rows[1], lane)));
    });
}

constexpr auto minus = [](u64 x) { return 0 - x; };
constexpr auto inverse = [](u64 x) { return ~x; };

u32 signed_as(const DecodedOp& op, u32 bits) {
    if (op.immediate & 1) bits &= ~op.flags;
    if (op.immediate & 2) bits ^= op.flags;
    return bits;
}

}  // namespace

void negate_wide(Warp& warp, const DecodedOp& op, u32 mask) { change<minus, 2>(warp, op, mask); }
void invert_wide(Warp& warp, const DecodedOp& op, u32 mask) { change<inverse, 2>(warp, op, mask); }

void invert_predicate(Warp& warp, const DecodedOp& op, u32) {
    predicate(warp, op.rows[0]) = ~predicate(warp, op.rows[1]);
}

void conjunction(Warp& warp, const DecodedOp& op, u32) {
    const u32 b = predicate(warp, op.rows[2]);
    predicate(warp, op.rows[0]) = predicate(warp, op.rows[1]) & (op.flags & 1 ? ~b : b);
}

void is_diverged(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 expected = row<const u32>(warp, op.rows[1])[std::countr_zero(mask)];
    predicate(warp, op.rows[0]) = (expected & warp.live & ~mask) != 0 ? everyone : 0;
}

void any_of_predicate(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 holds = predicate(warp, op.rows[1]);
    predicate(warp, op.rows[0]) = (mask & (op.flags & 1 ? ~holds : holds)) != 0 ? everyone : 0;
}

void repeat_half(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        const u32 half = row<const u32>(warp, op.rows[1])[lane] >> 16 * op.flags & 0xffff;
        row<u32>(warp, op.rows[0])[lane] = half << 16 | half;
    });
}

void change_sign_wide(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        const u64 x = read_lane<2>(warp, op.rows[1], lane);
        const u64 upper = signed_as(op, static_cast<u32>(x >> 32));
        write_lane<2>(warp, op.rows[0], lane, upper << 32 | (x & everyone));
    });
}

void execute_everywhere(Warp& warp, const DecodedOp& op, u32) { op.inner(warp, op, everyone); }

void execute_everywhere_guarded(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 holds = predicate(warp, op.guard);
    const u32 executed = mask & (op.guard_negated ? ~holds : holds);
    if (warp.observer && !op.silent) warp.observer->guard(static_cast<int>(warp.index), op.site, {executed});
    if (executed != 0) op.inner(warp, op, everyone);
}

}  // namespace warplens::simt
