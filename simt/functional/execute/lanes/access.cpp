// Loads and stores of shared and global memory for requests whose addresses are all valid: computed, checked
// and copied in vector loops. Other requests use load_checked and store_checked.
#include "simt/functional/execute/lanes/request_addresses.h"
#include "simt/functional/execute/lanes/rows.h"
#include "simt/functional/memory/memory_access.h"

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

template <class W, int N>
inline void copy_half_in(Warp& warp, const DecodedOp& op, const Half& half, int lane, const std::byte* zero) {
    using Container = typename Stored<W>::type;
    const std::byte* from = zero + half.first;
    W first[N];
    for (int j = 0; j < N; ++j) first[j] = fetch<W>(from + j * sizeof(W));
    for (int j = 0; j < N; ++j) {
        auto* d = row<Container>(warp, op.rows[j]) + lane;
        if (half.contiguous) {
#pragma GCC ivdep
#pragma GCC unroll 1
            for (int i = 0; i < half_warp; ++i)
                d[i] = static_cast<Container>(fetch<W>(from + (i * N + j) * sizeof(W)));
        } else {
#pragma GCC unroll 1
            for (int i = 0; i < half_warp; ++i) d[i] = static_cast<Container>(first[j]);
        }
    }
}

template <class W, int N>
inline void copy_halves_in(Warp& warp, const DecodedOp& op, const Halves& halves, const std::byte* zero) {
    copy_half_in<W, N>(warp, op, halves.low, 0, zero);
    copy_half_in<W, N>(warp, op, halves.high, half_warp, zero);
}

template <class W>
inline void put(std::byte* to, W word) {
    __builtin_memcpy(to, &word, sizeof(W));
}

/// If all lanes write one place, the highest lane's value remains.
template <class W, int N>
inline void copy_half_out(Warp& warp, const DecodedOp& op, const Half& half, int lane, std::byte* zero) {
    using Container = typename Stored<W>::type;
    std::byte* to = zero + half.first;
    for (int j = 0; j < N; ++j) {
        const auto* d = row<const Container>(warp, op.rows[j]) + lane;
        if (half.contiguous) {
#pragma GCC ivdep
#pragma GCC unroll 1
            for (int i = 0; i < half_warp; ++i) put(to + (i * N + j) * sizeof(W), static_cast<W>(d[i]));
        } else {
            put(to + j * sizeof(W), static_cast<W>(d[half_warp - 1]));
        }
    }
}

template <class W, int N>
inline void copy_halves_out(Warp& warp, const DecodedOp& op, const Halves& halves, std::byte* zero) {
    copy_half_out<W, N>(warp, op, halves.low, 0, zero);
    copy_half_out<W, N>(warp, op, halves.high, half_warp, zero);
}

template <class W, int N>
inline void copy_in(Warp& warp, const DecodedOp& op, u32 mask, const std::byte* zero) {
    using Container = typename Stored<W>::type;
    const u64* addresses = warp.addresses.data();
    auto copy = [&](int i) {
        const std::byte* from = zero + addresses[i];
        for (int j = 0; j < N; ++j)
            row<Container>(warp, op.rows[j])[i] = static_cast<Container>(fetch<W>(from + j * sizeof(W)));
    };
    if (mask == everyone) {
        for (int i = 0; i < warp_size; ++i) copy(i);
    } else {
        for (u32 rest = mask; rest != 0; rest &= rest - 1) copy(__builtin_ctz(rest));
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
    u64 missing = 0;
    for (u32 rest = mask; rest != 0; rest &= rest - 1) {
        const u8* at = warp.shared_written + warp.addresses[static_cast<u64>(__builtin_ctz(rest))];
        u8 flags[Bytes];
        __builtin_memcpy(flags, at, Bytes);
        for (int i = 0; i < Bytes; ++i) missing |= flags[i] ^ 1u;
    }
    return missing == 0;
}

template <int Bytes>
inline bool half_written(const Warp& warp, const Half& half) {
    const u8* at = warp.shared_written + half.first;
    u8 missing = 0;
    if (half.contiguous) {
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
inline void mark_half(Warp& warp, const Half& half) {
    if (half.contiguous) mark_written<half_warp * Bytes>(warp, half.first);
    else mark_written<Bytes>(warp, half.first);
}

inline bool is_heard(const Warp& warp) { return warp.observer || warp.watch_races; }

// Each access has two functions: the one for Halves has no cold path inline, so that it needs few registers;
// the other handles all remaining requests lane by lane, with the addresses in warp.addresses.

template <class W, int N>
[[gnu::noinline]] void load_global_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    const Window& window = warp.windows[op.window];
    if (!all_inside(warp, mask, window.base, window.extent, sizeof(W) * N - 1)) [[unlikely]]
        return load_checked(warp, op, mask);
    copy_in<W, N>(warp, op, mask, window.host - window.base);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::global, Operation::load);
}

template <class W, int N, class From>
void load_global(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    const Window& window = warp.windows[op.window];
    Halves halves;
    if (!find_halves<bytes>(warp, op, mask, From(warp, op), halves) ||
        !halves.inside<bytes>(window.base, window.extent)) [[unlikely]] {
        expand<From>(warp, op);
        return load_global_lanes<W, N>(warp, op, mask);
    }
    const bool heard = is_heard(warp);
    if (heard) write_addresses<bytes>(warp, halves);
    copy_halves_in<W, N>(warp, op, halves, window.host - window.base);
    if (heard) notify_access(warp, op, mask, Space::global, Operation::load);
}

template <class W, int N>
[[gnu::noinline]] void store_global_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    const Window& window = warp.windows[op.window];
    if (!all_inside(warp, mask, window.base, window.extent, sizeof(W) * N - 1)) [[unlikely]]
        return store_checked(warp, op, mask);
    copy_out<W, N>(warp, op, mask, window.host - window.base);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::global, Operation::store);
}

