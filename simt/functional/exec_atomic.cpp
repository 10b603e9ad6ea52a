#include "simt/functional/exec_atomic.h"

#include <atomic>
#include <bit>
#include <type_traits>

#include "simt/functional/exec_memory.h"
#include "simt/functional/half_values.h"

namespace warplens::simt {

namespace {

float canonical(float x) { return x == x ? x : std::bit_cast<float>(0x7fffffffu); }

// Each takes the old value, the operand and (cas) the second operand as bits of the type.
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
        std::byte* at = resolve(warp, op, lane, address, sizeof(T), space, Operation::atomic);
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
        if (const u32 told = in_space[static_cast<std::size_t>(space)])
            tell_access(warp, op, told, space, Operation::atomic);
}

using ptx::Type;
#define BITS(name, F) \
    {name, Type::b32, execute<u32, F>, true}, { name, Type::b64, execute<u64, F>, true }
#define ORDERED(name, F, S32, S64)                                                                \
    {name, Type::u32, execute<u32, F<u32>>, true}, {name, Type::s32, execute<u32, F<S32>>, true}, \
        {name, Type::u64, execute<u64, F<u64>>, true}, {                                          \
        name, Type::s64, execute<u64, F<S64>>, true                                               \
    }

constexpr AtomicRow rows[] = {
    {"add", Type::u32, execute<u32, Add>, true},
    {"add", Type::s32, execute<u32, Add>, true},
    {"add", Type::u64, execute<u64, Add>, true},
    {"add", Type::s64, execute<u64, Add>, true},
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
    {"inc", Type::u32, execute<u32, Inc>, false},
    {"dec", Type::u32, execute<u32, Dec>, false},
    {"exch", Type::b32, execute<u32, Exchange>, false},
    {"exch", Type::b64, execute<u64, Exchange>, false},
    {"cas", Type::b16, execute<u16, CompareAndSwap>, false},
    {"cas", Type::b32, execute<u32, CompareAndSwap>, false},
    {"cas", Type::b64, execute<u64, CompareAndSwap>, false},
};

}  // namespace

const AtomicRow* find_atomic(std::string_view operation, ptx::Type type) {
    for (const AtomicRow& row : rows)
        if (row.operation == operation && row.type == type) return &row;
    return nullptr;
}

}  // namespace warplens::simt
