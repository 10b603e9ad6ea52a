// Loads and stores of shared and global memory for requests whose addresses are all valid: computed, checked
// and copied in vector loops. Other requests use load_checked and store_checked.
#include "simt/functional/execute/lanes/request_addresses.h"
#include "simt/functional/execute/lanes/rows.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

template <class W>
inline W fetch(const std::byte* from) {
    W word;
    __builtin_memcpy(&word, from, sizeof(W));
    return word;
}

// Rows are read and written in the vectors that other operations have for them: a row that was written in
// smaller pieces makes the next operation wait for its stores. Loops of 16 are unrolled before they could be
// vectorised, unless that is forbidden.

/// What lanes of a half read, N words W each lane, of which `from` has the one for d.
template <class W, int N, class Container>
inline __attribute__((always_inline)) void copy_half_in(Container* d, bool contiguous,
                                                        const std::byte* from) {
    if (contiguous) {
#pragma GCC ivdep
#pragma GCC unroll 1
        for (int i = 0; i < half_warp; ++i) d[i] = static_cast<Container>(fetch<W>(from + i * N * sizeof(W)));
    } else {
        const W one = fetch<W>(from);
#pragma GCC unroll 1
        for (int i = 0; i < half_warp; ++i) d[i] = static_cast<Container>(one);
    }
}

template <class W, int N>
inline __attribute__((always_inline)) void copy_halves_in(Warp& warp, const DecodedOp& op, Half low,
                                                          Half high, const std::byte* zero) {
    for (u64 j = 0; j < N; ++j) {
        auto* d = row<typename Stored<W>::type>(warp, op.rows[j]);
        copy_half_in<W, N>(d, low.step != 0, zero + low.first + j * sizeof(W));
        copy_half_in<W, N>(d + half_warp, high.step != 0, zero + high.first + j * sizeof(W));
    }
}

template <class W>
inline void put(std::byte* to, W word) {
    __builtin_memcpy(to, &word, sizeof(W));
}

/// If all lanes write one place, the highest lane's value remains.
template <class W, int N, class Container>
inline __attribute__((always_inline)) void copy_half_out(const Container* d, bool contiguous, std::byte* to) {
    if (contiguous) {
#pragma GCC ivdep
#pragma GCC unroll 1
        for (int i = 0; i < half_warp; ++i) put(to + i * N * sizeof(W), static_cast<W>(d[i]));
    } else {
        put(to, static_cast<W>(d[half_warp - 1]));
    }
}

template <class W, int N>
inline __attribute__((always_inline)) void copy_halves_out(Warp& warp, const DecodedOp& op, Half low,
                                                           Half high, std::byte* zero) {
    for (u64 j = 0; j < N; ++j) {
        const auto* d = row<const typename Stored<W>::type>(warp, op.rows[j]);
        copy_half_out<W, N>(d, low.step != 0, zero + low.first + j * sizeof(W));
        copy_half_out<W, N>(d + half_warp, high.step != 0, zero + high.first + j * sizeof(W));
    }
}

/// What all lanes read at `from` + addresses[lane], as copy_half_in. A vector is put together in a register.
template <class W, class Container>
inline __attribute__((always_inline)) void gather(Container* d, const u64* addresses, const std::byte* from) {
    using V = typename Vector<Container>::type;
    constexpr int lanes = Vector<Container>::lanes;
    for (int i = 0; i < warp_size; i += lanes) {
        V words;
#pragma GCC unroll 16
        for (int k = 0; k < lanes; ++k) words[k] = static_cast<Container>(fetch<W>(from + addresses[i + k]));
        *reinterpret_cast<V*>(d + i) = words;
    }
}

template <class W, int N>
inline void copy_in(Warp& warp, const DecodedOp& op, u32 mask, const std::byte* zero) {
    using Container = typename Stored<W>::type;
    const u64* addresses = warp.addresses.data();
    if (mask == everyone) {
        for (u64 j = 0; j < N; ++j)
            gather<W>(row<Container>(warp, op.rows[j]), addresses, zero + j * sizeof(W));
        return;
    }
    for (u32 rest = mask; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        const std::byte* from = zero + addresses[i];
        for (int j = 0; j < N; ++j)
            row<Container>(warp, op.rows[j])[i] = static_cast<Container>(fetch<W>(from + j * sizeof(W)));
    }
}

