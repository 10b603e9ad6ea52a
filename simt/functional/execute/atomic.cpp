#include "simt/functional/execute/atomic.h"

#include <atomic>
#include <bit>
#include <cstring>
#include <type_traits>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/execute/half_values.h"
#include "simt/functional/execute/memory.h"

namespace warplens::simt {

namespace {

// Each takes the old value, the operand and, for cas, the second operand as bits of the type.
struct Add {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<T>(old + b);
    }
};
struct AddF32 {
    static u32 apply(u32 old, u32 b, u32) {
        return std::bit_cast<u32>(canonical(std::bit_cast<float>(old) + std::bit_cast<float>(b)));
    }
};
struct AddF32Flushed {  // "PTX ISA: atom": on global memory subnormal inputs and results become zero
    static u32 flush(u32 x) { return (x & 0x7f800000u) == 0 ? x & 0x80000000u : x; }
    static u32 apply(u32 old, u32 b, u32) { return flush(AddF32::apply(flush(old), flush(b), 0)); }
};
struct AddF64 {
    static u64 apply(u64 old, u64 b, u64) {
        return std::bit_cast<u64>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
    }
};
struct AddF16 {
    static u16 apply(u16 old, u16 b, u16) {
        return half_from_double(double{half_to_float(old)} + half_to_float(b));
    }
};
struct AddBf16 {
    static u16 apply(u16 old, u16 b, u16) {
        return bfloat_from_double(double{bfloat_to_float(old)} + bfloat_to_float(b));
    }
};
template <class F>
struct Halves {
    static u32 apply(u32 old, u32 b, u32) {
        u32 low = F::apply(static_cast<u16>(old), static_cast<u16>(b), 0);
        u32 high = F::apply(static_cast<u16>(old >> 16), static_cast<u16>(b >> 16), 0);
        return high << 16 | low;
    }
};
template <class Signed>
struct Min {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<Signed>(b) < static_cast<Signed>(old) ? b : old;
    }
};
template <class Signed>
struct Max {
    template <class T>
    static T apply(T old, T b, T) {
        return static_cast<Signed>(b) > static_cast<Signed>(old) ? b : old;
    }
};
struct Inc {
    static u32 apply(u32 old, u32 b, u32) { return old >= b ? 0 : old + 1; }
};
struct Dec {
    static u32 apply(u32 old, u32 b, u32) { return old == 0 || old > b ? b : old - 1; }
};
struct And {
    template <class T>
    static T apply(T old, T b, T) {
        return old & b;
    }
};
struct Or {
    template <class T>
    static T apply(T old, T b, T) {
        return old | b;
    }
};
struct Xor {
    template <class T>
    static T apply(T old, T b, T) {
        return old ^ b;
    }
};
struct Exchange {
    template <class T>
    static T apply(T, T b, T) {
        return b;
    }
};
struct CompareAndSwap {
    template <class T>
    static T apply(T old, T b, T c) {
        return old == b ? c : old;
    }
};

template <class T, class F>
T update(std::byte* at, bool parallel, T b, T c) {
    T* word = reinterpret_cast<T*>(at);
    if (!parallel) {
        T old = *word;
        *word = F::apply(old, b, c);
        return old;
    }
    std::atomic_ref<T> shared(*word);
    T old = shared.load(std::memory_order_relaxed);
    while (!shared.compare_exchange_weak(old, F::apply(old, b, c), std::memory_order_relaxed)) {
    }
    return old;
}

template <class T, class F>
void execute(Warp& warp, const DecodedOp& op, u32 mask) {
    using Container = std::conditional_t<sizeof(T) == 8, u64, u32>;
    compute_addresses(warp, op, mask);
    Container* d = row<Container>(warp, op.rows[0]);
    const Container* b = row<const Container>(warp, op.rows[1]);
    const Container* c = row<const Container>(warp, op.rows[2]);
    u32 in_space[space_count] = {};
    for_each_lane({mask}, [&](int lane) {
        Space space = op.space;
        u64& address = warp.addresses[static_cast<std::size_t>(lane)];
        std::byte* at = resolve_remembered(warp, op, lane, address, space, Operation::atomic);
        if (!at) {
            d[lane] = 0;
            return;
        }
        const bool global = space == Space::global;
        in_space[static_cast<std::size_t>(space)] |= 1u << lane;
        using OnGlobal = std::conditional_t<std::is_same_v<F, AddF32>, AddF32Flushed, F>;
        const T x = static_cast<T>(b[lane]), y = static_cast<T>(c[lane]);
        d[lane] = global ? update<T, OnGlobal>(at, warp.parallel, x, y) : update<T, F>(at, false, x, y);
    });
    for (Space space : {Space::shared, Space::global, Space::local, Space::shared_cluster})
        if (const u32 reported = in_space[static_cast<std::size_t>(space)])
            notify_access(warp, op, reported, space, Operation::atomic);
}

