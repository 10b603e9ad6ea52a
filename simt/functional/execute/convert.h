// Conversions between any two scalar types ("PTX ISA: cvt"), one lane at a time, exact in every mode.
#pragma once

#include "ptx/types.h"
#include "simt/functional/block/warp.h"
#include "simt/functional/execute/executor_table.h"
#include "simt/functional/execute/float_format.h"

namespace warplens::simt {

struct ConvertFlags {
    ptx::Type to = ptx::Type::none, from = ptx::Type::none;
    Rounding rounding = Rounding::nearest_even;
    bool integral = false;  // .rni and the like: round to an integral value
    bool ftz = false;
    bool saturate = false;
    bool relu = false;
    bool finite = false;  // .satfinite: clamp to the largest finite number
};
constexpr u32 pack(ConvertFlags f) {
    return static_cast<u32>(f.to) | static_cast<u32>(f.from) << 8 | static_cast<u32>(f.rounding) << 16 |
           u32{f.integral} << 20 | u32{f.ftz} << 21 | u32{f.saturate} << 22 | u32{f.relu} << 23 |
           u32{f.finite} << 24;
}
constexpr ConvertFlags unpack_convert(u32 bits) {
    return {static_cast<ptx::Type>(bits & 0xff),
            static_cast<ptx::Type>(bits >> 8 & 0xff),
            static_cast<Rounding>(bits >> 16 & 0xf),
            (bits >> 20 & 1) != 0,
            (bits >> 21 & 1) != 0,
            (bits >> 22 & 1) != 0,
            (bits >> 23 & 1) != 0,
            (bits >> 24 & 1) != 0};
}

/// The loop over lanes of a conversion between scalar types, rows: result, source; nullptr if it has none,
/// and convert() does it.
const ExecutorRow* conversion_loop(ConvertFlags flags);

void convert(Warp& warp, const DecodedOp& op, u32 mask);
/// Converts two numbers into one register of an x2 type: two f32, the first source to the upper half, or the
/// two of another x2 type.
void convert_packed(Warp& warp, const DecodedOp& op, u32 mask);

/// cvt.pack: two s32 clamped to small integers, the first above the second, and the low bits of a third
/// register above both.
struct PackFlags {
    u8 bits = 0;  // per integer
    bool is_signed = false;
    bool has_upper = false;
};
constexpr u32 pack(PackFlags f) { return u32{f.bits} | u32{f.is_signed} << 8 | u32{f.has_upper} << 9; }
constexpr PackFlags unpack_integers(u32 bits) {
    return {static_cast<u8>(bits & 0xff), (bits >> 8 & 1) != 0, (bits >> 9 & 1) != 0};
}
void pack_integers(Warp& warp, const DecodedOp& op, u32 mask);

/// One value: bits of `from` in, bits of `to` out (integers extended to 64 bits by their sign).
u64 convert_value(ConvertFlags flags, u64 bits);

}  // namespace warplens::simt
