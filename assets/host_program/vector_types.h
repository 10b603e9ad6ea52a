// CUDA's vector types and dim3, with the alignment that kernels expect.
#pragma once

#include "program/words.h"

namespace warplens_program {

/// How many elements a vector type has; 0 for all other types.
template <class Type>
inline constexpr int vector_length = 0;

}  // namespace warplens_program

#define WARPLENS_VECTOR_TYPE(name, count, bytes, ...) \
    struct __align__(bytes) name {                    \
        __VA_ARGS__;                                  \
    };                                                \
    template <>                                       \
    inline constexpr int warplens_program::vector_length<name> = count;

#define WARPLENS_VECTOR_TYPES(name, type, align1, align2, align3, align4) \
    WARPLENS_VECTOR_TYPE(name##1, 1, align1, type x)                      \
    WARPLENS_VECTOR_TYPE(name##2, 2, align2, type x, y)                   \
    WARPLENS_VECTOR_TYPE(name##3, 3, align3, type x, y, z)                \
    WARPLENS_VECTOR_TYPE(name##4, 4, align4, type x, y, z, w)

WARPLENS_VECTOR_TYPES(char, signed char, 1, 2, 1, 4)
WARPLENS_VECTOR_TYPES(uchar, unsigned char, 1, 2, 1, 4)
WARPLENS_VECTOR_TYPES(short, short, 2, 4, 2, 8)
WARPLENS_VECTOR_TYPES(ushort, unsigned short, 2, 4, 2, 8)
WARPLENS_VECTOR_TYPES(int, int, 4, 8, 4, 16)
WARPLENS_VECTOR_TYPES(uint, unsigned int, 4, 8, 4, 16)
WARPLENS_VECTOR_TYPES(long, long int, 8, 16, 8, 16)
WARPLENS_VECTOR_TYPES(ulong, unsigned long int, 8, 16, 8, 16)
WARPLENS_VECTOR_TYPES(longlong, long long int, 8, 16, 8, 16)
WARPLENS_VECTOR_TYPES(ulonglong, unsigned long long int, 8, 16, 8, 16)
WARPLENS_VECTOR_TYPES(float, float, 4, 8, 4, 16)
WARPLENS_VECTOR_TYPES(double, double, 8, 16, 8, 16)

#undef WARPLENS_VECTOR_TYPES
#undef WARPLENS_VECTOR_TYPE

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int nx = 1, unsigned int ny = 1, unsigned int nz = 1) : x(nx), y(ny), z(nz) {}
    constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

template <>
inline constexpr int warplens_program::vector_length<dim3> = 3;
