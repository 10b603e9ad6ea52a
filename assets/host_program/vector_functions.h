// make_int2 and its siblings.
#pragma once

#include "vector_types.h"

#define WARPLENS_MAKE_VECTORS(name, type)                                                  \
    constexpr name##1 make_##name##1(type x) { return name##1 {x}; }                       \
    constexpr name##2 make_##name##2(type x, type y) { return name##2 {x, y}; }            \
    constexpr name##3 make_##name##3(type x, type y, type z) { return name##3 {x, y, z}; } \
    constexpr name##4 make_##name##4(type x, type y, type z, type w) { return name##4 {x, y, z, w}; }

WARPLENS_MAKE_VECTORS(char, signed char)
WARPLENS_MAKE_VECTORS(uchar, unsigned char)
WARPLENS_MAKE_VECTORS(short, short)
WARPLENS_MAKE_VECTORS(ushort, unsigned short)
WARPLENS_MAKE_VECTORS(int, int)
WARPLENS_MAKE_VECTORS(uint, unsigned int)
WARPLENS_MAKE_VECTORS(long, long int)
WARPLENS_MAKE_VECTORS(ulong, unsigned long int)
WARPLENS_MAKE_VECTORS(longlong, long long int)
WARPLENS_MAKE_VECTORS(ulonglong, unsigned long long int)
WARPLENS_MAKE_VECTORS(float, float)
WARPLENS_MAKE_VECTORS(double, double)

#undef WARPLENS_MAKE_VECTORS
