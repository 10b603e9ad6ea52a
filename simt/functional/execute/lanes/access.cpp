// Loads and stores of shared and global memory for requests whose addresses are all valid: computed, checked
// and copied in vector loops. Other requests use load_checked and store_checked.
#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/execute/lanes/rows.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

constexpr u32 everyone = 0xffffffffu;
constexpr int half_warp = warp_size / 2;

/// Fills warp.addresses; true if every lane of the mask may access `bytes` at its address.
template <class A>
inline bool all_inside(Warp& warp, const DecodedOp& op, u32 mask, u64 base, u64 extent, u64 misaligned_bits) {
    const A* register_row = row<const A>(warp, op.rows[address_row]);
    u64* addresses = warp.addresses.data();
    const u64 offset = op.immediate;
    u64 bad = 0;
    if (mask == everyone) {
#pragma GCC ivdep
        for (int i = 0; i < warp_size; ++i) {
            u64 address = register_row[i] + offset;
            if (sizeof(A) == 4) address = static_cast<u32>(address);
            addresses[i] = address;
            bad |= static_cast<u64>(address - base >= extent) | (address & misaligned_bits);
        }
    } else {
#pragma GCC ivdep
        for (int i = 0; i < warp_size; ++i) {
            u64 address = register_row[i] + offset;
            if (sizeof(A) == 4) address = static_cast<u32>(address);
            addresses[i] = address;
            u64 on = 0 - static_cast<u64>((mask >> i) & 1u);
            bad |= (static_cast<u64>(address - base >= extent) | (address & misaligned_bits)) & on;
        }
    }
    return bad == 0;
}

/// 16 lanes that access one place, or consecutive places: as one row of a 16-wide block does.
struct Half {
    u64 first;  // address of its lowest lane
    bool contiguous;

    template <int Bytes>
    bool inside(u64 base, u64 extent) const {
        const u64 from = first - base;
        const u64 span = contiguous ? (half_warp - 1) * Bytes : 0;
        return from < extent && extent - from > span && first % Bytes == 0;
    }
};
struct Halves {
    Half low, high;

    template <int Bytes>
    bool inside(u64 base, u64 extent) const {
        return low.inside<Bytes>(base, extent) && high.inside<Bytes>(base, extent);
    }
};

/// True if the request of all lanes consists of two such halves; then checking their bounds suffices.
template <int Bytes, class A>
inline bool in_halves(Warp& warp, const DecodedOp& op, Halves& to) {
    const A* at = row<const A>(warp, op.rows[address_row]);
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
    to.low = {static_cast<A>(low + op.immediate), low_step != 0};
    to.high = {static_cast<A>(high + op.immediate), high_step != 0};
    return different == 0;
}

template <class W>
inline W fetch(const std::byte* from) {
    W word;
    __builtin_memcpy(&word, from, sizeof(W));
    return word;
}

template <class W, int N>
inline void copy_half_in(Warp& warp, const DecodedOp& op, const Half& half, int lane, const std::byte* zero) {
    using Container = typename Stored<W>::type;
    W words[half_warp * N];
    __builtin_memcpy(words, zero + half.first, half.contiguous ? sizeof words : N * sizeof(W));
    for (int j = 0; j < N; ++j) {
        auto* d = row<Container>(warp, op.rows[j]) + lane;
        if (half.contiguous) {
            for (int i = 0; i < half_warp; ++i) d[i] = static_cast<Container>(words[i * N + j]);
        } else {
            for (int i = 0; i < half_warp; ++i) d[i] = static_cast<Container>(words[j]);
        }
    }
}

template <class W, int N>
inline void copy_halves_in(Warp& warp, const DecodedOp& op, const Halves& halves, const std::byte* zero) {
    copy_half_in<W, N>(warp, op, halves.low, 0, zero);
    copy_half_in<W, N>(warp, op, halves.high, half_warp, zero);
}

/// If all lanes write one place, the highest lane's value remains.
template <class W, int N>
inline void copy_half_out(Warp& warp, const DecodedOp& op, const Half& half, int lane, std::byte* zero) {
    using Container = typename Stored<W>::type;
    W words[half_warp * N];
    for (int j = 0; j < N; ++j) {
        const auto* d = row<const Container>(warp, op.rows[j]) + lane;
        for (int i = 0; i < half_warp; ++i) words[i * N + j] = static_cast<W>(d[i]);
    }
    if (half.contiguous) __builtin_memcpy(zero + half.first, words, sizeof words);
    else __builtin_memcpy(zero + half.first, words + (half_warp - 1) * N, N * sizeof(W));
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

/// Fills warp.addresses for observers.
template <class A>
inline void expand(Warp& warp, const DecodedOp& op) {
    const A* at = row<const A>(warp, op.rows[address_row]);
    u64* addresses = warp.addresses.data();
    const u64 offset = op.immediate;
#pragma GCC ivdep
    for (int i = 0; i < warp_size; ++i) addresses[i] = static_cast<A>(at[i] + offset);
}

inline bool is_heard(const Warp& warp) { return warp.observer || warp.watch_races; }

// Each access has two functions: the one for Halves has no cold path inline, so that it needs few registers;
// the other handles all remaining requests lane by lane.

template <class W, int N, class A>
[[gnu::noinline]] void load_global_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    const Window& window = warp.windows[op.window];
    if (!all_inside<A>(warp, op, mask, window.base, window.extent, sizeof(W) * N - 1)) [[unlikely]]
        return load_checked(warp, op, mask);
    copy_in<W, N>(warp, op, mask, window.host - window.base);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::global, Operation::load);
}

