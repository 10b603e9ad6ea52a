// Words of device code that have no meaning on a host. Functions for both sides name them, so they compile; a
// host that calls one ends with a message.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "../vector_types.h"

namespace warplens_program {

[[noreturn]] inline void only_on_a_device(const char* function) {
    std::fprintf(stderr, "%s was called by host code: it exists on a device only.\n", function);
    std::abort();
}

}  // namespace warplens_program

inline constexpr uint3 threadIdx{0, 0, 0};
inline constexpr uint3 blockIdx{0, 0, 0};
inline constexpr dim3 blockDim{1, 1, 1};
inline constexpr dim3 gridDim{1, 1, 1};
inline constexpr int warpSize = 32;

/// A read of memory means the same on a host.
template <class Type>
Type __ldg(const Type* address) {
    return *address;
}
template <class Type>
Type __ldcg(const Type* address) {
    return *address;
}
template <class Type>
Type __ldcs(const Type* address) {
    return *address;
}
template <class Type>
Type __ldca(const Type* address) {
    return *address;
}
template <class Type>
void __stcs(Type* address, Type value) {
    *address = value;
}
template <class Type>
void __stcg(Type* address, Type value) {
    *address = value;
}

#define WARPLENS_DEVICE_ONLY(result, name, ...) \
    inline result name(__VA_ARGS__) { warplens_program::only_on_a_device(#name); }

WARPLENS_DEVICE_ONLY(void, __syncthreads, )
WARPLENS_DEVICE_ONLY(int, __syncthreads_count, int)
WARPLENS_DEVICE_ONLY(int, __syncthreads_and, int)
WARPLENS_DEVICE_ONLY(int, __syncthreads_or, int)
WARPLENS_DEVICE_ONLY(void, __syncwarp, unsigned int = 0xffffffffu)
WARPLENS_DEVICE_ONLY(void, __threadfence, )
WARPLENS_DEVICE_ONLY(void, __threadfence_block, )
WARPLENS_DEVICE_ONLY(void, __threadfence_system, )
WARPLENS_DEVICE_ONLY(unsigned int, __activemask, )
WARPLENS_DEVICE_ONLY(unsigned int, __ballot_sync, unsigned int, int)
WARPLENS_DEVICE_ONLY(int, __all_sync, unsigned int, int)
WARPLENS_DEVICE_ONLY(int, __any_sync, unsigned int, int)
WARPLENS_DEVICE_ONLY(long long, clock64, )
WARPLENS_DEVICE_ONLY(void, __nanosleep, unsigned int)
WARPLENS_DEVICE_ONLY(void, __trap, )
WARPLENS_DEVICE_ONLY(void, __brkpt, )
WARPLENS_DEVICE_ONLY(std::size_t, __cvta_generic_to_shared, const void*)
WARPLENS_DEVICE_ONLY(std::size_t, __cvta_generic_to_global, const void*)
WARPLENS_DEVICE_ONLY(unsigned int, __isShared, const void*)
WARPLENS_DEVICE_ONLY(unsigned int, __isGlobal, const void*)
WARPLENS_DEVICE_ONLY(void, __pipeline_memcpy_async, void*, const void*, std::size_t, std::size_t = 0)
WARPLENS_DEVICE_ONLY(void, __pipeline_commit, )
WARPLENS_DEVICE_ONLY(void, __pipeline_wait_prior, std::size_t)

#undef WARPLENS_DEVICE_ONLY

#define WARPLENS_DEVICE_ONLY_VALUE(name)           \
    template <class Type, class... Rest>           \
    Type name(unsigned int, Type, Rest...) {       \
        warplens_program::only_on_a_device(#name); \
    }

WARPLENS_DEVICE_ONLY_VALUE(__shfl_sync)
WARPLENS_DEVICE_ONLY_VALUE(__shfl_up_sync)
WARPLENS_DEVICE_ONLY_VALUE(__shfl_down_sync)
WARPLENS_DEVICE_ONLY_VALUE(__shfl_xor_sync)
WARPLENS_DEVICE_ONLY_VALUE(__reduce_add_sync)
WARPLENS_DEVICE_ONLY_VALUE(__reduce_min_sync)
WARPLENS_DEVICE_ONLY_VALUE(__reduce_max_sync)
WARPLENS_DEVICE_ONLY_VALUE(__reduce_and_sync)
WARPLENS_DEVICE_ONLY_VALUE(__reduce_or_sync)
WARPLENS_DEVICE_ONLY_VALUE(__reduce_xor_sync)

#undef WARPLENS_DEVICE_ONLY_VALUE

template <class Type>
unsigned int __match_any_sync(unsigned int, Type) {
    warplens_program::only_on_a_device("__match_any_sync");
}
template <class Type>
unsigned int __match_all_sync(unsigned int, Type, int*) {
    warplens_program::only_on_a_device("__match_all_sync");
}

#define WARPLENS_ATOMIC(name)                      \
    template <class Type, class... Values>         \
    Type name(Type*, Values...) {                  \
        warplens_program::only_on_a_device(#name); \
    }

WARPLENS_ATOMIC(atomicAdd)
WARPLENS_ATOMIC(atomicSub)
WARPLENS_ATOMIC(atomicExch)
WARPLENS_ATOMIC(atomicMin)
WARPLENS_ATOMIC(atomicMax)
WARPLENS_ATOMIC(atomicInc)
WARPLENS_ATOMIC(atomicDec)
WARPLENS_ATOMIC(atomicCAS)
WARPLENS_ATOMIC(atomicAnd)
WARPLENS_ATOMIC(atomicOr)
WARPLENS_ATOMIC(atomicXor)
WARPLENS_ATOMIC(atomicAdd_block)
WARPLENS_ATOMIC(atomicAdd_system)

#undef WARPLENS_ATOMIC
