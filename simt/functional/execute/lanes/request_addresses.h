// Where the lanes of a memory request access: read from registers, and recognized as two halves of a warp
// that each access one place or a run of places, which a loop over lanes is not needed for.
#pragma once

#include "simt/functional/execute/lanes/lane_loops.h"

namespace warplens::simt::WARPLENS_LANES {

constexpr u32 everyone = 0xffffffffu;
constexpr int half_warp = warp_size / 2;

/// 16 lanes that access one place, or consecutive places: as one row of a 16-wide block does.
struct Half {
    u64 first;  // address of its lowest lane
    bool contiguous;

    template <int Bytes>
    inline __attribute__((always_inline)) bool inside(u64 base, u64 extent) const {
        const u64 from = first - base;
        const u64 span = contiguous ? (half_warp - 1) * Bytes : 0;
        return from < extent && extent - from > span && first % Bytes == 0;
    }
};
struct Halves {
    Half low, high;

    template <int Bytes>
    inline __attribute__((always_inline)) bool inside(u64 base, u64 extent) const {
        return low.inside<Bytes>(base, extent) && high.inside<Bytes>(base, extent);
    }
};

/// Where a request's addresses are: in a row of numbers of type A, to which the operation's offset is added.
template <class A>
struct AddressRow {
    using Word = A;
    static constexpr bool paired = false;
    const A* at;
    A offset;

    AddressRow(Warp& warp, const DecodedOp& op)
        : at(row<const A>(warp, op.rows[address_row])), offset(static_cast<A>(op.immediate)) {}
    u64 of(int lane) const { return static_cast<A>(at[lane] + offset); }
};

/// The same of machine code's pairs of registers: the row of the upper words follows that of the lower ones.
/// An access with flags 0 keeps what it finds in rows[address_row + 1]; one with 1, whose pair is unchanged
/// since, takes it from there.
struct AddressPair {
    using Word = u32;
    static constexpr bool paired = true;
    const u32* at;
    u64 offset;

    AddressPair(Warp& warp, const DecodedOp& op)
        : at(row<const u32>(warp, op.rows[address_row])), offset(op.immediate) {}
    u64 of(int lane) const { return (at[lane] | u64{at[lane + warp_size]} << 32) + offset; }
};

/// True if the request of all lanes consists of two such halves; then checking their bounds suffices. The
/// upper words of pairs must be the same in a half, and the lower ones not carry into them.
template <int Bytes, class From>
inline __attribute__((always_inline)) bool in_halves(const From& from, Halves& to) {
    using A = typename From::Word;
    const A* at = from.at;
    const A low = at[0], high = at[half_warp];
    const A low_step = at[1] - low, high_step = at[half_warp + 1] - high;
    if ((low_step != 0 && low_step != Bytes) || (high_step != 0 && high_step != Bytes)) return false;
    const A low_grows = low_step == 0 ? 0 : ~A{0}, high_grows = high_step == 0 ? 0 : ~A{0};
    A different = 0;
    for (int i = 0; i < warp_size; ++i) {  // one loop over both halves: this length vectorises
        const A distance = static_cast<A>(i % half_warp * Bytes);
        different |= at[i] ^ static_cast<A>((i < half_warp ? low : high) +
                                            (distance & (i < half_warp ? low_grows : high_grows)));
    }
    if constexpr (From::paired) {
        const A *upper = at + warp_size, low_upper = upper[0], high_upper = upper[half_warp];
        for (int i = 0; i < warp_size; ++i) different |= upper[i] ^ (i < half_warp ? low_upper : high_upper);
        different |= static_cast<A>((at[half_warp - 1] < low) | (at[warp_size - 1] < high));
    }
    to.low = {from.of(0), low_step != 0};
    to.high = {from.of(half_warp), high_step != 0};
    return different == 0;
}

template <int Bytes, class A>
inline __attribute__((always_inline)) bool find_halves(Warp&, const DecodedOp&, u32 mask,
                                                       const AddressRow<A>& from, Halves& to) {
    return mask == everyone && in_halves<Bytes>(from, to);
}

struct KnownHalves {
    Halves halves;  // without the operation's offset
    bool found;
};

template <int Bytes>
inline __attribute__((always_inline)) bool find_halves(Warp& warp, const DecodedOp& op, u32 mask,
                                                       AddressPair from, Halves& to) {
    KnownHalves& known = *row<KnownHalves>(warp, op.rows[address_row + 1]);
    if (op.flags == 0) {
        from.offset = 0;
        known.found = mask == everyone && in_halves<Bytes>(from, known.halves);
    }
    to = known.halves;
    to.low.first += op.immediate;
    to.high.first += op.immediate;
    return known.found && mask == everyone;
}

/// Fills warp.addresses, for observers and for requests of other forms.
template <class From>
[[gnu::noinline]] void expand(Warp& warp, const DecodedOp& op) {
    const From from(warp, op);
    u64* addresses = warp.addresses.data();
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i) addresses[i] = from.of(i);
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
