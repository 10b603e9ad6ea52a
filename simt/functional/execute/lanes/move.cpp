// Copies and the common conversions: mov, cvt between integer types without saturation, to f32 and f64 from
// halves and words, and from f32 to an integral value, in each rounding. Other conversions are in
// ../convert.cpp. `widen` and `narrow` adapt operands whose register is wider than the instruction's type.
#include "simt/functional/execute/lanes/float_values.h"
#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/execute/lanes/rows.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

struct Same {
    template <class T>
    static T apply(T a) {
        return a;
    }
};

void move_predicate(Warp& warp, const DecodedOp& op, u32 mask) {
    set_predicate(warp, op.rows[0], mask, predicate(warp, op.rows[1]));
}

/// A value of type S becomes one of type D, kept in a row with D's extension to 32 bits.
template <class D, class S>
void convert(Warp& warp, const DecodedOp& op, u32 mask) {
    auto* d = row<typename Stored<D>::type>(warp, op.rows[0]);
    auto* a = source<S>(warp, op, 1);
    each_lane(mask, d, [&](int i) { return static_cast<D>(static_cast<S>(a[i])); });
}

// To an integral value.
struct TowardZero {
    static float apply(float a) { return __builtin_truncf(a); }
};
struct Down {
    static float apply(float a) { return __builtin_floorf(a); }
};
struct Up {
    static float apply(float a) { return __builtin_ceilf(a); }
};
struct NearestEven {
    static float apply(float a) { return __builtin_rintf(a); }
};

template <class Round, bool Ftz>
struct Integral {
    static float apply(float a) {
        const float r = Round::apply(input<Ftz>(a));
        return r == r ? r : float_from(canonical_nan_f32);
    }
};

// Out of range clamps, NaN is 0.
template <class Round, bool Ftz>
struct ToSigned {
    static s32 apply(float a) {
        const float x = Round::apply(input<Ftz>(a));
        const float inside = x >= 2147483648.0f ? 0.0f : x <= -2147483648.0f ? 0.0f : x;
        s32 r = static_cast<s32>(inside == inside ? inside : 0.0f);
        r = x >= 2147483648.0f ? 0x7fffffff : r;
        return x <= -2147483648.0f ? -0x7fffffff - 1 : r;
    }
};
template <class Round, bool Ftz>
struct ToUnsigned {
    static u32 apply(float a) {
        const float x = Round::apply(input<Ftz>(a));
        const bool upper = x >= 2147483648.0f, beyond = x >= 4294967296.0f;
        // Vector instructions have conversions to signed words only.
        const float inside = x > 0.0f ? (upper ? x - 2147483648.0f : x) : 0.0f;
        const u32 r = static_cast<u32>(static_cast<s32>(beyond ? 0.0f : inside)) ^ (u32{upper} << 31);
        return beyond ? 0xffffffffu : r;
    }
};

// Exact; an f32 has one NaN.
struct FromHalf {
    static float apply(u32 a) {
        const u32 magnitude = a & 0x7fffu, sign = (a & 0x8000u) << 16;
        const u32 normal = (magnitude << 13) + (112u << 23);
        const u32 small = bits_of(static_cast<float>(static_cast<s32>(magnitude)) * 0x1p-24f);
        const u32 finite = magnitude < 0x400u ? small : normal;
        const u32 number = magnitude < 0x7c00u ? finite : 0x7f800000u;
        return float_from(magnitude > 0x7c00u ? canonical_nan_f32 : number | sign);
    }
};
struct FromBfloat {
    static float apply(u32 a) {
        const u32 bits = a << 16;
        return float_from((bits & 0x7fffffffu) > 0x7f800000u ? canonical_nan_f32 : bits);
    }
};

// How a number that was rounded to nearest is rounded instead; none of its neighbours is 0 or infinite.
struct RoundDown {
    static bool moves(double rounded, double exact) { return rounded > exact; }
    static u32 step(double exact) { return exact < 0 ? 1u : ~0u; }
};
struct RoundUp {
    static bool moves(double rounded, double exact) { return rounded < exact; }
    static u32 step(double exact) { return exact < 0 ? ~0u : 1u; }
};
struct RoundTowardZero {
    static bool moves(double rounded, double exact) { return exact < 0 ? rounded < exact : rounded > exact; }
    static u32 step(double) { return ~0u; }
};

/// Of a word, which a double holds exactly.
template <class S, class Round>
struct FromWord {
    static float apply(S a) {
        const float nearest = static_cast<float>(a);
        const double exact = static_cast<double>(a);
        const u32 moved = bits_of(nearest) + Round::step(exact);
        return Round::moves(static_cast<double>(nearest), exact) ? float_from(moved) : nearest;
    }
};

template <class S>
void convert_to_float(Warp& warp, const DecodedOp& op, u32 mask) {
    auto* d = row<float>(warp, op.rows[0]);
    auto* a = source<S>(warp, op, 1);
    each_lane(mask, d, [&](int i) { return static_cast<float>(s32{static_cast<S>(a[i])}); });
}

