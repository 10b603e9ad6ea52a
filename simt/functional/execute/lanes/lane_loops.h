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

template <class T>
inline const typename Stored<T>::type* source(Warp& warp, const DecodedOp& op, int slot) {
    return row<const typename Stored<T>::type>(warp, op.rows[slot]);
}

/// d[i] = values[i] for the lanes of the mask.
template <class D>
[[gnu::noinline]] void keep_lanes(u32 mask, D* d, const D* values) {
    for (int i = 0; i < warp_size; ++i) d[i] = ((mask >> i) & 1u) ? values[i] : d[i];
}

/// d[i] = f(i) for the lanes of the mask. `f` must have no side effects: it also runs for the other lanes.
/// Its loop is compiled once for both kinds of mask.
template <class D, class F>
inline __attribute__((always_inline)) void each_lane(u32 mask, D* d, F f) {
    D values[warp_size];
    D* to = mask == 0xffffffffu ? d : values;
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i) to[i] = static_cast<D>(f(i));
    if (to == values) [[unlikely]]
        keep_lanes(mask, d, values);
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
