// half and half2 for host code: conversions and arithmetic.
#pragma once

#include <type_traits>

#include "cuda_runtime.h"
#include "program/small_floats.h"

struct __align__(2) __half_raw {
    unsigned short x;
};

struct __align__(2) __half {
    __half() = default;
    __half(__half_raw raw) : bits(raw.x) {}
    template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
    __half(Number value) : bits(warplens_program::HalfFormat::encode(static_cast<double>(value))) {}
    operator float() const { return warplens_program::HalfFormat::decode(bits); }
    operator __half_raw() const { return {bits}; }

  private:
    unsigned short bits;
};
typedef __half half;
typedef __half nv_half;
WARPLENS_SMALL_FLOAT_OPERATORS(__half)

struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    __half2(__half first, __half second) : x(first), y(second) {}
};
typedef __half2 half2;
typedef __half2 nv_half2;
WARPLENS_SMALL_FLOAT_PAIR_OPERATORS(__half2)

inline __half __float2half(float x) { return __half(x); }
inline __half __float2half_rn(float x) { return __half(x); }
inline __half __double2half(double x) { return __half(x); }
inline __half __int2half_rn(int x) { return __half(x); }
inline __half __uint2half_rn(unsigned int x) { return __half(x); }
inline __half __short2half_rn(short x) { return __half(x); }
inline float __half2float(__half x) { return x; }
inline int __half2int_rz(__half x) { return static_cast<int>(static_cast<float>(x)); }
inline int __half2int_rn(__half x) { return static_cast<int>(::lrintf(x)); }
inline unsigned short __half_as_ushort(__half x) { return static_cast<__half_raw>(x).x; }
inline __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
inline __half2 make_half2(__half x, __half y) { return __half2(x, y); }
inline __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
inline __half2 __half2half2(__half x) { return __half2(x, x); }
inline __half2 __float2half2_rn(float x) { return __half2(__half(x), __half(x)); }
inline __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
inline __half2 __float22half2_rn(float2 x) { return __half2(__half(x.x), __half(x.y)); }
inline float2 __half22float2(__half2 x) { return float2{x.x, x.y}; }
inline __half __low2half(__half2 x) { return x.x; }
inline __half __high2half(__half2 x) { return x.y; }
inline float __low2float(__half2 x) { return x.x; }
inline float __high2float(__half2 x) { return x.y; }
inline __half hsqrt(__half x) { return __half(::sqrtf(x)); }
inline __half hexp(__half x) { return __half(::expf(x)); }
inline __half hlog(__half x) { return __half(::logf(x)); }
