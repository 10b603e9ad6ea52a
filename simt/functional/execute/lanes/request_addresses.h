// Where the lanes of a memory request access: read from registers, and recognized as two halves of a warp
// that each access one place or a run of places, which a loop over lanes is not needed for.
#pragma once

#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt::WARPLENS_LANES {

constexpr int half_warp = warp_size / 2;

/// 16 lanes that access one place, or consecutive places: as one row of a 16-wide block does.
struct Half {
    u64 first;  // address of its lowest lane
    u32 step;   // from lane to lane: the bytes of an access, or 0

    Half at(u64 offset) const { return {first + offset, step}; }
};

/// What is known of a request's addresses before the operation's offset is added to them: whether they are
/// two such halves, and where these are inside the memory that was looked at.
struct Examined {
    Half low, high;
    u64 nearest;      // with an offset from here on, and fewer than `offsets` further, every lane is inside
    u64 offsets;      // 0: no halves, or nowhere
    std::byte* zero;  // of the memory: where address 0 would be
};

/// Where a request's addresses are: in a row of numbers of type A, to which the operation's offset is added.
template <class A>
struct AddressRow {
    using Word = A;
    static constexpr bool paired = false;
    const A* at;

    AddressRow(Warp& warp, const DecodedOp& op) : at(row<const A>(warp, op.rows[address_row])) {}
};

/// The same of machine code's pairs of registers: the row of the upper words follows that of the lower ones.
struct AddressPair {
    using Word = u32;
    static constexpr bool paired = true;
    const u32* at;

    AddressPair(Warp& warp, const DecodedOp& op) : at(row<const u32>(warp, op.rows[address_row])) {}
};

/// The distances of a half's lanes from its first one, `step` apart.
template <class A, int Bytes>
inline __attribute__((always_inline)) const typename Vector<A>::type* run_distances(A step) {
    alignas(64) static constexpr A table[2 * half_warp] = {
        0,         0,         0,          0,          0,          0,          0,          0,
        0,         0,         0,          0,          0,          0,          0,          0,
        0,         1 * Bytes, 2 * Bytes,  3 * Bytes,  4 * Bytes,  5 * Bytes,  6 * Bytes,  7 * Bytes,
        8 * Bytes, 9 * Bytes, 10 * Bytes, 11 * Bytes, 12 * Bytes, 13 * Bytes, 14 * Bytes, 15 * Bytes};
    return reinterpret_cast<const typename Vector<A>::type*>(table + step * (half_warp / Bytes));
}

/// Whether the addresses of all lanes, without an offset, are two such halves, whose steps it returns. The
/// upper words of pairs must be the same in a half.
template <int Bytes, class From>
inline __attribute__((always_inline)) bool are_halves(const From& from, typename From::Word& low_step,
                                                      typename From::Word& high_step) {
    using A = typename From::Word;
    using Numbers = Vector<A>;
    using V = typename Numbers::type;
    const A* at = from.at;
    low_step = at[1] - at[0];
    high_step = at[half_warp + 1] - at[half_warp];
    if (((low_step | high_step) & ~A{Bytes}) != 0) return false;
    V different{};
    const auto compare = [&](const A* half, const V* distances) {
        const V begin = V{} + half[0];
        for (int i = 0; i < half_warp / Numbers::lanes; ++i)
            different |= reinterpret_cast<const V*>(half)[i] ^ (begin + distances[i]);
    };
    const V* none = run_distances<A, Bytes>(0);
    compare(at, run_distances<A, Bytes>(low_step));
    compare(at + half_warp, run_distances<A, Bytes>(high_step));
    if constexpr (From::paired) {
        compare(at + warp_size, none);
        compare(at + warp_size + half_warp, none);
    }
    return Numbers::is_zero(different);
}

/// The block's own shared memory, as a window for accesses of `bytes`.
inline Window shared_window_of(const Warp& warp, u64 bytes) {
    return {0, warp.shared_bytes < bytes ? 0 : warp.shared_bytes - bytes + 1, warp.shared};
}

/// Compares the addresses of all lanes with two halves, and these with the window. No half passes the largest
/// number. `kept`: the bits of an address that count.
template <int Bytes, class From>
inline __attribute__((always_inline)) void examine(const From& from, u64 kept, const Window& window,
                                                   Examined& to) {
    using A = typename From::Word;
    A low_step, high_step;
    if (!are_halves<Bytes>(from, low_step, high_step)) return;
    const A *at = from.at, low = at[0], high = at[half_warp];
    u64 low_first = low & kept, high_first = high & kept;
    if constexpr (From::paired) {
        low_first |= u64{at[warp_size]} << 32;
        high_first |= u64{at[warp_size + half_warp]} << 32;
    }
    to.low = {low_first, static_cast<u32>(low_step)};
    to.high = {high_first, static_cast<u32>(high_step)};
    const u64 low_last = low_first + low_step * (half_warp - 1),
              high_last = high_first + high_step * (half_warp - 1);
    const u64 first = low_first < high_first ? low_first : high_first;
    const u64 span = (low_last < high_last ? high_last : low_last) - first;
    to.nearest = window.base - first;
    to.zero = window.host - window.base;
    const bool wraps = (at[half_warp - 1] < low) | (at[warp_size - 1] < high);
    if (!wraps && (low | high) % Bytes == 0 && span < window.extent) to.offsets = window.extent - span;
}

/// Notifies observers of a request of halves.
template <int Bytes, Operation operation>
[[gnu::noinline]] void notify_halves(Warp& warp, const DecodedOp& op, const Examined& known) {
    using Numbers = Vector<u64>;
    auto* to = reinterpret_cast<Numbers::type*>(warp.addresses.data());
    const auto write = [&](const Half& half) {
        const auto* distances = run_distances<u64, Bytes>(half.step);
        const u64 first = half.first + op.immediate;
        for (int i = 0; i < half_warp / Numbers::lanes; ++i) *to++ = distances[i] + first;
    };
    write(known.low);
    write(known.high);
    const trace::LaneRuns runs{{known.low.first + op.immediate, known.low.step},
                               {known.high.first + op.immediate, known.high.step}};
    notify_access(warp, op, everyone, op.space, operation, &runs);
}

/// True if every lane of the mask may access `bytes` at its address.
inline bool all_inside(const Warp& warp, u32 mask, u64 base, u64 extent, u64 misaligned_bits) {
    const u64* addresses = warp.addresses.data();
    u64 bad = 0;
    for (int i = 0; i < warp_size; ++i) {
        const u64 on = 0 - static_cast<u64>((mask >> i) & 1u);
        bad |= (static_cast<u64>(addresses[i] - base >= extent) | (addresses[i] & misaligned_bits)) & on;
    }
    return bad == 0;
}

}  // namespace warplens::simt::WARPLENS_LANES
