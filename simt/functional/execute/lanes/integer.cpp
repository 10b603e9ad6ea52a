// Integer arithmetic: "PTX ISA: Integer Arithmetic Instructions" and the extended-precision ones with carry.
// Division is in ../divide.cpp.
#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/execute/lanes/rows.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

using u128 = unsigned __int128;
using s128 = __int128;

struct Add {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a + b);
    }
};
struct Sub {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a - b);
    }
};
struct Mul {
    static u16 apply(u16 a, u16 b) { return static_cast<u16>(u32{a} * b); }
    template <class T>
    static T apply(T a, T b) {
        return a * b;
    }
};
struct MulAdd {
    static u16 apply(u16 a, u16 b, u16 c) { return static_cast<u16>(u32{a} * b + c); }
    template <class T>
    static T apply(T a, T b, T c) {
        return a * b + c;
    }
};

template <class T>
struct Double;
template <>
struct Double<u16> {
    using type = u32;
};
template <>
struct Double<s16> {
    using type = s32;
};
template <>
struct Double<u32> {
    using type = u64;
};
template <>
struct Double<s32> {
    using type = s64;
};
template <>
struct Double<u64> {
    using type = u128;
};
template <>
struct Double<s64> {
    using type = s128;
};
template <class T>
struct Unsigned {
    using type = T;
};
template <>
struct Unsigned<s16> {
    using type = u16;
};
template <>
struct Unsigned<s32> {
    using type = u32;
};
template <>
struct Unsigned<s64> {
    using type = u64;
};

template <class T>
inline T high(T a, T b) {
    using D = typename Double<T>::type;
    return static_cast<T>((static_cast<D>(a) * static_cast<D>(b)) >> (8 * sizeof(T)));
}

struct MulHi {
    template <class T>
    static T apply(T a, T b) {
        return high(a, b);
    }
};
struct MulHiAdd {
    template <class T>
    static T apply(T a, T b, T c) {
        using U = typename Unsigned<T>::type;
        return static_cast<T>(static_cast<U>(high(a, b)) + static_cast<U>(c));
    }
};
struct MulHiAddSat {
    static s32 apply(s32 a, s32 b, s32 c) {
        s64 sum = s64{high(a, b)} + c;
        return static_cast<s32>(sum > 0x7fffffff        ? 0x7fffffff
                                : sum < -0x7fffffff - 1 ? -0x7fffffff - 1
                                                        : sum);
    }
};
struct MulWide {
    template <class T>
    static typename Double<T>::type apply(T a, T b) {
        using D = typename Double<T>::type;
        return static_cast<D>(a) * static_cast<D>(b);
    }
};
struct MulWideAdd {
    template <class T, class C>
    static C apply(T a, T b, C c) {
        using D = typename Double<T>::type;
        return static_cast<C>(static_cast<C>(static_cast<D>(a) * static_cast<D>(b)) + c);
    }
};
template <bool Signed>
struct Mul24Lo {
    static s64 extend(u32 a) { return Signed ? s64{static_cast<s32>(a << 8) >> 8} : s64{a & 0xffffffu}; }
    static u32 apply(u32 a, u32 b) { return static_cast<u32>(extend(a) * extend(b)); }
    static u32 apply(u32 a, u32 b, u32 c) { return apply(a, b) + c; }
};
template <bool Signed>
struct Mul24Hi {
    static u32 apply(u32 a, u32 b) {
        return static_cast<u32>(static_cast<u64>(Mul24Lo<Signed>::extend(a) * Mul24Lo<Signed>::extend(b)) >>
                                16);
    }
    static u32 apply(u32 a, u32 b, u32 c) { return apply(a, b) + c; }
};

