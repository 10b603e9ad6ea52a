// Logic, shifts and bit fields: "PTX ISA: Logic and Shift Instructions" and the bit-field part of the integer
// ones. Shift counts are 32-bit and clamp at the width.
#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/execute/lanes/rows.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

struct And {
    template <class T>
    static T apply(T a, T b) {
        return a & b;
    }
};
struct Or {
    template <class T>
    static T apply(T a, T b) {
        return a | b;
    }
};
struct Xor {
    template <class T>
    static T apply(T a, T b) {
        return a ^ b;
    }
};
struct Not {
    template <class T>
    static T apply(T a) {
        return static_cast<T>(~a);
    }
};
struct CNot {
    template <class T>
    static T apply(T a) {
        return a == 0 ? 1 : 0;
    }
};
struct ShiftLeft {
    template <class T>
    static T apply(T a, u32 n) {
        return n >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << (n & (8 * sizeof(T) - 1)));
    }
};
struct ShiftRight {
    template <class T>
    static T apply(T a, u32 n) {
        constexpr u32 width = 8 * sizeof(T);
        constexpr bool is_signed = T(-1) < T(0);
        if (is_signed) return static_cast<T>(a >> (n >= width ? width - 1 : n));
        return n >= width ? T{0} : static_cast<T>(a >> (n & (width - 1)));
    }
};
template <bool Left, bool Wrap>
struct Funnel {
    static u32 apply(u32 a, u32 b, u32 c) {  // a: the low word, b: the high word
        u32 n = Wrap ? c & 31 : c > 32 ? 32 : c;
        u64 both = u64{b} << 32 | a;
        return Left ? static_cast<u32>(both << n >> 32) : static_cast<u32>(both >> n);
    }
};
struct PopCount {
    static u32 apply(u32 a) { return static_cast<u32>(__builtin_popcount(a)); }
    static u32 apply(u64 a) { return static_cast<u32>(__builtin_popcountll(a)); }
};
struct LeadingZeros {
    static u32 apply(u32 a) { return a ? static_cast<u32>(__builtin_clz(a)) : 32u; }
    static u32 apply(u64 a) { return a ? static_cast<u32>(__builtin_clzll(a)) : 64u; }
};
struct Reverse {
    static u32 apply(u32 a) {
        a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
        a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
        a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
        return __builtin_bswap32(a);
    }
    static u64 apply(u64 a) {
        return u64{apply(static_cast<u32>(a))} << 32 | apply(static_cast<u32>(a >> 32));
    }
};
/// The highest bit that differs from the sign, or the left shift that moves it to the top; all ones if no bit
/// differs.
template <class T, bool ShiftAmount>
struct FindBit {
    template <class U>
    static u32 apply(U bits) {
        T a = static_cast<T>(bits);
        U x = a < 0 ? static_cast<U>(~bits) : bits;
        if (x == 0) return 0xffffffffu;
        u32 zeros = LeadingZeros::apply(x);
        return ShiftAmount ? zeros : static_cast<u32>(8 * sizeof(U) - 1) - zeros;
    }
};
template <class T>
struct Extract {
    template <class U>
    static U apply(U bits, u32 position, u32 length) {
        constexpr u32 width = 8 * sizeof(U);
        position &= 0xff;
        length &= 0xff;
        bool is_signed = T(-1) < T(0);
        U sign = 0;
        if (is_signed && length > 0) {
            u32 at = position + length - 1;
            if (at > width - 1) at = width - 1;
            sign = bits >> at & 1u;
        }
        U field = position >= width ? U{0} : static_cast<U>(bits >> position);
        if (length >= width) length = width;
        U inside = length == width ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << length) - 1);
        // Bits of the field above the source's top are copies of the sign.
        u32 real = position >= width ? 0 : width - position;
        U covered = real >= width ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << real) - 1);
        U kept = inside & covered;
        return static_cast<U>((field & kept) | (sign ? static_cast<U>(~kept) : U{0}));
    }
};
struct Insert {
    template <class U>
    static U apply(U a, U b, u32 position, u32 length) {
        constexpr u32 width = 8 * sizeof(U);
        position &= 0xff;
        length &= 0xff;
        U field = length >= width ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << length) - 1);
        U at = position >= width ? U{0} : static_cast<U>(field << position);
        U moved = position >= width ? U{0} : static_cast<U>(a << position);
        return static_cast<U>((b & ~at) | (moved & at));
    }
};
template <bool Wrap>
struct BitMask {
    static u32 apply(u32 a, u32 b) {
        u32 position = Wrap ? a & 31 : a, length = Wrap ? b & 31 : b;
        u32 ones = length >= 32 ? 0xffffffffu : (1u << length) - 1;
        return position >= 32 ? 0 : ones << position;
    }
};
template <bool Signed, bool Wrap>
struct ExtendSize {
    static u32 apply(u32 a, u32 b) {
        u32 n = Wrap ? b & 31 : b;
        if (n >= 32) return a;
        if (n == 0) return 0;
        u32 up = a << (32 - n);
        return Signed ? static_cast<u32>(static_cast<s32>(up) >> (32 - n)) : up >> (32 - n);
    }
};
/// Each selector picks one of the eight bytes of {b, a}; with its top bit set it replicates the byte's sign.
struct Permute {
    static u32 apply(u32 a, u32 b, u32 selectors) {
        u64 bytes = u64{b} << 32 | a;
        u32 result = 0;
        for (int i = 0; i < 4; ++i) {
            u32 selector = selectors >> 4 * i & 15;
            u32 byte = static_cast<u32>(bytes >> 8 * (selector & 7)) & 0xff;
            if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
            result |= byte << 8 * i;
        }
        return result;
    }
};
/// The named modes of prmt as their selectors.
template <u32 S0, u32 S1, u32 S2, u32 S3>
struct PermuteMode {
    static u32 apply(u32 a, u32 b, u32 c) {
        constexpr u32 table[] = {S0, S1, S2, S3};
        return Permute::apply(a, b, table[c & 3]);
    }
};