template <class W, int N, class From>
void store_global(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    const Window& window = warp.windows[op.window];
    Halves halves;
    if (!find_halves<bytes>(warp, op, mask, From(warp, op), halves) ||
        !halves.inside<bytes>(window.base, window.extent)) [[unlikely]] {
        expand<From>(warp, op);
        return store_global_lanes<W, N>(warp, op, mask);
    }
    copy_halves_out<W, N>(warp, op, halves, window.host - window.base);
    if (!is_heard(warp)) return;
    write_addresses<bytes>(warp, halves);
    notify_access(warp, op, mask, Space::global, Operation::store);
}

template <int Bytes>
inline u64 shared_extent(const Warp& warp) {
    return warp.shared_bytes < Bytes ? 0 : warp.shared_bytes - Bytes + 1;
}

template <class W, int N>
[[gnu::noinline]] void load_shared_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    if (!all_inside(warp, mask, 0, shared_extent<bytes>(warp), bytes - 1) ||
        (*warp.shared_unwritten != 0 && !all_written<bytes>(warp, mask))) [[unlikely]]
        return load_checked(warp, op, mask);
    copy_in<W, N>(warp, op, mask, warp.shared);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::shared, Operation::load);
}

template <class W, int N, class From>
void load_shared(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    Halves halves;
    if (!find_halves<bytes>(warp, op, mask, From(warp, op), halves) ||
        !halves.inside<bytes>(0, shared_extent<bytes>(warp)) ||
        (*warp.shared_unwritten != 0 &&
         !(half_written<bytes>(warp, halves.low) && half_written<bytes>(warp, halves.high)))) [[unlikely]] {
        expand<From>(warp, op);
        return load_shared_lanes<W, N>(warp, op, mask);
    }
    const bool heard = is_heard(warp);
    if (heard) write_addresses<bytes>(warp, halves);
    copy_halves_in<W, N>(warp, op, halves, warp.shared);
    if (heard) notify_access(warp, op, mask, Space::shared, Operation::load);
}

template <class W, int N>
[[gnu::noinline]] void store_shared_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    if (!all_inside(warp, mask, 0, shared_extent<bytes>(warp), bytes - 1)) [[unlikely]]
        return store_checked(warp, op, mask);
    copy_out<W, N>(warp, op, mask, warp.shared);
    for (u32 rest = *warp.shared_unwritten == 0 ? 0 : mask; rest != 0; rest &= rest - 1)
        mark_written<bytes>(warp, warp.addresses[static_cast<u64>(__builtin_ctz(rest))]);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::shared, Operation::store);
}

template <class W, int N, class From>
void store_shared(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    Halves halves;
    if (!find_halves<bytes>(warp, op, mask, From(warp, op), halves) ||
        !halves.inside<bytes>(0, shared_extent<bytes>(warp))) [[unlikely]] {
        expand<From>(warp, op);
        return store_shared_lanes<W, N>(warp, op, mask);
    }
    copy_halves_out<W, N>(warp, op, halves, warp.shared);
    if (*warp.shared_unwritten != 0) {
        mark_half<bytes>(warp, halves.low);
        mark_half<bytes>(warp, halves.high);
    }
    if (!is_heard(warp)) return;
    write_addresses<bytes>(warp, halves);
    notify_access(warp, op, mask, Space::shared, Operation::store);
}

// Keys: operation, space, vector width if any, bytes and sign of a word, bytes of the address row, or of
// both.
#define ACCESS(word, W, N, vector)                                                    \
    {"ld.global" vector "." word "@8", "", load_global<W, N, AddressRow<u64>>},       \
        {"ld.global" vector "." word "@4+4", "", load_global<W, N, AddressPair>},     \
        {"ld.shared" vector "." word "@8", "", load_shared<W, N, AddressRow<u64>>}, { \
        "ld.shared" vector "." word "@4", "", load_shared<W, N, AddressRow<u32>>      \
    }
#define STORE(word, W, N, vector)                                                      \
    {"st.global" vector "." word "@8", "", store_global<W, N, AddressRow<u64>>},       \
        {"st.global" vector "." word "@4+4", "", store_global<W, N, AddressPair>},     \
        {"st.shared" vector "." word "@8", "", store_shared<W, N, AddressRow<u64>>}, { \
        "st.shared" vector "." word "@4", "", store_shared<W, N, AddressRow<u32>>      \
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
