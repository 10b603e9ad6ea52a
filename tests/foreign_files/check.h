#pragma once
#include <cstdio>
#include <cstdlib>
#define CHECK(call)                                                \
    {                                                              \
        const cudaError_t error = call;                            \
        if (error != cudaSuccess) {                                \
            fprintf(stderr, "Error: %s:%d, ", __FILE__, __LINE__); \
            fprintf(stderr, "%s\n", cudaGetErrorString(error));    \
            exit(1);                                               \
        }                                                          \
    }

inline int divide_up(int a, int b) { return (a + b - 1) / b; }

template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    return value;
}