/// lop3: the truth table is in `immediate`; bit (a<<2 | b<<1 | c) is the result.
void logic3(Warp& warp, const DecodedOp& op, u32 mask) {
    u32* d = row<u32>(warp, op.rows[0]);
    const u32* a = row<const u32>(warp, op.rows[1]);
    const u32* b = row<const u32>(warp, op.rows[2]);
    const u32* c = row<const u32>(warp, op.rows[3]);
    const u32* lut = row<const u32>(warp, op.rows[4]);
    u32 term[8];
    for (u32 k = 0; k < 8; ++k) term[k] = 0u - (lut[0] >> k & 1u);
    each_lane(mask, d, [&](int i) {
        u32 x = a[i], y = b[i], z = c[i];
        return (term[0] & ~x & ~y & ~z) | (term[1] & ~x & ~y & z) | (term[2] & ~x & y & ~z) |
               (term[3] & ~x & y & z) | (term[4] & x & ~y & ~z) | (term[5] & x & ~y & z) |
               (term[6] & x & y & ~z) | (term[7] & x & y & z);
    });
}

template <class F>
void predicate_logic(Warp& warp, const DecodedOp& op, u32 mask) {
    set_predicate(warp, op.rows[0], mask, F::apply(predicate(warp, op.rows[1]), predicate(warp, op.rows[2])));
}
void predicate_not(Warp& warp, const DecodedOp& op, u32 mask) {
    set_predicate(warp, op.rows[0], mask, ~predicate(warp, op.rows[1]));
}

#define LOGIC(name, F)                                                                    \
    {name ".pred", "ppp", predicate_logic<F>}, {name ".b16", "www", binary<u32, u32, F>}, \
        {name ".b32", "www", binary<u32, u32, F>}, {                                      \
        name ".b64", "ddd", binary<u64, u64, F>                                           \
    }
#define SHIFT_RIGHT(suffix, letters, T) \
    { "shr." suffix, letters, binary<T, T, ShiftRight, u32> }

