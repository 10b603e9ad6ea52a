// min and max in rare forms: f32 by magnitude with .NaN, .ftz or three operands, pairs of s16 with .relu. The
// common forms are in lanes/.
#include <algorithm>
#include <bit>
#include <cmath>

#include "simt/functional/block/warp.h"
#include "simt/functional/decode/lanewise_flags.h"
#include "simt/functional/execute/scalar_rows.h"

namespace warplens::simt {

namespace {

constexpr u32 sign_bit = 0x80000000u;

float prepared(float x, u32 flags) {
    if ((flags & flag_ftz) && std::fabs(x) < 0x1p-126f) x = std::copysign(0.0f, x);
    return flags & flag_abs ? std::fabs(x) : x;
}

/// -0 is less than +0; of a NaN and a number the result is the number, with .NaN the NaN.
template <bool Max>
float chosen(float a, float b, u32 flags) {
    const bool a_nan = a != a, b_nan = b != b;
    if ((a_nan && b_nan) || ((a_nan || b_nan) && (flags & flag_nan)))
        return std::bit_cast<float>(0x7fffffffu);
    if (a_nan || b_nan) return a_nan ? b : a;
    if (a == b) return std::signbit(a) == Max ? b : a;
    return (a > b) == Max ? a : b;
}

template <bool Max>
void by_flags(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        const float a = row<const float>(warp, op.rows[1])[lane],
                    b = row<const float>(warp, op.rows[2])[lane];
        u32 r = std::bit_cast<u32>(chosen<Max>(prepared(a, op.flags), prepared(b, op.flags), op.flags));
        const bool number = (r & ~sign_bit) <= 0x7f800000u;
        if ((op.flags & flag_xorsign) && number)
            r |= (std::bit_cast<u32>(a) ^ std::bit_cast<u32>(b)) & sign_bit;
        row<u32>(warp, op.rows[0])[lane] = r;
    });
}

/// Pairs of s16; .relu sets negative results to 0.
template <bool Max>
void of_half_words(Warp& warp, const DecodedOp& op, u32 mask) {
    for_each_lane({mask}, [&](int lane) {
        u32 result = 0;
        for (int shift = 0; shift < 32; shift += 16) {
            const s16 a = static_cast<s16>(row<const u32>(warp, op.rows[1])[lane] >> shift);
            const s16 b = static_cast<s16>(row<const u32>(warp, op.rows[2])[lane] >> shift);
            s16 r = Max ? std::max(a, b) : std::min(a, b);
            if (op.flags & flag_relu) r = std::max(r, s16{0});
            result |= u32{static_cast<u16>(r)} << shift;
        }
        row<u32>(warp, op.rows[0])[lane] = result;
    });
}

constexpr ExecutorRow extremum_table[] = {
    {"min.f32+", "fff", by_flags<false>},
    {"max.f32+", "fff", by_flags<true>},
    {"min.s16x2+", "www", of_half_words<false>},
    {"max.s16x2+", "www", of_half_words<true>},
};

}  // namespace

ExecutorRows extremum_rows() { return extremum_table; }

}  // namespace warplens::simt