inline s32 clamp32(s64 v) {
    return static_cast<s32>(v > 0x7fffffff ? 0x7fffffff : v < -0x7fffffffLL - 1 ? -0x7fffffffLL - 1 : v);
}
struct AddSat {
    static s32 apply(s32 a, s32 b) { return clamp32(s64{a} + b); }
};
struct SubSat {
    static s32 apply(s32 a, s32 b) { return clamp32(s64{a} - b); }
};
struct Min {
    template <class T>
    static T apply(T a, T b) {
        return a < b ? a : b;
    }
};
struct Max {
    template <class T>
    static T apply(T a, T b) {
        return a > b ? a : b;
    }
};
template <class Pick>
struct Relu {
    static s32 apply(s32 a, s32 b) {
        s32 r = Pick::apply(a, b);
        return r < 0 ? 0 : r;
    }
};
struct Neg {
    template <class T>
    static T apply(T a) {
        return static_cast<T>(T{0} - a);
    }
};
struct Abs {
    template <class T>
    static T apply(T a) {
        using U = typename Unsigned<T>::type;
        return static_cast<T>(a < 0 ? static_cast<U>(U{0} - static_cast<U>(a)) : static_cast<U>(a));
    }
};
struct Sad {
    template <class T>
    static T apply(T a, T b, T c) {
        using U = typename Unsigned<T>::type;
        U distance = static_cast<U>(a < b ? static_cast<U>(b) - static_cast<U>(a)
                                          : static_cast<U>(a) - static_cast<U>(b));
        return static_cast<T>(static_cast<U>(static_cast<U>(c) + distance));
    }
};

