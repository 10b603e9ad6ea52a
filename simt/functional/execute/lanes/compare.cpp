// Comparisons and selection: "PTX ISA: Comparison and Selection Instructions". The keys are those of the
// comparison alone ("lt.ftz.f32"); the Boolean operation and second result of setp and set are in the
// operation's flags; finish_comparison handles them.
#include "simt/functional/decode/compare_flags.h"
#include "simt/functional/execute/lanes/float_values.h"
#include "simt/functional/execute/lanes/lane_loops.h"
#include "simt/functional/execute/lanes/rows.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

template <class T>
inline bool ordered(T a, T b) {
    return a == a && b == b;
}

#define LANE_COMPARISON(Name, expression) \
    struct Name {                         \
        template <class T>                \
        static bool apply(T a, T b) {     \
            return expression;            \
        }                                 \
    };
LANE_COMPARISON(Eq, a == b)
LANE_COMPARISON(Lt, a < b)
LANE_COMPARISON(Le, a <= b)
LANE_COMPARISON(Gt, a > b)
LANE_COMPARISON(Ge, a >= b)
LANE_COMPARISON(Ne, a != b)
LANE_COMPARISON(NeOrdered, ordered(a, b) && a != b)
LANE_COMPARISON(EqU, !ordered(a, b) || a == b)
LANE_COMPARISON(LtU, !(a >= b))
LANE_COMPARISON(LeU, !(a > b))
LANE_COMPARISON(GtU, !(a <= b))
LANE_COMPARISON(GeU, !(a < b))
LANE_COMPARISON(Num, ordered(a, b))
LANE_COMPARISON(Nan, !ordered(a, b))

template <bool Ftz, class T>
inline T seen(T x) {
    return x;
}
template <>
inline float seen<true, float>(float x) {
    return flush(x);
}

template <class T, class F, bool Ftz = false>
void compare(Warp& warp, const DecodedOp& op, u32 mask) {
    auto* a = source<T>(warp, op, 2);
    auto* b = source<T>(warp, op, 3);
    u32 bits = 0;
    for (int i = 0; i < warp_size; ++i)
        bits |= u32{F::apply(seen<Ftz>(static_cast<T>(a[i])), seen<Ftz>(static_cast<T>(b[i])))} << i;
    if (op.flags == 0) [[likely]]
        set_predicate(warp, op.rows[0], mask, bits);
    else finish_comparison(warp, op, mask, bits);
}

template <class T>
void select(Warp& warp, const DecodedOp& op, u32 mask) {
    T* d = row<T>(warp, op.rows[0]);
    const T* a = row<const T>(warp, op.rows[1]);
    const T* b = row<const T>(warp, op.rows[2]);
    u32 p = predicate(warp, op.rows[3]);
    each_lane(mask, d, [&](int i) { return ((p >> i) & 1u) ? a[i] : b[i]; });
}

template <class T>
void select_by_sign(Warp& warp, const DecodedOp& op, u32 mask) {
    T* d = row<T>(warp, op.rows[0]);
    const T* a = row<const T>(warp, op.rows[1]);
    const T* b = row<const T>(warp, op.rows[2]);
    const s32* c = row<const s32>(warp, op.rows[3]);
    each_lane(mask, d, [&](int i) { return c[i] >= 0 ? a[i] : b[i]; });
}
template <class T, bool Ftz>
void select_by_float_sign(Warp& warp, const DecodedOp& op, u32 mask) {
    T* d = row<T>(warp, op.rows[0]);
    const T* a = row<const T>(warp, op.rows[1]);
    const T* b = row<const T>(warp, op.rows[2]);
    const float* c = row<const float>(warp, op.rows[3]);
    each_lane(mask, d, [&](int i) { return input<Ftz>(c[i]) >= 0.0f ? a[i] : b[i]; });
}

#define EQUALITY(type, letters, T) \
    {"eq." type, letters, compare<T, Eq>}, { "ne." type, letters, compare<T, Ne> }
#define ORDER(type, letters, T)                                                   \
    {"lt." type, letters, compare<T, Lt>}, {"le." type, letters, compare<T, Le>}, \
        {"gt." type, letters, compare<T, Gt>}, {                                  \
        "ge." type, letters, compare<T, Ge>                                       \
    }
