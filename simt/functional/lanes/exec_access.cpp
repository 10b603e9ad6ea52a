// Loads and stores of shared and global memory when every address of the request is good: computed, checked
// and copied in vector loops. Anything else goes to load_checked and store_checked.
#include "simt/functional/lanes/lane_loops.h"
#include "simt/functional/lanes/rows.h"
#include "simt/functional/memory_access.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

constexpr u32 everyone = 0xffffffffu;

/// Fills warp.addresses; true when every lane of the mask may access `bytes` at its address.
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

enum class Pattern { uniform, contiguous, other };

/// Shape of 16 lanes' addresses: half a warp is what one row of a 16-wide block is.
template <int Bytes>
inline Pattern pattern_of(const u64* addresses) {
    const u64 first = addresses[0], last = addresses[15];
    u64 different = 0;
    if (last == first) {
        for (int i = 0; i < 16; ++i) different |= addresses[i] ^ first;
        return different == 0 ? Pattern::uniform : Pattern::other;
    }
    if (last - first != 15 * Bytes) return Pattern::other;
    for (int i = 0; i < 16; ++i) different |= addresses[i] ^ (first + static_cast<u64>(i) * Bytes);
    return different == 0 ? Pattern::contiguous : Pattern::other;
}

template <class W>
inline W fetch(const std::byte* from) {
    W word;
    __builtin_memcpy(&word, from, sizeof(W));
    return word;
}

template <class W, int N>
inline void copy_in(Warp& warp, const DecodedOp& op, u32 mask, const std::byte* host, u64 base) {
    using Container = typename Stored<W>::type;
    const u64* addresses = warp.addresses.data();
    const std::byte* zero = host - base;
    if (mask == everyone) {
        if constexpr (N == 1) {
            auto* d = row<Container>(warp, op.rows[0]);
            for (int half = 0; half < warp_size; half += 16) {
                const u64* at = addresses + half;
                const std::byte* first = zero + at[0];
                switch (pattern_of<sizeof(W)>(at)) {
                    case Pattern::uniform: {
                        const W word = fetch<W>(first);
                        for (int i = 0; i < 16; ++i) d[half + i] = static_cast<Container>(word);
                        break;
                    }
                    case Pattern::contiguous: {
                        W words[16];
                        __builtin_memcpy(words, first, sizeof words);
                        for (int i = 0; i < 16; ++i) d[half + i] = static_cast<Container>(words[i]);
                        break;
                    }
                    case Pattern::other:
                        for (int i = 0; i < 16; ++i)
                            d[half + i] = static_cast<Container>(fetch<W>(zero + at[i]));
                        break;
                }
            }
        } else {
            for (int i = 0; i < warp_size; ++i) {
                const std::byte* from = zero + addresses[i];
                for (int j = 0; j < N; ++j)
                    row<Container>(warp, op.rows[j])[i] =
                        static_cast<Container>(fetch<W>(from + j * sizeof(W)));
            }
        }
    } else {
        for (u32 rest = mask; rest != 0; rest &= rest - 1) {
            int i = __builtin_ctz(rest);
            const std::byte* from = zero + addresses[i];
            for (int j = 0; j < N; ++j)
                row<Container>(warp, op.rows[j])[i] = static_cast<Container>(fetch<W>(from + j * sizeof(W)));
        }
    }
}

template <class W, int N>
inline void copy_out(Warp& warp, const DecodedOp& op, u32 mask, std::byte* host, u64 base) {
    using Container = typename Stored<W>::type;
    const u64* addresses = warp.addresses.data();
    std::byte* zero = host - base;
    if (N == 1 && mask == everyone) {
        const auto* d = row<const Container>(warp, op.rows[0]);
        for (int half = 0; half < warp_size; half += 16) {
            const u64* at = addresses + half;
            if (pattern_of<sizeof(W)>(at) == Pattern::contiguous) {
                W words[16];
                for (int i = 0; i < 16; ++i) words[i] = static_cast<W>(d[half + i]);
                __builtin_memcpy(zero + at[0], words, sizeof words);
            } else {
                for (int i = 0; i < 16; ++i) {
                    W word = static_cast<W>(d[half + i]);
                    __builtin_memcpy(zero + at[i], &word, sizeof word);
                }
            }
        }
        return;
    }
    for (u32 rest = mask; rest != 0; rest &= rest - 1) {
        int i = __builtin_ctz(rest);
        for (int j = 0; j < N; ++j) {
            W word = static_cast<W>(row<const Container>(warp, op.rows[j])[i]);
            __builtin_memcpy(zero + addresses[i] + j * sizeof(W), &word, sizeof word);
        }
    }
}

