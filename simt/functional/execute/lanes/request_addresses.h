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
        // Evaluated as one: a request outside is rare.
        return (u32{from < extent} & u32{extent - from > span} & u32{first % Bytes == 0}) != 0;
    }
};
struct Halves {
    Half low, high;

    template <int Bytes>
    inline __attribute__((always_inline)) bool inside(u64 base, u64 extent) const {
        return (u32{low.inside<Bytes>(base, extent)} & u32{high.inside<Bytes>(base, extent)}) != 0;
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

/// As many numbers of type A as have 32 bytes. A loop over lanes of a half warp would be unrolled instead of
/// being vectorised.
template <class A>
struct Vector {
    typedef A type __attribute__((vector_size(32)));
    static constexpr int lanes = 32 / sizeof(A);

    /// Of a half's lanes from lane `from` on: its address when lane 0 has `first`, and lanes are Bytes apart
    /// or, where `grows` is 0 instead of all ones, at one place.
    template <int Bytes>
    static inline __attribute__((always_inline)) void set_run(type& to, A first, A grows, int from) {
        type distances;
        if constexpr (lanes == 8) distances = type{0, 1, 2, 3, 4, 5, 6, 7} * Bytes;
        else distances = type{0, 1, 2, 3} * Bytes;
        to = ((distances + static_cast<A>(from * Bytes)) & grows) + first;
    }
    static inline __attribute__((always_inline)) bool is_zero(const type& x) {
        typedef long long Words __attribute__((vector_size(32)));
        const Words words = reinterpret_cast<const Words&>(x);
#ifdef __AVX__
        return __builtin_ia32_ptestz256(words, words) != 0;
#else
        return (words[0] | words[1] | words[2] | words[3]) == 0;
#endif
    }
};

/// True if the request of all lanes consists of two such halves; then checking their bounds suffices. The
/// upper words of pairs must be the same in a half, and the lower ones not carry into them.
template <int Bytes, class From>
inline __attribute__((always_inline)) bool in_halves(const From& from, Halves& to) {
    using A = typename From::Word;
    using Numbers = Vector<A>;
    using V = typename Numbers::type;
    const A* at = from.at;
    const A low = at[0], high = at[half_warp];
    const A low_step = at[1] - low, high_step = at[half_warp + 1] - high;
    if ((low_step != 0 && low_step != Bytes) || (high_step != 0 && high_step != Bytes)) return false;
    const A low_grows = low_step == 0 ? 0 : ~A{0}, high_grows = high_step == 0 ? 0 : ~A{0};
    V different{}, expected;
    for (int i = 0; i < half_warp; i += Numbers::lanes) {
        const auto compare = [&](const A* with) {
            different |= *reinterpret_cast<const V*>(with + i) ^ expected;
        };
        Numbers::template set_run<Bytes>(expected, low, low_grows, i);
        compare(at);
        Numbers::template set_run<Bytes>(expected, high, high_grows, i);
        compare(at + half_warp);
        if constexpr (From::paired) {
            const A* upper = at + warp_size;
            expected = V{} + upper[0];
            compare(upper);
            expected = V{} + upper[half_warp];
            compare(upper + half_warp);
        }
    }
    to.low = {from.of(0), low_step != 0};
    to.high = {from.of(half_warp), high_step != 0};
    const bool carries = From::paired && ((at[half_warp - 1] < low) | (at[warp_size - 1] < high));
    return Numbers::is_zero(different) && !carries;
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

/// Fills warp.addresses of a request of halves, for observers.
template <int Bytes>
inline __attribute__((always_inline)) void write_addresses(Warp& warp, const Halves& halves) {
    using Numbers = Vector<u64>;
    const auto write = [&](const Half& half, u64* to) {
        const u64 grows = half.contiguous ? ~u64{0} : 0;
        for (int i = 0; i < half_warp; i += Numbers::lanes)
            Numbers::set_run<Bytes>(*reinterpret_cast<Numbers::type*>(to + i), half.first, grows, i);
    };
    write(halves.low, warp.addresses.data());
    write(halves.high, warp.addresses.data() + half_warp);
}

/// Fills warp.addresses of a request of another form.
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
