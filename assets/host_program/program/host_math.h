// Functions of device code that a host computes as well: min and max, roots, bits, fast arithmetic.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

// As functions, no templates: they win over std::min where a program writes `using namespace std`.
#define WARPLENS_MIN_MAX(left, right, result)                                            \
    inline result min(left a, right b) {                                                 \
        return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a)  \
                                                               : static_cast<result>(b); \
    }                                                                                    \
    inline result max(left a, right b) {                                                 \
        return static_cast<result>(a) > static_cast<result>(b) ? static_cast<result>(a)  \
                                                               : static_cast<result>(b); \
    }
#define WARPLENS_INTEGER_MIN_MAX(type)                            \
    WARPLENS_MIN_MAX(type, type, type)                            \
    WARPLENS_MIN_MAX(unsigned type, unsigned type, unsigned type) \
    WARPLENS_MIN_MAX(unsigned type, type, unsigned type)          \
    WARPLENS_MIN_MAX(type, unsigned type, unsigned type)

WARPLENS_INTEGER_MIN_MAX(int)
WARPLENS_INTEGER_MIN_MAX(long)
WARPLENS_INTEGER_MIN_MAX(long long)

#undef WARPLENS_INTEGER_MIN_MAX
#undef WARPLENS_MIN_MAX

// As fminf: the number where one of the two is not a number.
inline float min(float a, float b) { return ::fminf(a, b); }
inline float max(float a, float b) { return ::fmaxf(a, b); }
inline double min(double a, double b) { return ::fmin(a, b); }
inline double max(double a, double b) { return ::fmax(a, b); }
inline double min(float a, double b) { return ::fmin(a, b); }
inline double max(float a, double b) { return ::fmax(a, b); }
inline double min(double a, float b) { return ::fmin(a, b); }
inline double max(double a, float b) { return ::fmax(a, b); }

inline float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / ::cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
inline float sinpif(float x) { return static_cast<float>(::sin(x * 3.14159265358979323846)); }
inline float cospif(float x) { return static_cast<float>(::cos(x * 3.14159265358979323846)); }
inline double sinpi(double x) { return ::sin(x * 3.14159265358979323846); }
inline double cospi(double x) { return ::cos(x * 3.14159265358979323846); }
inline float normcdff(float x) { return 0.5f * ::erfcf(-x * 0.70710678f); }
inline double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752440); }
inline unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
inline unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
inline float __saturatef(float x) { return x >= 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; }

namespace warplens_program {

/// The same bits as another type.
template <class To, class From>
To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "both types have as many bits");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

}  // namespace warplens_program

inline int __float_as_int(float x) { return warplens_program::same_bits<int>(x); }
inline unsigned int __float_as_uint(float x) { return warplens_program::same_bits<unsigned int>(x); }
inline float __int_as_float(int x) { return warplens_program::same_bits<float>(x); }
inline float __uint_as_float(unsigned int x) { return warplens_program::same_bits<float>(x); }
inline long long __double_as_longlong(double x) { return warplens_program::same_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return warplens_program::same_bits<double>(x); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }

inline float __fdividef(float a, float b) { return a / b; }
inline float fdividef(float a, float b) { return a / b; }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fsqrt_rn(float x) { return ::sqrtf(x); }
inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / ::sqrt(static_cast<double>(x))); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return ::fmaf(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __fma_rn(double a, double b, double c) { return ::fma(a, b, c); }

// Words and no functions: the C library declares functions of these names.
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf

inline int __float2int_rn(float x) { return static_cast<int>(::lrintf(x)); }
inline int __float2int_rz(float x) { return static_cast<int>(x); }
inline int __float2int_rd(float x) { return static_cast<int>(::floorf(x)); }
inline int __float2int_ru(float x) { return static_cast<int>(::ceilf(x)); }
inline unsigned int __float2uint_rn(float x) { return static_cast<unsigned int>(::llrintf(x)); }
inline unsigned int __float2uint_rz(float x) { return static_cast<unsigned int>(x); }
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned int x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned int __brev(unsigned int x) {
    unsigned int reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= ((x >> bit) & 1u) << (31 - bit);
    return reversed;
}
inline unsigned long long __brevll(unsigned long long x) {
    return (static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32) |
           __brev(static_cast<unsigned int>(x >> 32));
}
inline unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector) {
    const unsigned long long bytes = (static_cast<unsigned long long>(high) << 32) | low;
    unsigned int result = 0;
    for (unsigned int i = 0; i < 4; ++i) {
        const unsigned int chosen = (selector >> (4 * i)) & 7u;
        result |= static_cast<unsigned int>((bytes >> (8 * chosen)) & 0xffu) << (8 * i);
    }
    return result;
}
inline int __mul24(int a, int b) {
    const auto low = [](int x) { return static_cast<int>(static_cast<unsigned int>(x) << 8) >> 8; };
    return static_cast<int>(static_cast<long long>(low(a)) * low(b));
}
inline unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
inline unsigned int __umulhi(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(a) * b) >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    const unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
    return static_cast<unsigned int>((both << (shift & 31u)) >> 32);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    const unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
    return static_cast<unsigned int>(both >> (shift & 31u));
}
inline int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; ++i)
        c += static_cast<std::int8_t>(a >> (8 * i)) * static_cast<std::int8_t>(b >> (8 * i));
    return c;
}