template <class W, int N, class A>
void load_global(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    const Window& window = warp.windows[op.window];
    Halves halves;
    if (mask != everyone || !in_halves<bytes, A>(warp, op, halves) ||
        !halves.inside<bytes>(window.base, window.extent)) [[unlikely]]
        return load_global_lanes<W, N, A>(warp, op, mask);
    const bool heard = is_heard(warp);
    if (heard) expand<A>(warp, op);
    copy_halves_in<W, N>(warp, op, halves, window.host - window.base);
    if (heard) notify_access(warp, op, mask, Space::global, Operation::load);
}

template <class W, int N, class A>
[[gnu::noinline]] void store_global_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    const Window& window = warp.windows[op.window];
    if (!all_inside<A>(warp, op, mask, window.base, window.extent, sizeof(W) * N - 1)) [[unlikely]]
        return store_checked(warp, op, mask);
    copy_out<W, N>(warp, op, mask, window.host - window.base);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::global, Operation::store);
}

template <class W, int N, class A>
void store_global(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    const Window& window = warp.windows[op.window];
    Halves halves;
    if (mask != everyone || !in_halves<bytes, A>(warp, op, halves) ||
        !halves.inside<bytes>(window.base, window.extent)) [[unlikely]]
        return store_global_lanes<W, N, A>(warp, op, mask);
    copy_halves_out<W, N>(warp, op, halves, window.host - window.base);
    if (!is_heard(warp)) return;
    expand<A>(warp, op);
    notify_access(warp, op, mask, Space::global, Operation::store);
}

template <int Bytes>
inline u64 shared_extent(const Warp& warp) {
    return warp.shared_bytes < Bytes ? 0 : warp.shared_bytes - Bytes + 1;
}

template <class W, int N, class A>
[[gnu::noinline]] void load_shared_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    if (!all_inside<A>(warp, op, mask, 0, shared_extent<bytes>(warp), bytes - 1) ||
        (*warp.shared_unwritten != 0 && !all_written<bytes>(warp, mask))) [[unlikely]]
        return load_checked(warp, op, mask);
    copy_in<W, N>(warp, op, mask, warp.shared);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::shared, Operation::load);
}

template <class W, int N, class A>
void load_shared(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    Halves halves;
    if (mask != everyone || !in_halves<bytes, A>(warp, op, halves) ||
        !halves.inside<bytes>(0, shared_extent<bytes>(warp)) ||
        (*warp.shared_unwritten != 0 &&
         !(half_written<bytes>(warp, halves.low) && half_written<bytes>(warp, halves.high)))) [[unlikely]]
        return load_shared_lanes<W, N, A>(warp, op, mask);
    const bool heard = is_heard(warp);
    if (heard) expand<A>(warp, op);
    copy_halves_in<W, N>(warp, op, halves, warp.shared);
    if (heard) notify_access(warp, op, mask, Space::shared, Operation::load);
}

template <class W, int N, class A>
[[gnu::noinline]] void store_shared_lanes(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    if (!all_inside<A>(warp, op, mask, 0, shared_extent<bytes>(warp), bytes - 1)) [[unlikely]]
        return store_checked(warp, op, mask);
    copy_out<W, N>(warp, op, mask, warp.shared);
    for (u32 rest = *warp.shared_unwritten == 0 ? 0 : mask; rest != 0; rest &= rest - 1)
        mark_written<bytes>(warp, warp.addresses[static_cast<u64>(__builtin_ctz(rest))]);
    if (is_heard(warp)) notify_access(warp, op, mask, Space::shared, Operation::store);
}

template <class W, int N, class A>
void store_shared(Warp& warp, const DecodedOp& op, u32 mask) {
    constexpr int bytes = sizeof(W) * N;
    Halves halves;
    if (mask != everyone || !in_halves<bytes, A>(warp, op, halves) ||
        !halves.inside<bytes>(0, shared_extent<bytes>(warp))) [[unlikely]]
        return store_shared_lanes<W, N, A>(warp, op, mask);
    copy_halves_out<W, N>(warp, op, halves, warp.shared);
    if (*warp.shared_unwritten != 0) {
        mark_half<bytes>(warp, halves.low);
        mark_half<bytes>(warp, halves.high);
    }
    if (!is_heard(warp)) return;
    expand<A>(warp, op);
    notify_access(warp, op, mask, Space::shared, Operation::store);
}

// Keys: operation, space, vector width if any, bytes and sign of a word, bytes of the address register.
#define ACCESS(word, W, N, vector)                                        \
    {"ld.global" vector "." word "@8", "", load_global<W, N, u64>},       \
        {"ld.shared" vector "." word "@8", "", load_shared<W, N, u64>}, { \
        "ld.shared" vector "." word "@4", "", load_shared<W, N, u32>      \
    }
#define STORE(word, W, N, vector)                                          \
    {"st.global" vector "." word "@8", "", store_global<W, N, u64>},       \
        {"st.shared" vector "." word "@8", "", store_shared<W, N, u64>}, { \
        "st.shared" vector "." word "@4", "", store_shared<W, N, u32>      \
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
