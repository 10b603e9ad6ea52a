// f32 and f64 arithmetic, rounded to nearest: "PTX ISA: Floating Point Instructions". Directed roundings are
// in ../rounding.cpp, special functions in ../math.cpp, f16 and bf16 in ../half.cpp.
#include "simt/functional/execute/lanes/float_values.h"
#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/execute/lanes/rows.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

struct Plus {
    template <class T>
    static T raw(T a, T b) {
        return a + b;
    }
};
struct Minus {
    template <class T>
    static T raw(T a, T b) {
        return a - b;
    }
};
struct Times {
    template <class T>
    static T raw(T a, T b) {
        return a * b;
    }
};
struct Quotient {
    template <class T>
    static T raw(T a, T b) {
        return a / b;
    }
};
struct FusedMultiplyAdd {
    static float raw(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
    static double raw(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct SquareRoot {
    static float raw(float a) { return __builtin_sqrtf(a); }
    static double raw(double a) { return __builtin_sqrt(a); }
};
struct Reciprocal {
    template <class T>
    static T raw(T a) {
        return T{1} / a;
    }
};
struct ReciprocalRoot {
    static float raw(float a) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))); }
    static double raw(double a) { return 1.0 / __builtin_sqrt(a); }
};

/// F with PTX's treatment of inputs and results.
template <class F, bool Ftz = false, bool Sat = false>
struct F32 {
    static float apply(float a) { return result<Ftz, Sat>(F::raw(input<Ftz>(a))); }
    static float apply(float a, float b) { return result<Ftz, Sat>(F::raw(input<Ftz>(a), input<Ftz>(b))); }
    static float apply(float a, float b, float c) {
        return result<Ftz, Sat>(F::raw(input<Ftz>(a), input<Ftz>(b), input<Ftz>(c)));
    }
};
template <class F>
struct F64 {
    static double apply(double a) { return propagate(F::raw(a), a, a, a); }
    static double apply(double a, double b) { return propagate(F::raw(a, b), a, b, b); }
    static double apply(double a, double b, double c) { return propagate(F::raw(a, b, c), a, b, c); }
};

/// Minimum or maximum; -0 is less than +0; of a NaN and a number the result is the number, with `Nan` the
/// NaN.
template <bool Max, bool Ftz, bool Nan>
struct Extremum {
    static float apply(float a, float b) {
        a = input<Ftz>(a);
        b = input<Ftz>(b);
        u32 signs = Max ? bits_of(a) & bits_of(b) : bits_of(a) | bits_of(b);
        float r = a == b ? float_from((bits_of(a) & 0x7fffffffu) | (signs & 0x80000000u))
                         : ((Max ? a > b : a < b) ? a : b);
        bool a_nan = a != a, b_nan = b != b;
        r = a_nan ? b : b_nan ? a : r;
        bool nan = Nan ? a_nan | b_nan : a_nan & b_nan;
        return nan ? float_from(canonical_nan_f32) : r;
    }
    static double apply(double a, double b) {
        u64 signs = Max ? bits_of(a) & bits_of(b) : bits_of(a) | bits_of(b);
        constexpr u64 sign = 0x8000000000000000ull;
        double r =
            a == b ? double_from((bits_of(a) & ~sign) | (signs & sign)) : ((Max ? a > b : a < b) ? a : b);
        bool a_nan = a != a, b_nan = b != b;
        r = a_nan ? b : b_nan ? a : r;
        return (a_nan & b_nan) ? propagate(r, a, b, b) : r;
    }
};
template <bool Max>
struct ExtremumByMagnitude {  // .xorsign.abs
    static float apply(float a, float b) {
        u32 sign = (bits_of(a) ^ bits_of(b)) & 0x80000000u;
        float r = Extremum<Max, false, false>::apply(float_from(bits_of(a) & 0x7fffffffu),
                                                     float_from(bits_of(b) & 0x7fffffffu));
        return float_from(bits_of(r) | sign);
    }
};
template <bool Ftz>
struct Negate {
    static float apply(float a) { return float_from(bits_of(input<Ftz>(a)) ^ 0x80000000u); }
    static double apply(double a) { return double_from(bits_of(a) ^ 0x8000000000000000ull); }
};
template <bool Ftz>
struct Magnitude {
    static float apply(float a) { return float_from(bits_of(input<Ftz>(a)) & 0x7fffffffu); }
    static double apply(double a) { return double_from(bits_of(a) & 0x7fffffffffffffffull); }
};
struct CopySign {  // the sign of a, the magnitude of b
    static float apply(float a, float b) {
        return float_from((bits_of(a) & 0x80000000u) | (bits_of(b) & 0x7fffffffu));
    }
    static double apply(double a, double b) {
        return double_from((bits_of(a) & 0x8000000000000000ull) | (bits_of(b) & 0x7fffffffffffffffull));
    }
};
/// div.approx is a * (1/b): above 2^126 the reciprocal is a flushed subnormal.
struct ApproximateQuotient {
    static float raw(float a, float b) {
        u32 magnitude = bits_of(b) & 0x7fffffffu;
        bool beyond = magnitude > 0x7e800000u && magnitude < 0x7f800000u;
        float zero = float_from((bits_of(a) ^ bits_of(b)) & 0x80000000u);
        bool infinite = (bits_of(a) & 0x7fffffffu) >= 0x7f800000u;
        return beyond ? (infinite ? float_from(canonical_nan_f32) : zero) : a / b;
    }
};
/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read and return only the upper 32 bits.
template <class F>
struct UpperHalf {
    static double apply(double a) {
        u64 in = bits_of(a) & 0xffffffff00000000ull;
        if ((in & 0x7ff0000000000000ull) == 0) in &= 0x8000000000000000ull;
        double r = F::raw(double_from(in));
        u64 out = bits_of(r);
        if ((out & 0x7ff0000000000000ull) == 0) out &= 0x8000000000000000ull;
        if (r != r || a != a) out = 0x7fffffff00000000ull;
        return double_from(out & 0xffffffff00000000ull);
    }
};

