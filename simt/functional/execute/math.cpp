// The approximate functions, computed in double precision and rounded once: within the error that the PTX ISA
// allows, with its special results for infinities, zeros and NaN. Also testp and fns.
#include <algorithm>
#include <bit>
#include <cmath>

#include "simt/functional/block/warp.h"
#include "simt/functional/decode/lanewise_flags.h"
#include "simt/functional/execute/float_format.h"
#include "simt/functional/execute/scalar_rows.h"

namespace warplens::simt {

namespace {

float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

struct Exp2 {
    static double apply(double x) { return std::exp2(x); }
};
struct Log2 {
    static double apply(double x) { return std::log2(x); }
};
struct Sine {
    static double apply(double x) { return std::sin(x); }
};
struct Cosine {
    static double apply(double x) { return std::cos(x); }
};
struct Tanh {
    static double apply(double x) { return std::tanh(x); }
};

template <class F, bool Ftz>
void approximate(Warp& warp, const DecodedOp& op, u32 mask) {
    float* d = row<float>(warp, op.rows[0]);
    const float* a = row<const float>(warp, op.rows[1]);
    for_each_lane({mask}, [&](int lane) {
        float x = Ftz ? flushed(a[lane]) : a[lane];
        float r = canonical(static_cast<float>(F::apply(x)));
        d[lane] = Ftz ? flushed(r) : r;
    });
}

struct Finite {
    template <class T>
    static bool apply(T x) {
        return std::isfinite(x);
    }
};
struct Infinite {
    template <class T>
    static bool apply(T x) {
        return std::isinf(x);
    }
};
struct Number {
    template <class T>
    static bool apply(T x) {
        return !std::isnan(x);
    }
};
struct NotANumber {
    template <class T>
    static bool apply(T x) {
        return std::isnan(x);
    }
};
struct Normal {
    template <class T>
    static bool apply(T x) {
        return std::isnormal(x) || x == 0;  // "testp": a zero counts as normal
    }
};
struct Subnormal {
    template <class T>
    static bool apply(T x) {
        return std::fpclassify(x) == FP_SUBNORMAL;
    }
};

template <class T, class F>
void test_property(Warp& warp, const DecodedOp& op, u32 mask) {
    const T* a = row<const T>(warp, op.rows[1]);
    u32 bits = 0;
    for_each_lane({mask}, [&](int lane) { bits |= u32{F::apply(a[lane])} << lane; });
    set_predicate(warp, op.rows[0], mask, bits);
}

/// fns: position of the offset-th set bit of `mask` from `base` on, upwards or downwards.
u32 find_nth_set(u32 bits, u32 base, s32 offset) {
    if (offset == 0) return base < 32 && (bits >> base & 1u) ? base : 0xffffffffu;
    const int step = offset > 0 ? 1 : -1;
    s32 left = offset > 0 ? offset : -offset;
    for (s64 at = base; at >= 0 && at < 32; at += step)
        if (bits >> at & 1u && --left == 0) return static_cast<u32>(at);
    return 0xffffffffu;
}
void find_nth(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        row<u32>(warp, op.rows[0])[lane] =
            find_nth_set(row<const u32>(warp, op.rows[1])[lane], row<const u32>(warp, op.rows[2])[lane],
                         row<const s32>(warp, op.rows[3])[lane]);
    });
}

#define APPROXIMATE(name, F) \
    {name ".approx.f32", "ff", approximate<F, false>}, { name ".approx.ftz.f32", "ff", approximate<F, true> }
#define TEST(name, F)                                        \
    {"testp." name ".f32", "pf", test_property<float, F>}, { \
        "testp." name ".f64", "pD", test_property<double, F> \
    }

/// "mad24": the upper 32 of the product's 48 bits, and a sum that saturates.
void mad24_saturated(Warp& warp, const DecodedOp& op, u32 mask) {
    const auto low = [](u32 x) { return s64{static_cast<s32>(x << 8) >> 8}; };
    for_each_lane({mask}, [&](int lane) {
        const auto source = [&](int slot) { return row<const u32>(warp, op.rows[slot])[lane]; };
        const s64 sum = (low(source(1)) * low(source(2)) >> 16) + static_cast<s32>(source(3));
        row<s32>(warp, op.rows[0])[lane] = static_cast<s32>(std::clamp<s64>(sum, INT32_MIN, INT32_MAX));
    });
}

constexpr ExecutorRow math_table[] = {
    APPROXIMATE("ex2", Exp2),
    APPROXIMATE("lg2", Log2),
    APPROXIMATE("sin", Sine),
    APPROXIMATE("cos", Cosine),
    APPROXIMATE("tanh", Tanh),
    TEST("finite", Finite),
    TEST("infinite", Infinite),
    TEST("number", Number),
    TEST("notanumber", NotANumber),
    TEST("normal", Normal),
    TEST("subnormal", Subnormal),
    {"fns.b32", "wwww", find_nth},
    {"mad24.hi.sat.s32", "wwww", mad24_saturated},
};

}  // namespace

ExecutorRows math_rows() { return math_table; }

}  // namespace warplens::simt