constexpr ExecutorRow bitwise_table[] = {
    LOGIC("and", And),
    LOGIC("or", Or),
    LOGIC("xor", Xor),
    {"not.pred", "pp", predicate_not},
    {"not.b16", "ww", unary<u32, u32, Not>},
    {"not.b32", "ww", unary<u32, u32, Not>},
    {"not.b64", "dd", unary<u64, u64, Not>},
    {"cnot.b16", "ww", unary<u16, u16, CNot>},
    {"cnot.b32", "ww", unary<u32, u32, CNot>},
    {"cnot.b64", "dd", unary<u64, u64, CNot>},
    {"shl.b16", "www", binary<u16, u16, ShiftLeft, u32>},
    {"shl.b32", "www", binary<u32, u32, ShiftLeft, u32>},
    {"shl.b64", "ddw", binary<u64, u64, ShiftLeft, u32>},
    SHIFT_RIGHT("b16", "www", u16),
    SHIFT_RIGHT("u16", "www", u16),
    SHIFT_RIGHT("s16", "www", s16),
    SHIFT_RIGHT("b32", "www", u32),
    SHIFT_RIGHT("u32", "www", u32),
    SHIFT_RIGHT("s32", "www", s32),
    SHIFT_RIGHT("b64", "ddw", u64),
    SHIFT_RIGHT("u64", "ddw", u64),
    SHIFT_RIGHT("s64", "ddw", s64),
    {"shf.l.wrap.b32", "wwww", ternary<u32, u32, Funnel<true, true>>},
    {"shf.clamp.l.b32", "wwww", ternary<u32, u32, Funnel<true, false>>},
    {"shf.r.wrap.b32", "wwww", ternary<u32, u32, Funnel<false, true>>},
    {"shf.clamp.r.b32", "wwww", ternary<u32, u32, Funnel<false, false>>},
    {"popc.b32", "ww", unary<u32, u32, PopCount>},
    {"popc.b64", "wd", unary<u32, u64, PopCount>},
    {"clz.b32", "ww", unary<u32, u32, LeadingZeros>},
    {"clz.b64", "wd", unary<u32, u64, LeadingZeros>},
    {"brev.b32", "ww", unary<u32, u32, Reverse>},
    {"brev.b64", "dd", unary<u64, u64, Reverse>},
    {"bfind.u32", "ww", unary<u32, u32, FindBit<u32, false>>},
    {"bfind.s32", "ww", unary<u32, u32, FindBit<s32, false>>},
    {"bfind.u64", "wd", unary<u32, u64, FindBit<u64, false>>},
    {"bfind.s64", "wd", unary<u32, u64, FindBit<s64, false>>},
    {"bfind.shiftamt.u32", "ww", unary<u32, u32, FindBit<u32, true>>},
    {"bfind.shiftamt.s32", "ww", unary<u32, u32, FindBit<s32, true>>},
    {"bfind.shiftamt.u64", "wd", unary<u32, u64, FindBit<u64, true>>},
    {"bfind.shiftamt.s64", "wd", unary<u32, u64, FindBit<s64, true>>},
    {"bfe.u32", "wwww", ternary<u32, u32, Extract<u32>, u32, u32>},
    {"bfe.s32", "wwww", ternary<u32, u32, Extract<s32>, u32, u32>},
    {"bfe.u64", "ddww", ternary<u64, u64, Extract<u64>, u32, u32>},
    {"bfe.s64", "ddww", ternary<u64, u64, Extract<s64>, u32, u32>},
    {"bfi.b32", "wwwww", quaternary<u32, u32, Insert>},
    {"bfi.b64", "dddww", quaternary<u64, u64, Insert>},
    {"bmsk.clamp.b32", "www", binary<u32, u32, BitMask<false>>},
    {"bmsk.wrap.b32", "www", binary<u32, u32, BitMask<true>>},
    {"szext.clamp.u32", "www", binary<u32, u32, ExtendSize<false, false>>},
    {"szext.clamp.s32", "www", binary<u32, u32, ExtendSize<true, false>>},
    {"szext.wrap.u32", "www", binary<u32, u32, ExtendSize<false, true>>},
    {"szext.wrap.s32", "www", binary<u32, u32, ExtendSize<true, true>>},
    {"prmt.b32", "wwww", ternary<u32, u32, Permute>},
    {"prmt.f4e.b32", "wwww", ternary<u32, u32, PermuteMode<0x3210, 0x4321, 0x5432, 0x6543>>},
    {"prmt.b4e.b32", "wwww", ternary<u32, u32, PermuteMode<0x5670, 0x6701, 0x7012, 0x0123>>},
    {"prmt.rc8.b32", "wwww", ternary<u32, u32, PermuteMode<0x0000, 0x1111, 0x2222, 0x3333>>},
    {"prmt.ecl.b32", "wwww", ternary<u32, u32, PermuteMode<0x3210, 0x3211, 0x3222, 0x3333>>},
    {"prmt.ecr.b32", "wwww", ternary<u32, u32, PermuteMode<0x0000, 0x1110, 0x2210, 0x3210>>},
    {"prmt.rc16.b32", "wwww", ternary<u32, u32, PermuteMode<0x1010, 0x3232, 0x1010, 0x3232>>},
    {"lop3.b32", "wwwww", logic3},
};

}  // namespace

ExecutorRows bitwise_rows() { return bitwise_table; }

}  // namespace warplens::simt::WARPLENS_LANES