/// min and max of halves: -0 is less than +0; of a NaN and a number the result is the number.
template <bool Max, float (*Number)(u16)>
struct ExtremeHalf {
    static u16 apply(u16 old, u16 b, u16) {
        const float x = Number(old), y = Number(b);
        if (x != x || y != y) return x == x ? old : y == y ? b : canonical_nan_half;
        if (x == y) return Max ? old & b : old | b;
        return (x > y) == Max ? old : b;
    }
};
using MinF16 = ExtremeHalf<false, half_to_float>;
using MaxF16 = ExtremeHalf<true, half_to_float>;
using MinBf16 = ExtremeHalf<false, bfloat_to_float>;
using MaxBf16 = ExtremeHalf<true, bfloat_to_float>;

/// The elements of one request, each a separate atomic operation: data in the rows, results in the rows of
/// DecodedKernel::vector_results.
template <class T, class F>
void execute_vector(Warp& warp, const DecodedOp& op, u32 mask) {
    compute_addresses(warp, op, mask);
    const auto* results = op.flags == 0 ? nullptr : &warp.block->kernel().vector_results[op.flags - 1];
    u32 reported = 0;
    for_each_lane({mask}, [&](int lane) {
        Space space = Space::global;
        u64& address = warp.addresses[static_cast<std::size_t>(lane)];
        std::byte* at = resolve_remembered(warp, op, lane, address, space, Operation::atomic);
        T old[8] = {};
        if (at) {
            reported |= 1u << lane;
            for (u32 i = 0; i < op.vector_width; ++i)
                old[i] = update<T, F>(at + i * sizeof(T), warp.parallel,
                                      static_cast<T>(row<const u32>(warp, op.rows[i])[lane]), T{});
        }
        for (u32 i = 0; results && i < op.vector_width; ++i) row<u32>(warp, (*results)[i])[lane] = old[i];
    });
    if (reported != 0) notify_access(warp, op, reported, Space::global, Operation::atomic);
}

using ptx::Type;
#define HALVES(name, F16, Bf16)                                         \
    {name, Type::f16, execute_vector<u16, F16>, false},                 \
        {name, Type::bf16, execute_vector<u16, Bf16>, false},           \
        {name, Type::f16x2, execute_vector<u32, Halves<F16>>, false}, { \
        name, Type::bf16x2, execute_vector<u32, Halves<Bf16>>, false    \
    }
constexpr AtomicRow vector_atomic_table[] = {
    {"add", Type::f32, execute_vector<u32, AddF32Flushed>, false},
    HALVES("add", AddF16, AddBf16),
    HALVES("min", MinF16, MinBf16),
    HALVES("max", MaxF16, MaxBf16),
};

#define BITS(name, F) \
    {name, Type::b32, execute<u32, F>, true}, { name, Type::b64, execute<u64, F>, true }
#define ORDERED(name, F, S32, S64)                                                                \
    {name, Type::u32, execute<u32, F<u32>>, true}, {name, Type::s32, execute<u32, F<S32>>, true}, \
        {name, Type::u64, execute<u64, F<u64>>, true}, {                                          \
        name, Type::s64, execute<u64, F<S64>>, true                                               \
    }

