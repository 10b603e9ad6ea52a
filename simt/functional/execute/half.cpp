// f16 and bf16 arithmetic, scalar and packed: computed in double, where sums and products of halves are exact
// or rounded to odd, then rounded once. Modifiers are in the flags.
#include <bit>
#include <cmath>

#include "simt/functional/decode/compare_flags.h"
#include "simt/functional/decode/lanewise_flags.h"
#include "simt/functional/execute/half_values.h"
#include "simt/functional/execute/scalar_rows.h"

namespace warplens::simt {

namespace {

struct F16 {
    static constexpr u16 subnormal_mask = 0x7c00, negative_zero = 0x8000;
    static double number(u16 bits) { return half_to_float(bits); }
    static u16 bits(double x) { return half_from_double(x); }
};
struct Bf16 {
    static constexpr u16 subnormal_mask = 0x7f80, negative_zero = 0x8000;
    static double number(u16 bits) { return bfloat_to_float(bits); }
    static u16 bits(double x) { return bfloat_from_double(x); }
};

/// a + b, with the last bit set to 1 if the sum is inexact ("round to odd"): rounding it again equals
/// rounding the exact sum.
double add_to_odd(double a, double b) {
    const double sum = a + b;
    if (!std::isfinite(sum)) return sum;
    const double back = sum - a;
    const double error = (a - (sum - back)) + (b - back);
    u64 bits = std::bit_cast<u64>(sum);
    if (error == 0 || (bits & 1) != 0) return sum;
    // Towards zero if the exact sum is smaller in magnitude: the odd neighbour on its side.
    const bool smaller = (error < 0) != (sum < 0);
    return std::bit_cast<double>(smaller ? bits - 1 : bits + 1);
}

struct HalfAdd {
    static double apply(const double* x) { return add_to_odd(x[0], x[1]); }
};
struct HalfSub {
    static double apply(const double* x) { return add_to_odd(x[0], -x[1]); }
};
struct HalfMul {
    static double apply(const double* x) { return x[0] * x[1]; }
};
struct HalfFma {
    static double apply(const double* x) { return add_to_odd(x[0] * x[1], x[2]); }
};
struct HalfExp2 {
    static double apply(const double* x) { return std::exp2(x[0]); }
};
struct HalfTanh {
    static double apply(const double* x) { return std::tanh(x[0]); }
};

template <class H>
u16 flushed_half(u16 bits) {
    return (bits & H::subnormal_mask) == 0 ? bits & H::negative_zero : bits;
}

template <class H, class F, int Count>
struct Arithmetic {
    static u16 apply(const u16* in, u32 flags) {
        double x[Count];
        for (int i = 0; i < Count; ++i) x[i] = H::number(flags & flag_ftz ? flushed_half<H>(in[i]) : in[i]);
        double r = F::apply(x);
        if (flags & flag_sat) r = r > 0.0 ? (r < 1.0 ? r : 1.0) : 0.0;
        if ((flags & flag_relu) && r <= 0.0) r = 0.0;
        u16 bits = H::bits(r);
        return flags & flag_ftz ? flushed_half<H>(bits) : bits;
    }
};
template <class H, bool Max>
class Extremum {
  public:
    static u16 apply(const u16* operands, u32 flags) {
        u16 in[2] = {operands[0], operands[1]};
        for (u16& half : in)
            if (flags & flag_abs) half &= 0x7fff;
        const u16 r = choose(in, flags);
        const u16 sign = static_cast<u16>((operands[0] ^ operands[1]) & 0x8000);
        return (flags & flag_xorsign) && H::number(r) == H::number(r) ? static_cast<u16>(r | sign) : r;
    }