#define UNSIGNED_NAMES(type, letters, T)                                          \
    {"lo." type, letters, compare<T, Lt>}, {"ls." type, letters, compare<T, Le>}, \
        {"hi." type, letters, compare<T, Gt>}, {                                  \
        "hs." type, letters, compare<T, Ge>                                       \
    }
#define FLOATING(type, letters, T, ftz)                                                             \
    {"eq." type, letters, compare<T, Eq, ftz>}, {"ne." type, letters, compare<T, NeOrdered, ftz>},  \
        {"lt." type, letters, compare<T, Lt, ftz>}, {"le." type, letters, compare<T, Le, ftz>},     \
        {"gt." type, letters, compare<T, Gt, ftz>}, {"ge." type, letters, compare<T, Ge, ftz>},     \
        {"equ." type, letters, compare<T, EqU, ftz>}, {"neu." type, letters, compare<T, Ne, ftz>},  \
        {"ltu." type, letters, compare<T, LtU, ftz>}, {"leu." type, letters, compare<T, LeU, ftz>}, \
        {"gtu." type, letters, compare<T, GtU, ftz>}, {"geu." type, letters, compare<T, GeU, ftz>}, \
        {"num." type, letters, compare<T, Num, ftz>}, {                                             \
        "nan." type, letters, compare<T, Nan, ftz>                                                  \
    }
#define SELECT(type, letters, T) \
    { "selp." type, letters "p", select<T> }
#define SELECT_BY_SIGN(type, letters, T)                                      \
    {"slct." type ".s32", letters "w", select_by_sign<T>},                    \
        {"slct." type ".f32", letters "f", select_by_float_sign<T, false>}, { \
        "slct.ftz." type ".f32", letters "f", select_by_float_sign<T, true>   \
    }

constexpr ExecutorRow compare_table[] = {
    EQUALITY("b16", "ww", u16),
    EQUALITY("b32", "ww", u32),
    EQUALITY("b64", "dd", u64),
    EQUALITY("u16", "ww", u16),
    EQUALITY("u32", "ww", u32),
    EQUALITY("u64", "dd", u64),
    EQUALITY("s16", "ww", u16),
    EQUALITY("s32", "ww", u32),
    EQUALITY("s64", "dd", u64),
    ORDER("u16", "ww", u16),
    ORDER("u32", "ww", u32),
    ORDER("u64", "dd", u64),
    ORDER("s16", "ww", s16),
    ORDER("s32", "ww", s32),
    ORDER("s64", "dd", s64),
    UNSIGNED_NAMES("u16", "ww", u16),
    UNSIGNED_NAMES("u32", "ww", u32),
    UNSIGNED_NAMES("u64", "dd", u64),
    FLOATING("f32", "ff", float, false),
    FLOATING("ftz.f32", "ff", float, true),
    FLOATING("f64", "DD", double, false),
    SELECT("b16", "www", u32),
    SELECT("u16", "www", u32),
    SELECT("s16", "www", u32),
    SELECT("f16", "hhh", u32),
    SELECT("b32", "www", u32),
    SELECT("u32", "www", u32),
    SELECT("s32", "www", u32),
    SELECT("f32", "fff", u32),
    SELECT("b64", "ddd", u64),
    SELECT("u64", "ddd", u64),
    SELECT("s64", "ddd", u64),
    SELECT("f64", "DDD", u64),
    SELECT_BY_SIGN("b32", "www", u32),
    SELECT_BY_SIGN("u32", "www", u32),
    SELECT_BY_SIGN("s32", "www", u32),
    SELECT_BY_SIGN("f32", "fff", u32),
    SELECT_BY_SIGN("b64", "ddd", u64),
    SELECT_BY_SIGN("u64", "ddd", u64),
    SELECT_BY_SIGN("s64", "ddd", u64),
    SELECT_BY_SIGN("f64", "DDD", u64),
    SELECT_BY_SIGN("b16", "www", u32),
    SELECT_BY_SIGN("u16", "www", u32),
    SELECT_BY_SIGN("s16", "www", u32),
};

}  // namespace

ExecutorRows compare_rows() { return compare_table; }

}  // namespace warplens::simt::WARPLENS_LANES
