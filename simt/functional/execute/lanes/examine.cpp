// What examines the addresses of loads and stores before them.
#include "simt/functional/execute/lanes/request_addresses.h"
#include "simt/functional/execute/lanes/rows.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

/// Finds for the accesses of `Bytes` that follow, while nothing writes the address, what is Examined. rows,
/// window and flags: those of the accesses.
template <int Bytes, class From>
void examine_addresses(Warp& warp, const DecodedOp& op, u32 mask) {
    Examined& known = *row<Examined>(warp, op.rows[examined_row]);
    known.offsets = 0;
    if (mask != everyone) return;
    // Pairs are of global memory, rows of 4 bytes of shared memory.
    constexpr bool is_word = !From::paired && sizeof(typename From::Word) == 4;
    if (From::paired || (!is_word && op.space == Space::global))
        examine<Bytes>(From(warp, op), ~u64{0}, warp.windows[op.window], known);
    else
        examine<Bytes>(From(warp, op), is_word ? kept_address_bits(op) : ~u64{0},
                       shared_window_of(warp, Bytes), known);
}

/// Whether all lanes of a row have the same word.
inline bool is_uniform(const u32* words) {
    using Words = Vector<u32>;
    const auto* vectors = reinterpret_cast<const Words::type*>(words);
    const Words::type first = Words::type{} + words[0];
    Words::type different{};
    for (int i = 0; i < warp_size / Words::lanes; ++i) different |= vectors[i] ^ first;
    return Words::is_zero(different);
}

/// Whether a half that begins there may need two upper words.
template <int Bytes>
inline bool may_pass_words(u64 first) {
    return static_cast<u32>(first) > ~u32{0} - Bytes * (half_warp - 1);
}

/// Writes a half's addresses to a pair of rows.
template <int Bytes>
inline __attribute__((always_inline)) void write_half(u32* d, Half half) {
    using Words = Vector<u32>;
    const auto* distances = run_distances<u32, Bytes>(half.step);
    const Words::type first = Words::type{} + static_cast<u32>(half.first),
                      upper = Words::type{} + static_cast<u32>(half.first >> 32);
    for (int i = 0; i < half_warp / Words::lanes; ++i) {
        reinterpret_cast<Words::type*>(d)[i] = first + distances[i];
        reinterpret_cast<Words::type*>(d + warp_size)[i] = upper;
    }
}

template <int Bytes>
[[gnu::noinline]] void sum_then_examine(Warp& warp, const DecodedOp& op, u32 mask) {
    op.inner(warp, op, mask);
    examine_addresses<Bytes, AddressPair>(warp, op, mask);
}

/// The sum `inner` of an examined pair, rows[3], and a product of rows[1] and the constant rows[2]; what is
/// known of the pair is at rows[4]. The result is an address that is examined as by examine_addresses, and if
/// all lanes add the same, its halves are those of the pair a step further.
template <int Bytes>
void sum_examined(Warp& warp, const DecodedOp& op, u32 mask) {
    const u32 *a = row<const u32>(warp, op.rows[1]), *b = row<const u32>(warp, op.rows[2]);
    if (mask != everyone) [[unlikely]]
        return sum_then_examine<Bytes>(warp, op, mask);
    const Examined& from = *row<const Examined>(warp, op.rows[4]);
    const u64 step = op.sign_extends ? static_cast<u64>(s64{static_cast<s32>(a[0])} * static_cast<s32>(b[0]))
                                     : u64{a[0]} * b[0];
    const u64 nearest = from.nearest - step, low = from.low.first + step, high = from.high.first + step;
    // With no offset the address is inside, or another allocation may be meant.
    if (!is_uniform(a) || 0 - nearest >= from.offsets || step % Bytes != 0 || may_pass_words<Bytes>(low) ||
        may_pass_words<Bytes>(high)) [[unlikely]]
        return sum_then_examine<Bytes>(warp, op, everyone);
    u32* d = row<u32>(warp, op.rows[0]);
    const Half low_half{low, from.low.step}, high_half{high, from.high.step};
    *row<Examined>(warp, op.rows[examined_row]) = {low_half, high_half, nearest, from.offsets, from.zero};
    write_half<Bytes>(d, low_half);
    write_half<Bytes>(d + half_warp, high_half);
}

// Keys: the bytes of an access, then those of the address row, or of both of a pair.
#define EXAMINE(name, bytes)                                                   \
    {"examine." name "@8", "", examine_addresses<bytes, AddressRow<u64>>},     \
        {"examine." name "@4", "", examine_addresses<bytes, AddressRow<u32>>}, \
        {"examine." name "@4+4", "", examine_addresses<bytes, AddressPair>}, { \
        "examine.sum." name, "", sum_examined<bytes>                           \
    }

constexpr ExecutorRow examination_table[] = {
    EXAMINE("1", 1), EXAMINE("2", 2), EXAMINE("4", 4), EXAMINE("8", 8), EXAMINE("16", 16),
};

}  // namespace

ExecutorRows examination_rows() { return examination_table; }

}  // namespace warplens::simt::WARPLENS_LANES