  private:
    static u16 choose(const u16* in, u32 flags) {
        const double a = H::number(in[0]), b = H::number(in[1]);
        u16 r;
        if (a != a || b != b) {
            if ((flags & flag_nan) || (a != a && b != b)) return canonical_nan_half;
            r = a != a ? in[1] : in[0];
        } else if (a == b) {
            r = Max ? in[0] & in[1] : in[0] | in[1];
        } else {
            r = (Max ? a > b : a < b) ? in[0] : in[1];
        }
        if ((flags & flag_relu) && H::number(r) <= 0.0) r = 0;
        return flags & flag_ftz ? flushed_half<H>(r) : r;
    }
};
template <class H>
struct Negate {
    static u16 apply(const u16* in, u32 flags) {
        return (flags & flag_ftz ? flushed_half<H>(in[0]) : in[0]) ^ 0x8000;
    }
};
template <class H>
struct Magnitude {
    static u16 apply(const u16* in, u32 flags) {
        return (flags & flag_ftz ? flushed_half<H>(in[0]) : in[0]) & 0x7fff;
    }
};

template <class F, int Count, bool Packed>
void execute(Warp& warp, const DecodedOp& op, u32 mask) {
    u32* d = row<u32>(warp, op.rows[0]);
    for_each_lane({mask}, [&](int lane) {
        u16 low[Count], high[Count];
        for (int i = 0; i < Count; ++i) {
            u32 word = row<const u32>(warp, op.rows[1 + i])[lane];
            low[i] = static_cast<u16>(word);
            high[i] = static_cast<u16>(word >> 16);
        }
        u32 result = F::apply(low, op.flags);
        if (Packed) result |= u32{F::apply(high, op.flags)} << 16;
        d[lane] = result;
    });
}

#define COMPARISON(Name, expression)                                 \
    struct Name {                                                    \
        static bool apply(double a, double b) { return expression; } \
    };
COMPARISON(Eq, a == b)
COMPARISON(Ne, a == a && b == b && a != b)
COMPARISON(Lt, a < b)
COMPARISON(Le, a <= b)
COMPARISON(Gt, a > b)
COMPARISON(Ge, a >= b)
COMPARISON(EqU, !(a == a && b == b) || a == b)
COMPARISON(NeU, a != b)
COMPARISON(LtU, !(a >= b))
COMPARISON(LeU, !(a > b))
COMPARISON(GtU, !(a <= b))
COMPARISON(GeU, !(a < b))
COMPARISON(Num, a == a && b == b)
COMPARISON(Nan, !(a == a && b == b))

template <class H, class F, bool Ftz>
void compare(Warp& warp, const DecodedOp& op, u32 mask) {
    u32 low = 0, high = 0;
    auto number = [](u32 bits) {
        u16 half = static_cast<u16>(bits);
        return H::number(Ftz ? flushed_half<H>(half) : half);
    };
    for_each_lane({mask}, [&](int lane) {
        u32 a = row<const u32>(warp, op.rows[2])[lane], b = row<const u32>(warp, op.rows[3])[lane];
        low |= u32{F::apply(number(a), number(b))} << lane;
        high |= u32{F::apply(number(a >> 16), number(b >> 16))} << lane;
    });
    finish_comparison(warp, op, mask, low, high);
}

#define BY_TYPE(name, Count, f, b, w, Op16, OpBf)                                                    \
    {name ".f16+", f, execute<Op16, Count, false>}, {name ".f16x2+", w, execute<Op16, Count, true>}, \
        {name ".bf16+", b, execute<OpBf, Count, false>}, {                                           \
        name ".bf16x2+", w, execute<OpBf, Count, true>                                               \
    }
#define COMMA ,
#define ARITHMETIC(name, F, Count, f, b, w) \
    BY_TYPE(name, Count, f, b, w, Arithmetic<F16 COMMA F COMMA Count>, Arithmetic<Bf16 COMMA F COMMA Count>)
#define COMPARE_TYPE(name, type, letters, H, F) \
    {name "." type, letters, compare<H, F, false>}, { name ".ftz." type, letters, compare<H, F, true> }
#define COMPARE(name, F)                                                                \
    COMPARE_TYPE(name, "f16", "hh", F16, F), COMPARE_TYPE(name, "f16x2", "ww", F16, F), \
        COMPARE_TYPE(name, "bf16", "bb", Bf16, F), COMPARE_TYPE(name, "bf16x2", "ww", Bf16, F)

constexpr ExecutorRow half_table[] = {
    ARITHMETIC("add", HalfAdd, 2, "hhh", "bbb", "www"),
    ARITHMETIC("sub", HalfSub, 2, "hhh", "bbb", "www"),
    ARITHMETIC("mul", HalfMul, 2, "hhh", "bbb", "www"),
    ARITHMETIC("fma", HalfFma, 3, "hhhh", "bbbb", "wwww"),
    ARITHMETIC("ex2.approx", HalfExp2, 1, "hh", "bb", "ww"),
    ARITHMETIC("tanh.approx", HalfTanh, 1, "hh", "bb", "ww"),
    BY_TYPE("min", 2, "hhh", "bbb", "www", Extremum<F16 COMMA false>, Extremum<Bf16 COMMA false>),
    BY_TYPE("max", 2, "hhh", "bbb", "www", Extremum<F16 COMMA true>, Extremum<Bf16 COMMA true>),
    BY_TYPE("neg", 1, "hh", "bb", "ww", Negate<F16>, Negate<Bf16>),
    BY_TYPE("abs", 1, "hh", "bb", "ww", Magnitude<F16>, Magnitude<Bf16>),
    COMPARE("eq", Eq),
    COMPARE("ne", Ne),
    COMPARE("lt", Lt),
    COMPARE("le", Le),
    COMPARE("gt", Gt),
    COMPARE("ge", Ge),
    COMPARE("equ", EqU),
    COMPARE("neu", NeU),
    COMPARE("ltu", LtU),
    COMPARE("leu", LeU),
    COMPARE("gtu", GtU),
    COMPARE("geu", GeU),
    COMPARE("num", Num),
    COMPARE("nan", Nan),
};

}  // namespace

ExecutorRows half_rows() { return half_table; }

}  // namespace warplens::simt