/// Two packed 16-bit halves.
template <class T, class F>
struct EachHalf {
    static u32 apply(u32 a, u32 b) {
        T low = F::apply(static_cast<T>(a), static_cast<T>(b));
        T top = F::apply(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
        return u32{static_cast<u16>(low)} | u32{static_cast<u16>(top)} << 16;
    }
};

/// Dot products of bytes (dp4a) or of halves of `a` with bytes of `b` (dp2a), added to c.
template <bool SignedA, bool SignedB>
struct Dot4 {
    static u32 apply(u32 a, u32 b, u32 c) {
        for (int i = 0; i < 32; i += 8) {
            s32 x = SignedA ? static_cast<s8>(a >> i) : static_cast<s32>(a >> i & 0xff);
            s32 y = SignedB ? static_cast<s8>(b >> i) : static_cast<s32>(b >> i & 0xff);
            c += static_cast<u32>(x * y);
        }
        return c;
    }
};
template <bool SignedA, bool SignedB, int FirstByte>
struct Dot2 {
    static u32 apply(u32 a, u32 b, u32 c) {
        for (int i = 0; i < 2; ++i) {
            s32 x = SignedA ? static_cast<s16>(a >> 16 * i) : static_cast<s32>(a >> 16 * i & 0xffff);
            u32 byte = b >> 8 * (FirstByte + i);
            s32 y = SignedB ? static_cast<s8>(byte) : static_cast<s32>(byte & 0xff);
            c += static_cast<u32>(x * y);
        }
        return c;
    }
};

/// a + b + carry in, with U one bit wider than its value. `In` reads CC.CF, `Out` writes it; a subtraction's
/// carry is the borrow ("PTX ISA: sub.cc").
template <class U, bool Subtract, bool In, bool Out>
void add_with_carry(Warp& warp, const DecodedOp& op, u32 mask) {
    U* d = row<U>(warp, op.rows[0]);
    const U* a = row<const U>(warp, op.rows[1]);
    const U* b = row<const U>(warp, op.rows[2]);
    u32 carry = In ? warp.carry : 0;
    u32 next = 0;
    for (int i = 0; i < warp_size; ++i) {
        if (!((mask >> i) & 1u)) continue;
        U in = (carry >> i) & 1u;
        U x = a[i], y = b[i];
        U partial = Subtract ? x - y : x + y;
        U result = Subtract ? partial - in : partial + in;
        bool over = Subtract ? (x < y) || (partial < in) : (partial < x) || (result < in);
        next |= u32{over} << i;
        d[i] = result;
    }
    if (Out) warp.carry = (warp.carry & ~mask) | next;
}

template <class U, class T, bool High, bool In, bool Out>
void multiply_add_with_carry(Warp& warp, const DecodedOp& op, u32 mask) {
    U* d = row<U>(warp, op.rows[0]);
    const U* a = row<const U>(warp, op.rows[1]);
    const U* b = row<const U>(warp, op.rows[2]);
    const U* c = row<const U>(warp, op.rows[3]);
    u32 next = 0;
    for (int i = 0; i < warp_size; ++i) {
        if (!((mask >> i) & 1u)) continue;
        U product = High ? static_cast<U>(high<T>(static_cast<T>(a[i]), static_cast<T>(b[i]))) : a[i] * b[i];
        U in = In ? (warp.carry >> i) & 1u : 0;
        U partial = product + c[i];
        U result = partial + in;
        bool over = (partial < product) || (result < in);
        next |= u32{over} << i;
        d[i] = result;
    }
    if (Out) warp.carry = (warp.carry & ~mask) | next;
}

#define CARRY(suffix, letters, U)                                           \
    {"add.cc." suffix, letters, add_with_carry<U, false, false, true>},     \
        {"addc." suffix, letters, add_with_carry<U, false, true, false>},   \
        {"addc.cc." suffix, letters, add_with_carry<U, false, true, true>}, \
        {"sub.cc." suffix, letters, add_with_carry<U, true, false, true>},  \
        {"subc." suffix, letters, add_with_carry<U, true, true, false>}, {  \
        "subc.cc." suffix, letters, add_with_carry<U, true, true, true>     \
    }
#define CARRY_MULTIPLY(suffix, letters, U, T)                                                \
    {"mad.cc.lo." suffix, letters, multiply_add_with_carry<U, T, false, false, true>},       \
        {"mad.cc.hi." suffix, letters, multiply_add_with_carry<U, T, true, false, true>},    \
        {"madc.lo." suffix, letters, multiply_add_with_carry<U, T, false, true, false>},     \
        {"madc.hi." suffix, letters, multiply_add_with_carry<U, T, true, true, false>},      \
        {"madc.cc.lo." suffix, letters, multiply_add_with_carry<U, T, false, true, true>}, { \
        "madc.cc.hi." suffix, letters, multiply_add_with_carry<U, T, true, true, true>       \
    }
#define ANY_SIGN(name, letters, F, shape)                                                             \
    {name ".u16", letters[0], shape<u16, u16, F>}, {name ".s16", letters[0], shape<u16, u16, F>},     \
        {name ".u32", letters[0], shape<u32, u32, F>}, {name ".s32", letters[0], shape<u32, u32, F>}, \
        {name ".u64", letters[1], shape<u64, u64, F>}, {                                              \
        name ".s64", letters[1], shape<u64, u64, F>                                                   \
    }
#define BY_SIGN(name, letters, F, shape)                                                              \
    {name ".u16", letters[0], shape<u16, u16, F>}, {name ".s16", letters[0], shape<s16, s16, F>},     \
        {name ".u32", letters[0], shape<u32, u32, F>}, {name ".s32", letters[0], shape<s32, s32, F>}, \
        {name ".u64", letters[1], shape<u64, u64, F>}, {                                              \
        name ".s64", letters[1], shape<s64, s64, F>                                                   \
    }

constexpr const char* two[] = {"ww", "dd"};
constexpr const char* three[] = {"www", "ddd"};
constexpr const char* four[] = {"wwww", "dddd"};

constexpr ExecutorRow integer_table[] = {
    ANY_SIGN("add", three, Add, binary),
    ANY_SIGN("sub", three, Sub, binary),
    ANY_SIGN("mul.lo", three, Mul, binary),
    ANY_SIGN("mad.lo", four, MulAdd, ternary),
    BY_SIGN("mul.hi", three, MulHi, binary),
    BY_SIGN("mad.hi", four, MulHiAdd, ternary),
    BY_SIGN("min", three, Min, binary),
    BY_SIGN("max", three, Max, binary),
    BY_SIGN("sad", four, Sad, ternary),
    {"mad.hi.sat.s32", "wwww", ternary<s32, s32, MulHiAddSat>},
    {"mul.wide.u16", "www", binary<u32, u16, MulWide>},
    {"mul.wide.s16", "www", binary<u32, s16, MulWide>},
    {"mul.wide.u32", "dww", binary<u64, u32, MulWide>},
    {"mul.wide.s32", "dww", binary<u64, s32, MulWide>},
    {"mad.wide.u16", "wwww", ternary<u32, u16, MulWideAdd>},
    {"mad.wide.s16", "wwww", ternary<u32, s16, MulWideAdd>},
    {"mad.wide.u32", "dwwd", ternary<u64, u32, MulWideAdd>},
    {"mad.wide.s32", "dwwd", ternary<u64, s32, MulWideAdd>},
    {"mul24.lo.u32", "www", binary<u32, u32, Mul24Lo<false>>},
    {"mul24.lo.s32", "www", binary<u32, u32, Mul24Lo<true>>},
    {"mul24.hi.u32", "www", binary<u32, u32, Mul24Hi<false>>},
    {"mul24.hi.s32", "www", binary<u32, u32, Mul24Hi<true>>},
    {"mad24.lo.u32", "wwww", ternary<u32, u32, Mul24Lo<false>>},
    {"mad24.lo.s32", "wwww", ternary<u32, u32, Mul24Lo<true>>},
    {"mad24.hi.u32", "wwww", ternary<u32, u32, Mul24Hi<false>>},
    {"mad24.hi.s32", "wwww", ternary<u32, u32, Mul24Hi<true>>},
    {"add.sat.s32", "www", binary<s32, s32, AddSat>},
    {"sub.sat.s32", "www", binary<s32, s32, SubSat>},
    {"min.relu.s32", "www", binary<s32, s32, Relu<Min>>},
    {"max.relu.s32", "www", binary<s32, s32, Relu<Max>>},
    {"add.u16x2", "www", binary<u32, u32, EachHalf<u16, Add>>},
    {"add.s16x2", "www", binary<u32, u32, EachHalf<u16, Add>>},
    {"min.u16x2", "www", binary<u32, u32, EachHalf<u16, Min>>},
    {"min.s16x2", "www", binary<u32, u32, EachHalf<s16, Min>>},
    {"max.u16x2", "www", binary<u32, u32, EachHalf<u16, Max>>},
    {"max.s16x2", "www", binary<u32, u32, EachHalf<s16, Max>>},
    {"neg.s16", "ww", unary<u16, u16, Neg>},
    {"neg.s32", "ww", unary<u32, u32, Neg>},
    {"neg.s64", "dd", unary<u64, u64, Neg>},
    {"abs.s16", "ww", unary<s16, s16, Abs>},
    {"abs.s32", "ww", unary<s32, s32, Abs>},
    {"abs.s64", "dd", unary<s64, s64, Abs>},
    {"dp4a.u32.u32", "wwww", ternary<u32, u32, Dot4<false, false>>},
    {"dp4a.u32.s32", "wwww", ternary<u32, u32, Dot4<false, true>>},
    {"dp4a.s32.u32", "wwww", ternary<u32, u32, Dot4<true, false>>},
    {"dp4a.s32.s32", "wwww", ternary<u32, u32, Dot4<true, true>>},
    {"dp2a.lo.u32.u32", "wwww", ternary<u32, u32, Dot2<false, false, 0>>},
    {"dp2a.lo.u32.s32", "wwww", ternary<u32, u32, Dot2<false, true, 0>>},
    {"dp2a.lo.s32.u32", "wwww", ternary<u32, u32, Dot2<true, false, 0>>},
    {"dp2a.lo.s32.s32", "wwww", ternary<u32, u32, Dot2<true, true, 0>>},
    {"dp2a.hi.u32.u32", "wwww", ternary<u32, u32, Dot2<false, false, 2>>},
    {"dp2a.hi.u32.s32", "wwww", ternary<u32, u32, Dot2<false, true, 2>>},
    {"dp2a.hi.s32.u32", "wwww", ternary<u32, u32, Dot2<true, false, 2>>},
    {"dp2a.hi.s32.s32", "wwww", ternary<u32, u32, Dot2<true, true, 2>>},
    CARRY("u32", "www", u32),
    CARRY("s32", "www", u32),
    CARRY("u64", "ddd", u64),
    CARRY("s64", "ddd", u64),
    CARRY_MULTIPLY("u32", "wwww", u32, u32),
    CARRY_MULTIPLY("s32", "wwww", u32, s32),
    CARRY_MULTIPLY("u64", "dddd", u64, u64),
    CARRY_MULTIPLY("s64", "dddd", u64, s64),
};

}  // namespace

ExecutorRows integer_rows() { return integer_table; }

}  // namespace warplens::simt::WARPLENS_LANES