template <class W, int N>
inline void copy_out(Warp& warp, const DecodedOp& op, u32 mask, std::byte* zero) {
    using Container = typename Stored<W>::type;
    const u64* addresses = warp.addresses.data();
    auto copy = [&](int i) {
        std::byte* to = zero + addresses[i];
        for (int j = 0; j < N; ++j) {
            const W word = static_cast<W>(row<const Container>(warp, op.rows[j])[i]);
            __builtin_memcpy(to + j * sizeof(W), &word, sizeof word);
        }
    };
    if (mask == everyone) {
        for (int i = 0; i < warp_size; ++i) copy(i);
    } else {
        for (u32 rest = mask; rest != 0; rest &= rest - 1) copy(__builtin_ctz(rest));
    }
}

/// One flag of one byte for each byte of the block's shared memory: whether it has been stored to.
template <int Bytes>
inline bool all_written(const Warp& warp, u32 mask) {
    u8 missing[Bytes] = {};
    const auto look = [&](int lane) {
        const u8* flags = warp.shared_written + warp.addresses[static_cast<u64>(lane)];
        for (int i = 0; i < Bytes; ++i) missing[i] |= flags[i] ^ 1u;
    };
    if (mask == everyone) {
#pragma GCC unroll 1
        for (int lane = 0; lane < warp_size; ++lane) look(lane);
    } else {
        for (u32 rest = mask; rest != 0; rest &= rest - 1) look(__builtin_ctz(rest));
    }
    u8 any = 0;
    for (int i = 0; i < Bytes; ++i) any |= missing[i];
    return any == 0;
}

template <int Bytes>
inline bool half_written(const Warp& warp, Half half) {
    const u8* at = warp.shared_written + half.first;
    u8 missing = 0;
    if (half.step != 0) {
        for (int i = 0; i < half_warp * Bytes; ++i) missing |= at[i] ^ 1u;
    } else {
        for (int i = 0; i < Bytes; ++i) missing |= at[i] ^ 1u;
    }
    return missing == 0;
}

template <int Bytes>
inline void mark_written(Warp& warp, u64 address) {
    u8* at = warp.shared_written + address;
    u32 fresh = 0;
    for (int i = 0; i < Bytes; ++i) {
        fresh += at[i] ^ 1u;
        at[i] = 1;
    }
    *warp.shared_unwritten -= fresh;
}

template <int Bytes>
inline void mark_half(Warp& warp, Half half) {
    if (half.step != 0) mark_written<half_warp * Bytes>(warp, half.first);
    else mark_written<Bytes>(warp, half.first);
}

inline bool is_heard(const Warp& warp) { return warp.observer || warp.watch_races; }

inline const Examined& examined(Warp& warp, const DecodedOp& op) {
    return *row<const Examined>(warp, op.rows[examined_row]);
}

/// True if all lanes make the request that was examined, and it is inside with the operation's offset.
inline bool is_known(const DecodedOp& op, u32 mask, const Examined& known) {
    return mask == everyone && op.immediate - known.nearest < known.offsets;
}

/// Fills warp.addresses, of all lanes.
[[gnu::noinline]] void expand(Warp& warp, const DecodedOp& op) {
    u64* addresses = warp.addresses.data();
    const u64 offset = op.immediate;
    if (op.paired_address) {
        const u32* pairs = row<const u32>(warp, op.rows[address_row]);
#pragma GCC ivdep
        for (int i = 0; i < warp_size; ++i)
            addresses[i] = (pairs[i] | u64{pairs[i + warp_size]} << 32) + offset;
    } else if (op.wide_address) {
        const u64* wide = row<const u64>(warp, op.rows[address_row]);
#pragma GCC ivdep
        for (int i = 0; i < warp_size; ++i) addresses[i] = wide[i] + offset;
    } else {
        const u32* words = row<const u32>(warp, op.rows[address_row]);
#pragma GCC ivdep
        for (int i = 0; i < warp_size; ++i)
            addresses[i] = shared_address(op, words[i] + static_cast<u32>(offset));
    }
}

// Each access has two functions: the one for halves has no cold path inline, so that it needs few registers;
// the other handles all remaining requests lane by lane, with the addresses in warp.addresses.

template <class W, int N>
[[gnu::noinline]] void load_global_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    expand(warp, op);
    const Window& window = warp.windows[op.window];
    if (!all_inside(warp, mask, window.base, window.extent, sizeof(W) * N - 1)) [[unlikely]]
        return load_checked(warp, op, mask);
    copy_in<W, N>(warp, op, mask, window.host - window.base);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::global, Operation::load);
}

template <class W, int N>
void load_global(Warp& warp, const DecodedOp& op, u32 mask) {
    const Examined& known = examined(warp, op);
    if (!is_known(op, mask, known)) [[unlikely]]
        return load_global_lanes<W, N>(warp, op, mask);
    copy_halves_in<W, N>(warp, op, known.low.at(op.immediate), known.high.at(op.immediate), known.zero);
    if (is_heard(warp)) notify_halves<sizeof(W) * N, Operation::load>(warp, op, known);
}

