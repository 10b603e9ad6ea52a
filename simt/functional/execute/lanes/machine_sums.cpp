// Sums of words as machine code has them: of three with carries, and of a shifted word, with carries or
// without.
#include "simt/functional/execute/lane_rows.h"
#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/execute/lanes/rows.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

inline u32 carry_into(u32 mask, int i) { return mask >> i & 1u; }

/// What a source becomes: bit i of flags negates it, bit 3 + i inverts it. A negated source is its inverse
/// plus 1, which carries for 0.
struct Signs {
    u32 inverts[3];
    u32 added = 0;

    explicit Signs(u32 flags) {
        for (u32 i = 0; i < 3; ++i) {
            const u32 negated = flags >> i & 1;
            inverts[i] = 0 - (negated | (flags >> (3 + i) & 1));
            added += negated;
        }
    }
    u32 of(u32 i, u32 x) const { return x ^ inverts[i]; }
};

/// A sum modulo 2^32, and how often it passed that.
struct Sum {
    u32 value, carries = 0;

    void add(u32 x) {
        value += x;
        carries += u32{value < x};
    }
};

/// f: lane to Sum. The rows are LaneRow's; the predicate results are whether there was a carry, and a second.
template <class F>
inline __attribute__((always_inline)) void each_sum(Warp& warp, const DecodedOp& op, u32 mask, F f) {
    u32* d = row<u32>(warp, op.rows[lane_result]);
    u32 first = 0, second = 0;
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i) {
        const Sum sum = f(i);
        d[i] = carry_into(mask, i) != 0 ? sum.value : d[i];
        first |= u32{sum.carries > 0} << i;
        second |= u32{sum.carries > 1} << i;
    }
    set_predicate(warp, op.rows[lane_p], mask, first);
    set_predicate(warp, op.rows[lane_q], mask, second);
}

void add_three(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[lane_a]), *b = row<const u32>(warp, op.rows[lane_b]),
              *c = row<const u32>(warp, op.rows[lane_c]);
    const Signs signs(op.flags);
    each_lane(mask, row<u32>(warp, op.rows[lane_result]),
              [&](int i) { return signs.of(0, a[i]) + signs.of(1, b[i]) + signs.of(2, c[i]) + signs.added; });
}

void add_three_with_carries(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[lane_a]), *b = row<const u32>(warp, op.rows[lane_b]),
              *c = row<const u32>(warp, op.rows[lane_c]);
    const u32 p = predicate(warp, op.rows[lane_predicate]), q = predicate(warp, op.rows[lane_predicate_2]);
    const Signs signs(op.flags);
    each_sum(warp, op, mask, [&](int i) {
        Sum sum{signs.of(0, a[i])};
        sum.add(signs.of(1, b[i]));
        sum.add(signs.of(2, c[i]));
        sum.add(signs.added + carry_into(p, i) + carry_into(q, i));
        return sum;
    });
}

/// The same of the uniform data path, whose values all lanes have. The carries may be none and lost.
void add_three_uniform(Warp& warp, const DecodedOp& op, u32) {
    const auto first = [&](int slot) { return *row<const u32>(warp, op.rows[slot]); };
    const Signs signs(op.flags);
    Sum sum{signs.of(0, first(lane_a))};
    sum.add(signs.of(1, first(lane_b)));
    sum.add(signs.of(2, first(lane_c)));
    sum.add(signs.added + carry_into(predicate(warp, op.rows[lane_predicate]), 0) +
            carry_into(predicate(warp, op.rows[lane_predicate_2]), 0));
    u32* d = row<u32>(warp, op.rows[lane_result]);
    for (int i = 0; i < warp_size; ++i) d[i] = sum.value;
    predicate(warp, op.rows[lane_p]) = 0 - u32{sum.carries > 0};
    predicate(warp, op.rows[lane_q]) = 0 - u32{sum.carries > 1};
}

/// flags: those of c alone.
void multiply_add_with_carry(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[lane_a]), *b = row<const u32>(warp, op.rows[lane_b]),
              *c = row<const u32>(warp, op.rows[lane_c]);
    const u32 p = predicate(warp, op.rows[lane_predicate]);
    const Signs signs(op.flags);
    each_sum(warp, op, mask, [&](int i) {
        Sum sum{a[i] * b[i]};
        sum.add(signs.of(2, c[i]));
        sum.add(signs.added + carry_into(p, i));
        return sum;
    });
}

/// a, shifted, plus b. flags: of both, the shifted one being the first; 8 and up the shift. High: the upper
/// word of c and a, shifted together; bit 6 of flags: the sign of a is there instead of c.
template <bool High>
struct ShiftedSum {
    const u32 *a, *b, *c;
    Signs signs;
    u32 shift, of_sign;

    ShiftedSum(Warp& warp, const DecodedOp& op)
        : a(row<const u32>(warp, op.rows[lane_a])),
          b(row<const u32>(warp, op.rows[lane_b])),
          c(row<const u32>(warp, op.rows[lane_c])),
          signs(op.flags),
          shift(op.flags >> 8),
          of_sign(0 - (op.flags >> 6 & 1)) {}

    u32 shifted(int i) const {
        if (!High) return signs.of(0, a[i] << shift);
        const u32 sign = static_cast<u32>(static_cast<s32>(a[i]) >> 31);
        const u32 upper = (sign & of_sign) | (c[i] & ~of_sign);
        // 32 places are too many for one shift
        return signs.of(0, upper << shift | a[i] >> 1 >> (31 - shift));
    }
    u32 other(int i) const { return signs.of(1, b[i]); }
};

template <bool High>
void shift_and_add(Warp& warp, const DecodedOp& op, u32 mask) {
    const ShiftedSum<High> of(warp, op);
    each_lane(mask, row<u32>(warp, op.rows[lane_result]),
              [&](int i) { return of.shifted(i) + of.other(i) + of.signs.added; });
}

template <bool High>
void shift_and_add_with_carries(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 p = predicate(warp, op.rows[lane_predicate]);
    const ShiftedSum<High> of(warp, op);
    each_sum(warp, op, mask, [&](int i) {
        Sum sum{of.shifted(i)};
        sum.add(of.other(i));
        sum.add(of.signs.added + carry_into(p, i));
        return sum;
    });
}

constexpr ExecutorRow machine_sum_table[] = {
    {"machine.imad.x", "", multiply_add_with_carry},
    {"machine.iadd3", "", add_three},
    {"machine.iadd3.x", "", add_three_with_carries},
    {"machine.uiadd3", "", add_three_uniform},
    {"machine.lea", "", shift_and_add<false>},
    {"machine.lea.hi", "", shift_and_add<true>},
    {"machine.lea.x", "", shift_and_add_with_carries<false>},
    {"machine.lea.hi.x", "", shift_and_add_with_carries<true>},
};

}  // namespace

ExecutorRows machine_sum_rows() { return machine_sum_table; }

}  // namespace warplens::simt::WARPLENS_LANES
