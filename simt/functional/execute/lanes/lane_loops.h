// The loops of all lane-wise executors. The files of this folder are compiled once for each vector
// instruction set, each time in a separate namespace. They must not use inline functions of the standard
// library, or the linker could keep a copy that only newer machines can execute. Results do not depend on the
// variant: no contraction, no reassociation.
#pragma once

#include "simt/functional/block/warp.h"
#include "simt/functional/execute/executor_table.h"

#ifndef WARPLENS_LANES
#define WARPLENS_LANES lanes_baseline
#endif

namespace warplens::simt::WARPLENS_LANES {

/// How a row stores a value of type T.
template <class T>
struct Stored {
    using type = u32;  // 8 and 16 bits: upper bits are ignored when read, sign- or zero-extended when written
};
template <>
struct Stored<u64> {
    using type = u64;
};
template <>
struct Stored<s64> {
    using type = u64;
};
template <>
struct Stored<float> {
    using type = float;
};
template <>
struct Stored<double> {
    using type = double;
};

/// Of as many bytes.
template <int bytes>
struct Unsigned {
    using type = u32;
};
template <>
struct Unsigned<8> {
    using type = u64;
};

template <class T>
inline const typename Stored<T>::type* source(Warp& warp, const DecodedOp& op, int slot) {
    return row<const typename Stored<T>::type>(warp, op.rows[slot]);
}

constexpr u32 everyone = 0xffffffffu;

#ifdef __AVX512F__
constexpr int vector_bytes = 64;
#else
constexpr int vector_bytes = 32;
#endif

/// As many numbers of type A as have `vector_bytes`. A loop over lanes of a half warp would be unrolled
/// instead of being vectorised.
template <class A>
struct Vector {
    typedef A type __attribute__((vector_size(vector_bytes)));
    static constexpr int lanes = vector_bytes / sizeof(A);

    static inline __attribute__((always_inline)) bool is_zero(const type& x) {
#ifdef __AVX512F__
        typedef int Words __attribute__((vector_size(vector_bytes)));
        const Words words = reinterpret_cast<const Words&>(x);
        return __builtin_ia32_ptestmd512(words, words, 0xffff) == 0;
#else
        typedef long long Words __attribute__((vector_size(vector_bytes)));
        const Words words = reinterpret_cast<const Words&>(x);
#ifdef __AVX__
        return __builtin_ia32_ptestz256(words, words) != 0;
#else
        return (words[0] | words[1] | words[2] | words[3]) == 0;
#endif
#endif
    }
};

/// d[i] = values[i] for the lanes of the mask. Both are aligned to 64 bytes.
template <class D>
[[gnu::noinline]] void keep_lanes(u32 mask, D* d, const D* values) {
    using Number = typename Unsigned<sizeof(D)>::type;
    using V = typename Vector<Number>::type;
    constexpr int lanes = Vector<Number>::lanes;
    V bits;
    for (int i = 0; i < lanes; ++i) bits[i] = Number{1} << i;
    auto* to = reinterpret_cast<V*>(d);
    const auto* from = reinterpret_cast<const V*>(values);
    for (int i = 0; i < warp_size / lanes; ++i) {
        const V chosen = (V{} + Number{mask >> i * lanes}) & bits;
        to[i] = chosen != 0 ? from[i] : to[i];
    }
}

/// Bit i for lane i, as wide as the numbers that it chooses among: so that choosing is vectorised.
template <class Number>
struct LaneBits {
    alignas(64) Number of[warp_size];
};
template <class Number>
constexpr LaneBits<Number> lane_bits = [] {
    LaneBits<Number> table{};
    for (int lane = 0; lane < warp_size; ++lane) table.of[lane] = Number{1} << lane;
    return table;
}();

/// d[i] = f(i) for the lanes of the mask. `f` must have no side effects: it also runs for the other lanes.
/// Whole warps have a loop of their own, which needs no second row.
template <class D, class F>
inline __attribute__((always_inline)) void each_lane(u32 mask, D* d, F f) {
    if (mask == everyone) [[likely]] {
#pragma GCC ivdep
        for (int i = 0; i < warp_size; ++i) d[i] = static_cast<D>(f(i));
        return;
    }
    using Number = typename Unsigned<sizeof(D)>::type;
    const Number lanes = mask;
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i) {
        const Number chosen = (lanes & lane_bits<Number>.of[i]) != 0 ? ~Number{0} : Number{0},
                     value = __builtin_bit_cast(Number, static_cast<D>(f(i))),
                     before = __builtin_bit_cast(Number, d[i]);
        d[i] = __builtin_bit_cast(D, (value & chosen) | (before & ~chosen));
    }
}

/// R is the result's type, T the sources'; F is stateless.
template <class R, class T, class F>
void unary(Warp& warp, const DecodedOp& op, u32 mask) {
    auto* d = row<typename Stored<R>::type>(warp, op.rows[0]);
    auto* a = source<T>(warp, op, 1);
    each_lane(mask, d, [&](int i) { return static_cast<R>(F::apply(static_cast<T>(a[i]))); });
}

template <class R, class T, class F, class T2 = T>
void binary(Warp& warp, const DecodedOp& op, u32 mask) {
    auto* d = row<typename Stored<R>::type>(warp, op.rows[0]);
    auto* a = source<T>(warp, op, 1);
    auto* b = source<T2>(warp, op, 2);
    each_lane(mask, d,
              [&](int i) { return static_cast<R>(F::apply(static_cast<T>(a[i]), static_cast<T2>(b[i]))); });
}

template <class R, class T, class F, class T2 = T, class T3 = R>
void ternary(Warp& warp, const DecodedOp& op, u32 mask) {
    auto* d = row<typename Stored<R>::type>(warp, op.rows[0]);
    auto* a = source<T>(warp, op, 1);
    auto* b = source<T2>(warp, op, 2);
    auto* c = source<T3>(warp, op, 3);
    each_lane(mask, d, [&](int i) {
        return static_cast<R>(F::apply(static_cast<T>(a[i]), static_cast<T2>(b[i]), static_cast<T3>(c[i])));
    });
}

template <class R, class T, class F>
void quaternary(Warp& warp, const DecodedOp& op, u32 mask) {
    auto* d = row<typename Stored<R>::type>(warp, op.rows[0]);
    auto* a = source<T>(warp, op, 1);
    auto* b = source<T>(warp, op, 2);
    auto* c = source<u32>(warp, op, 3);
    auto* e = source<u32>(warp, op, 4);
    each_lane(mask, d, [&](int i) {
        return static_cast<R>(F::apply(static_cast<T>(a[i]), static_cast<T>(b[i]), c[i], e[i]));
    });
}

}  // namespace warplens::simt::WARPLENS_LANES