/// True when all bytes of the request have been stored to before.
template <int Bytes>
inline bool all_written(const Warp& warp, u32 mask) {
    const u8* written = warp.shared_written;
    bool missing = false;
    for (u32 rest = mask; rest != 0; rest &= rest - 1) {
        const u8* at = written + warp.addresses[static_cast<u64>(__builtin_ctz(rest))];
        u8 flags[Bytes];
        __builtin_memcpy(flags, at, Bytes);
        for (int i = 0; i < Bytes; ++i) missing |= flags[i] == 0;
    }
    return !missing;
}

template <int Bytes>
inline void mark_written(Warp& warp, u32 mask) {
    u64 fresh = 0;
    for (u32 rest = mask; rest != 0; rest &= rest - 1) {
        u8* at = warp.shared_written + warp.addresses[static_cast<u64>(__builtin_ctz(rest))];
        for (int i = 0; i < Bytes; ++i) {
            fresh += at[i] == 0;
            at[i] = 1;
        }
    }
    *warp.shared_unwritten -= fresh;
}

template <class W, int N, class A>
void load_global(Warp& warp, const DecodedOp& op, u32 mask) {
    const Window window = warp.windows[op.window];
    if (!all_inside<A>(warp, op, mask, window.base, window.extent, sizeof(W) * N - 1)) [[unlikely]]
        return load_checked(warp, op, mask);
    copy_in<W, N>(warp, op, mask, window.host, window.base);
    if (warp.observer || warp.watch_races) tell_access(warp, op, mask, Space::global, Operation::load);
}

template <class W, int N, class A>
void store_global(Warp& warp, const DecodedOp& op, u32 mask) {
    const Window window = warp.windows[op.window];
    if (!all_inside<A>(warp, op, mask, window.base, window.extent, sizeof(W) * N - 1)) [[unlikely]]
        return store_checked(warp, op, mask);
    copy_out<W, N>(warp, op, mask, window.host, window.base);
    if (warp.observer || warp.watch_races) tell_access(warp, op, mask, Space::global, Operation::store);
}

template <class W, int N>
inline u64 shared_extent(const Warp& warp) {
    return warp.shared_bytes < sizeof(W) * N ? 0 : warp.shared_bytes - sizeof(W) * N + 1;
}

template <class W, int N, class A>
void load_shared(Warp& warp, const DecodedOp& op, u32 mask) {
    if (!all_inside<A>(warp, op, mask, 0, shared_extent<W, N>(warp), sizeof(W) * N - 1) ||
        (*warp.shared_unwritten != 0 && !all_written<sizeof(W) * N>(warp, mask))) [[unlikely]]
        return load_checked(warp, op, mask);
    copy_in<W, N>(warp, op, mask, warp.shared, 0);
    if (warp.observer || warp.watch_races) tell_access(warp, op, mask, Space::shared, Operation::load);
}

template <class W, int N, class A>
void store_shared(Warp& warp, const DecodedOp& op, u32 mask) {
    if (!all_inside<A>(warp, op, mask, 0, shared_extent<W, N>(warp), sizeof(W) * N - 1)) [[unlikely]]
        return store_checked(warp, op, mask);
    copy_out<W, N>(warp, op, mask, warp.shared, 0);
    if (*warp.shared_unwritten != 0) mark_written<sizeof(W) * N>(warp, mask);
    if (warp.observer || warp.watch_races) tell_access(warp, op, mask, Space::shared, Operation::store);
}

// Keys: what, space, vector width if any, bytes and sign of a word, bytes of the address register.
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

constexpr ExecutorRow rows[] = {
    ACCESS("u1", u8, 1, ""),     ACCESS("s1", s8, 1, ""),     ACCESS("u2", u16, 1, ""),
    ACCESS("s2", s16, 1, ""),    ACCESS("u4", u32, 1, ""),    ACCESS("u8", u64, 1, ""),
    ACCESS("u4", u32, 2, ".v2"), ACCESS("u4", u32, 4, ".v4"), ACCESS("u8", u64, 2, ".v2"),
    STORE("u1", u8, 1, ""),      STORE("u2", u16, 1, ""),     STORE("u4", u32, 1, ""),
    STORE("u8", u64, 1, ""),     STORE("u4", u32, 2, ".v2"),  STORE("u4", u32, 4, ".v4"),
    STORE("u8", u64, 2, ".v2"),
};

}  // namespace

ExecutorRows access_rows() { return rows; }

}  // namespace warplens::simt::WARPLENS_LANES