struct Narrow64 {
    static float apply(double a) {
        float r = static_cast<float>(a);
        return r == r ? r : float_from(canonical_nan_f32);
    }
};

#define FROM(source, letter, S)                                                                             \
    {"cvt.u8." source, "w" letter, convert<u8, S>}, {"cvt.s8." source, "w" letter, convert<s8, S>},         \
        {"cvt.u16." source, "w" letter, convert<u16, S>}, {"cvt.s16." source, "w" letter, convert<s16, S>}, \
        {"cvt.u32." source, "w" letter, convert<u32, S>}, {"cvt.s32." source, "w" letter, convert<s32, S>}, \
        {"cvt.u64." source, "d" letter, convert<u64, S>}, {                                                 \
        "cvt.s64." source, "d" letter, convert<s64, S>                                                      \
    }
#define MOVE(type, letters, T) \
    { "mov." type, letters, unary<T, T, Same> }
#define ROUND(name, Round, Ftz)                                                    \
    {"cvt." name ".f32.f32", "ff", unary<float, float, Integral<Round, Ftz>>},     \
        {"cvt." name ".s32.f32", "wf", unary<s32, float, ToSigned<Round, Ftz>>}, { \
        "cvt." name ".u32.f32", "wf", unary<u32, float, ToUnsigned<Round, Ftz>>    \
    }

constexpr ExecutorRow move_table[] = {
    {"mov.pred", "pp", move_predicate},
    MOVE("b8", "ww", u32),
    MOVE("u8", "ww", u32),
    MOVE("s8", "ww", u32),
    MOVE("b16", "ww", u32),
    MOVE("u16", "ww", u32),
    MOVE("s16", "ww", u32),
    MOVE("b32", "ww", u32),
    MOVE("u32", "ww", u32),
    MOVE("s32", "ww", u32),
    MOVE("b64", "dd", u64),
    MOVE("u64", "dd", u64),
    MOVE("s64", "dd", u64),
    MOVE("f16", "hh", u32),
    MOVE("bf16", "bb", u32),
    MOVE("f16x2", "ww", u32),
    MOVE("bf16x2", "ww", u32),
    MOVE("f32", "ff", u32),
    MOVE("f64", "DD", u64),
    FROM("u8", "w", u8),
    FROM("s8", "w", s8),
    FROM("u16", "w", u16),
    FROM("s16", "w", s16),
    FROM("u32", "w", u32),
    FROM("s32", "w", s32),
    FROM("u64", "d", u64),
    FROM("s64", "d", s64),
    {"cvt.f32.f16", "fh", unary<float, u32, FromHalf>},
    {"cvt.f32.bf16", "fb", unary<float, u32, FromBfloat>},
    {"cvt.f32.s8", "fw", convert_to_float<s8>},
    {"cvt.f32.u8", "fw", convert_to_float<u8>},
    {"cvt.f32.s16", "fw", convert_to_float<s16>},
    {"cvt.f32.u16", "fw", convert_to_float<u16>},
    {"cvt.f32.s32", "fw", unary<float, s32, Same>},
    {"cvt.f32.u32", "fw", unary<float, u32, Same>},
    {"cvt.f64.s32", "Dw", unary<double, s32, Same>},
    {"cvt.f64.u32", "Dw", unary<double, u32, Same>},
    {"cvt.f64.f32", "Df", unary<double, float, Same>},
    {"cvt.f32.f64", "fD", unary<float, double, Narrow64>},
    {"cvt.rm.f32.s32", "fw", unary<float, s32, FromWord<s32, RoundDown>>},
    {"cvt.rm.f32.u32", "fw", unary<float, u32, FromWord<u32, RoundDown>>},
    {"cvt.rp.f32.s32", "fw", unary<float, s32, FromWord<s32, RoundUp>>},
    {"cvt.rp.f32.u32", "fw", unary<float, u32, FromWord<u32, RoundUp>>},
    {"cvt.rz.f32.s32", "fw", unary<float, s32, FromWord<s32, RoundTowardZero>>},
    {"cvt.rz.f32.u32", "fw", unary<float, u32, FromWord<u32, RoundTowardZero>>},
    ROUND("rzi", TowardZero, false),
    ROUND("rni", NearestEven, false),
    ROUND("rmi", Down, false),
    ROUND("ftz.rmi", Down, true),
    ROUND("rpi", Up, false),
    ROUND("ftz.rpi", Up, true),
    {"narrow", "wd", convert<u32, u64>},
    {"widen.u", "dw", convert<u64, u32>},
    {"widen.s", "dw", convert<s64, s32>},
};

}  // namespace

ExecutorRows move_rows() { return move_table; }

}  // namespace warplens::simt::WARPLENS_LANES