constexpr AtomicRow atomic_table[] = {
    {"add", Type::u32, execute<u32, Add>, true, true},
    {"add", Type::s32, execute<u32, Add>, true, true},
    {"add", Type::u64, execute<u64, Add>, true, true},
    {"add", Type::s64, execute<u64, Add>, true, true},
    {"add", Type::f32, execute<u32, AddF32>, false},
    {"add", Type::f64, execute<u64, AddF64>, false},
    {"add", Type::f16, execute<u16, AddF16>, false},
    {"add", Type::bf16, execute<u16, AddBf16>, false},
    {"add", Type::f16x2, execute<u32, Halves<AddF16>>, false},
    {"add", Type::bf16x2, execute<u32, Halves<AddBf16>>, false},
    ORDERED("min", Min, s32, s64),
    ORDERED("max", Max, s32, s64),
    BITS("and", And),
    BITS("or", Or),
    BITS("xor", Xor),
    {"inc", Type::u32, execute<u32, Inc>, false, true},
    {"dec", Type::u32, execute<u32, Dec>, false, true},
    {"exch", Type::b32, execute<u32, Exchange>, false},
    {"exch", Type::b64, execute<u64, Exchange>, false},
    {"cas", Type::b16, execute<u16, CompareAndSwap>, false},
    {"cas", Type::b32, execute<u32, CompareAndSwap>, false, true},
    {"cas", Type::b64, execute<u64, CompareAndSwap>, false, true},
};

template <bool Compares>
void swap_quad(Warp& warp, const DecodedOp& op, u32 mask) {
    compute_addresses(warp, op, mask);
    u32 in_space[space_count] = {};
    for_each_lane({mask}, [&](int lane) {
        const auto half = [&](int slot) -> u64& { return row<u64>(warp, op.rows[slot])[lane]; };
        Space space = op.space;
        u64& address = warp.addresses[static_cast<std::size_t>(lane)];
        std::byte* at = resolve_remembered(warp, op, lane, address, space, Operation::atomic);
        u64 old[2] = {};
        if (at) {
            in_space[static_cast<std::size_t>(space)] |= 1u << lane;
            u64* word = reinterpret_cast<u64*>(at);
            old[0] = word[0], old[1] = word[1];
            constexpr int source = Compares ? 4 : 2;
            if (!Compares || (old[0] == half(2) && old[1] == half(3)))
                word[0] = half(source), word[1] = half(source + 1);
        }
        half(0) = old[0], half(1) = old[1];
    });
    for (Space space : {Space::shared, Space::global, Space::local, Space::shared_cluster})
        if (const u32 reported = in_space[static_cast<std::size_t>(space)])
            notify_access(warp, op, reported, space, Operation::atomic);
}

}  // namespace

namespace {

/// A compare-and-swap that counts moves a word on by a little. One that takes a lock or a place in a table
/// changes a word that is empty: 0 or all ones.
bool counts_on(u64 before, u64 now, u32 bytes) {
    const u64 all_ones = ~u64{0} >> (64 - 8 * bytes);
    constexpr u64 most_at_once = 65536;
    return before != 0 && before != all_ones && (now > before ? now - before : before - now) <= most_at_once;
}

}  // namespace

void note_counter(Warp& warp, const DecodedOp& op, u32 mask) {
    const int first = LaneMask{mask}.lowest();
    const u64 word = warp.addresses[static_cast<std::size_t>(first)];
    warp.takes_numbers = false;
    const Allocation* const memory = warp.block->launch().memory->nearest(word);
    if (!memory || word - memory->base + op.element_bytes > memory->bytes) return;
    bool one_word = true;
    for_each_lane({mask},
                  [&](int lane) { one_word &= warp.addresses[static_cast<std::size_t>(lane)] == word; });
    u64 now = 0;
    std::memcpy(&now, memory->data.data() + (word - memory->base), op.element_bytes);
    const u64 before = op.element_bytes == 8 ? row<const u64>(warp, op.rows[0])[first]
                                             : row<const u32>(warp, op.rows[0])[first];
    warp.takes_numbers = one_word && now != before &&
                         ((op.flags & counter_swaps) == 0 || counts_on(before, now, op.element_bytes));
}

void exchange_quad(Warp& warp, const DecodedOp& op, u32 mask) { swap_quad<false>(warp, op, mask); }
void compare_and_swap_quad(Warp& warp, const DecodedOp& op, u32 mask) { swap_quad<true>(warp, op, mask); }

const AtomicRow* find_vector_atomic(std::string_view operation, ptx::Type type) {
    for (const AtomicRow& row : vector_atomic_table)
        if (row.operation == operation && row.type == type) return &row;
    return nullptr;
}

const AtomicRow* find_atomic(std::string_view operation, ptx::Type type) {
    for (const AtomicRow& row : atomic_table)
        if (row.operation == operation && row.type == type) return &row;
    return nullptr;
}

}  // namespace warplens::simt