template <class W, int N>
[[gnu::noinline]] void store_global_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    expand(warp, op);
    const Window& window = warp.windows[op.window];
    if (!all_inside(warp, mask, window.base, window.extent, sizeof(W) * N - 1)) [[unlikely]]
        return store_checked(warp, op, mask);
    copy_out<W, N>(warp, op, mask, window.host - window.base);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::global, Operation::store);
}

template <class W, int N>
void store_global(Warp& warp, const DecodedOp& op, u32 mask) {
    const Examined& known = examined(warp, op);
    if (!is_known(op, mask, known)) [[unlikely]]
        return store_global_lanes<W, N>(warp, op, mask);
    copy_halves_out<W, N>(warp, op, known.low.at(op.immediate), known.high.at(op.immediate), known.zero);
    if (is_heard(warp)) notify_halves<sizeof(W) * N, Operation::store>(warp, op, known);
}

template <class W, int N>
[[gnu::noinline]] void load_shared_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    expand(warp, op);
    if (!all_inside(warp, mask, 0, shared_window_of(warp, bytes).extent, bytes - 1) ||
        (*warp.shared_unwritten != 0 && !all_written<bytes>(warp, mask))) [[unlikely]]
        return load_checked(warp, op, mask);
    copy_in<W, N>(warp, op, mask, warp.shared);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::shared, Operation::load);
}

template <class W, int N>
void load_shared(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    const Examined& known = examined(warp, op);
    if (!is_known(op, mask, known)) [[unlikely]]
        return load_shared_lanes<W, N>(warp, op, mask);
    const Half low = known.low.at(op.immediate), high = known.high.at(op.immediate);
    if (*warp.shared_unwritten != 0 && !(half_written<bytes>(warp, low) && half_written<bytes>(warp, high)))
        [[unlikely]]
        return load_shared_lanes<W, N>(warp, op, mask);
    copy_halves_in<W, N>(warp, op, low, high, known.zero);
    if (is_heard(warp)) notify_halves<bytes, Operation::load>(warp, op, known);
}

template <class W, int N>
[[gnu::noinline]] void store_shared_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    expand(warp, op);
    if (!all_inside(warp, mask, 0, shared_window_of(warp, bytes).extent, bytes - 1)) [[unlikely]]
        return store_checked(warp, op, mask);
    copy_out<W, N>(warp, op, mask, warp.shared);
    for (u32 rest = *warp.shared_unwritten == 0 ? 0 : mask; rest != 0; rest &= rest - 1)
        mark_written<bytes>(warp, warp.addresses[static_cast<u64>(__builtin_ctz(rest))]);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::shared, Operation::store);
}

template <class W, int N>
void store_shared(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    const Examined& known = examined(warp, op);
    if (!is_known(op, mask, known)) [[unlikely]]
        return store_shared_lanes<W, N>(warp, op, mask);
    const Half low = known.low.at(op.immediate), high = known.high.at(op.immediate);
    copy_halves_out<W, N>(warp, op, low, high, known.zero);
    if (*warp.shared_unwritten != 0) {
        mark_half<bytes>(warp, low);
        mark_half<bytes>(warp, high);
    }
    if (is_heard(warp)) notify_halves<bytes, Operation::store>(warp, op, known);
}

// Keys: operation, space, vector width if any, bytes and sign of a word.
#define ACCESS(word, W, N, vector)                          \
    {"ld.global" vector "." word, "", load_global<W, N>}, { \
        "ld.shared" vector "." word, "", load_shared<W, N>  \
    }
#define STORE(word, W, N, vector)                            \
    {"st.global" vector "." word, "", store_global<W, N>}, { \
        "st.shared" vector "." word, "", store_shared<W, N>  \
    }
constexpr ExecutorRow access_table[] = {
    ACCESS("u1", u8, 1, ""),     ACCESS("s1", s8, 1, ""),     ACCESS("u2", u16, 1, ""),
    ACCESS("s2", s16, 1, ""),    ACCESS("u4", u32, 1, ""),    ACCESS("u8", u64, 1, ""),
    ACCESS("u4", u32, 2, ".v2"), ACCESS("u4", u32, 4, ".v4"), ACCESS("u8", u64, 2, ".v2"),
    STORE("u1", u8, 1, ""),      STORE("u2", u16, 1, ""),     STORE("u4", u32, 1, ""),
    STORE("u8", u64, 1, ""),     STORE("u4", u32, 2, ".v2"),  STORE("u4", u32, 4, ".v4"),
    STORE("u8", u64, 2, ".v2"),
};

}  // namespace

ExecutorRows access_rows() { return access_table; }

}  // namespace warplens::simt::WARPLENS_LANES