#define F32_ROWS(name, before, letters, F, shape)                             \
    {name "." before "f32", letters, shape<float, float, F32<F>>}, {          \
        name "." before "ftz.f32", letters, shape<float, float, F32<F, true>> \
    }
// `sat` sorts after `ftz` in a key
#define F32_SAT_ROWS(name, letters, F, shape)                                   \
    F32_ROWS(name, "", letters, F, shape),                                      \
        {name ".sat.f32", letters, shape<float, float, F32<F, false, true>>}, { \
        name ".ftz.sat.f32", letters, shape<float, float, F32<F, true, true>>   \
    }

constexpr ExecutorRow float_table[] = {
    F32_SAT_ROWS("add", "fff", Plus, binary),
    F32_SAT_ROWS("sub", "fff", Minus, binary),
    F32_SAT_ROWS("mul", "fff", Times, binary),
    F32_SAT_ROWS("fma", "ffff", FusedMultiplyAdd, ternary),
    F32_SAT_ROWS("mad", "ffff", FusedMultiplyAdd, ternary),
    F32_ROWS("div", "", "fff", Quotient, binary),
    {"div.full.f32", "fff", binary<float, float, F32<Quotient>>},
    {"div.ftz.full.f32", "fff", binary<float, float, F32<Quotient, true>>},
    F32_ROWS("div", "approx.", "fff", ApproximateQuotient, binary),
    F32_ROWS("rcp", "", "ff", Reciprocal, unary),
    F32_ROWS("rcp", "approx.", "ff", Reciprocal, unary),
    F32_ROWS("sqrt", "", "ff", SquareRoot, unary),
    F32_ROWS("sqrt", "approx.", "ff", SquareRoot, unary),
    F32_ROWS("rsqrt", "approx.", "ff", ReciprocalRoot, unary),
    {"min.f32", "fff", binary<float, float, Extremum<false, false, false>>},
    {"min.ftz.f32", "fff", binary<float, float, Extremum<false, true, false>>},
    {"min.NaN.f32", "fff", binary<float, float, Extremum<false, false, true>>},
    {"min.NaN.ftz.f32", "fff", binary<float, float, Extremum<false, true, true>>},
    {"min.abs.xorsign.f32", "fff", binary<float, float, ExtremumByMagnitude<false>>},
    {"max.f32", "fff", binary<float, float, Extremum<true, false, false>>},
    {"max.ftz.f32", "fff", binary<float, float, Extremum<true, true, false>>},
    {"max.NaN.f32", "fff", binary<float, float, Extremum<true, false, true>>},
    {"max.NaN.ftz.f32", "fff", binary<float, float, Extremum<true, true, true>>},
    {"max.abs.xorsign.f32", "fff", binary<float, float, ExtremumByMagnitude<true>>},
    {"neg.f32", "ff", unary<float, float, Negate<false>>},
    {"neg.ftz.f32", "ff", unary<float, float, Negate<true>>},
    {"abs.f32", "ff", unary<float, float, Magnitude<false>>},
    {"abs.ftz.f32", "ff", unary<float, float, Magnitude<true>>},
    {"copysign.f32", "fff", binary<float, float, CopySign>},
    {"add.f64", "DDD", binary<double, double, F64<Plus>>},
    {"sub.f64", "DDD", binary<double, double, F64<Minus>>},
    {"mul.f64", "DDD", binary<double, double, F64<Times>>},
    {"fma.f64", "DDDD", ternary<double, double, F64<FusedMultiplyAdd>>},
    {"mad.f64", "DDDD", ternary<double, double, F64<FusedMultiplyAdd>>},
    {"div.f64", "DDD", binary<double, double, F64<Quotient>>},
    {"rcp.f64", "DD", unary<double, double, F64<Reciprocal>>},
    {"rcp.approx.ftz.f64", "DD", unary<double, double, UpperHalf<Reciprocal>>},
    {"sqrt.f64", "DD", unary<double, double, F64<SquareRoot>>},
    {"rsqrt.approx.f64", "DD", unary<double, double, F64<ReciprocalRoot>>},
    {"rsqrt.approx.ftz.f64", "DD", unary<double, double, UpperHalf<ReciprocalRoot>>},
    {"min.f64", "DDD", binary<double, double, Extremum<false, false, false>>},
    {"max.f64", "DDD", binary<double, double, Extremum<true, false, false>>},
    {"neg.f64", "DD", unary<double, double, Negate<false>>},
    {"abs.f64", "DD", unary<double, double, Magnitude<false>>},
    {"copysign.f64", "DDD", binary<double, double, CopySign>},
};

}  // namespace

ExecutorRows float_rows() { return float_table; }

}  // namespace warplens::simt::WARPLENS_LANES
