#include "simt/functional/execute/convert.h"

#include <algorithm>
#include <cmath>

#include "simt/functional/execute/half_values.h"
#include "simt/functional/execute/narrow_float.h"

namespace warplens::simt {

namespace {

using ptx::Type;

bool is_float(Type type) { return ptx::class_of(type) == ptx::TypeClass::floating; }
bool is_signed_integer(Type type) { return ptx::class_of(type) == ptx::TypeClass::signed_integer; }
int bits_in(Type type) { return 8 * ptx::size_of(type); }

float flushed_source(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

double number_from(Type type, u64 bits, bool ftz) {
    switch (type) {
        case Type::f16:
        case Type::f16x2:
            return half_to_float(static_cast<u16>(bits));
        case Type::bf16:
        case Type::bf16x2:
            return bfloat_to_float(static_cast<u16>(bits));
        case Type::f32: {
            float x = std::bit_cast<float>(static_cast<u32>(bits));
            return ftz ? flushed_source(x) : x;
        }
        default:
            return std::bit_cast<double>(bits);
    }
}

/// The value of an integer type's low bits, extended to 64.
u64 extended(Type type, u64 bits) {
    int unused = 64 - bits_in(type);
    return is_signed_integer(type) ? static_cast<u64>(static_cast<s64>(bits << unused) >> unused)
                                   : bits << unused >> unused;
}

double to_integral(double x, Rounding rounding) {
    switch (rounding) {
        case Rounding::toward_zero:
            return std::trunc(x);
        case Rounding::down:
            return std::floor(x);
        case Rounding::up:
            return std::ceil(x);
        default: {
            double below = std::floor(x), rest = x - below;
            double r = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2.0) != 0.0) ? below + 1.0 : below;
            return std::copysign(r, x);
        }
    }
}

/// "PTX ISA: cvt", integer notes: out of range clamps; a NaN becomes 0 between types of at most 32 bits,
/// otherwise only the highest bit is set.
u64 integer_from_float(Type to, Type from, double x, Rounding rounding) {
    const int bits = bits_in(to);
    if (x != x) return from == Type::f64 || bits == 64 ? extended(to, u64{1} << (bits - 1)) : 0;
    x = to_integral(x, rounding);
    if (is_signed_integer(to)) {
        double limit = std::ldexp(1.0, bits - 1);
        if (x >= limit) return (u64{1} << (bits - 1)) - 1;
        if (x <= -limit) return ~((u64{1} << (bits - 1)) - 1);
        return static_cast<u64>(static_cast<s64>(x));
    }
    if (x <= 0) return 0;
    if (x >= std::ldexp(1.0, bits)) return bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
    return static_cast<u64>(x);
}

u64 saturated(Type to, Type from, u64 value) {
    const int bits = bits_in(to);
    const bool negative = is_signed_integer(from) && static_cast<s64>(value) < 0;
    if (is_signed_integer(to)) {
        const s64 high = static_cast<s64>((u64{1} << (bits - 1)) - 1), low = -high - 1;
        if (negative) return static_cast<s64>(value) < low ? static_cast<u64>(low) : value;
        return value > static_cast<u64>(high) ? static_cast<u64>(high) : value;
    }
    if (negative) return 0;
    const u64 high = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
    return value > high ? high : value;
}

struct FloatTarget {
    FloatFormat format;
    u64 nan;
    int shift;  // tf32 uses the upper bits of 32
};
FloatTarget target_of(Type type) {
    switch (type) {
        case Type::f16:
        case Type::f16x2:
            return {format_f16, canonical_nan_half, 0};
        case Type::bf16:
        case Type::bf16x2:
            return {format_bf16, canonical_nan_half, 0};
        case Type::tf32:
            return {format_tf32, 0x7fffffffu >> 13, 13};
        case Type::f32:
            return {format_f32, 0x7fffffffu, 0};
        default:
            return {format_f64, 0x7ff8000000000000ull, 0};
    }
}

/// An infinite result or input becomes the largest finite number of its sign.
u64 within_numbers(FloatFormat format, double x, u64 bits) {
    const u64 sign = u64{1} << (format.stored_bits + format.exponent_bits);
    const u64 infinity = ((u64{1} << format.exponent_bits) - 1) << format.stored_bits;
    return x == x && (bits & (sign - 1)) == infinity ? bits - 1 : bits;
}

u64 float_from_float(ConvertFlags flags, double x) {
    if (const NarrowFormat* narrow = narrow_format(flags.to))
        return narrow_from_number(*narrow, flags.relu && x <= 0.0 ? 0.0 : x);
    const FloatTarget target = target_of(flags.to);
    if (flags.integral) x = x == x ? to_integral(x, flags.rounding) : x;
    if (flags.saturate) x = x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
    if (flags.relu && x <= 0.0) x = 0.0;
    if (flags.to == Type::f64 && x != x) return std::bit_cast<u64>(x) | 0x0008000000000000ull;
    u64 bits = round_to(target.format, x, flags.rounding, target.nan);
    if (flags.finite) bits = within_numbers(target.format, x, bits);
    bits <<= target.shift;
    if (flags.ftz && flags.to == Type::f32 && (bits & 0x7f800000u) == 0) bits &= 0x80000000u;
    return bits;
}

u64 float_from_integer(ConvertFlags flags, u64 value) {
    const FloatTarget target = target_of(flags.to);
    const bool negative = is_signed_integer(flags.from) && static_cast<s64>(value) < 0;
    if (flags.saturate) value = negative || value == 0 ? 0 : 1;
    u64 magnitude = negative && !flags.saturate ? 0 - value : value;
    return pack_float(target.format, negative && !flags.saturate, magnitude, 0, flags.rounding)
           << target.shift;
}

/// Distance in bits between the numbers of an x2 type.
int stride_of(Type type) {
    const NarrowFormat* narrow = narrow_format(type);
    return narrow ? narrow_stride(*narrow) : 16;
}

u64 read(Warp& warp, Row from, Type type, int lane) {
    return ptx::size_of(type) == 8 ? row<const u64>(warp, from)[lane] : row<const u32>(warp, from)[lane];
}

}  // namespace

u64 convert_value(ConvertFlags flags, u64 bits) {
    if (const NarrowFormat* narrow = narrow_format(flags.from))
        return float_from_float(flags, number_from_narrow(*narrow, static_cast<u32>(bits)));
    if (is_float(flags.from)) {
        double x = number_from(flags.from, bits, flags.ftz);
        if (is_float(flags.to)) return float_from_float(flags, x);
        return integer_from_float(flags.to, flags.from, x, flags.rounding);
    }
    u64 value = extended(flags.from, bits);
    if (is_float(flags.to)) return float_from_integer(flags, value);
    return flags.saturate ? saturated(flags.to, flags.from, value) : extended(flags.to, value);
}

const ExecutorRow* conversion_loop(ConvertFlags flags) {
    if (flags.saturate || flags.relu || flags.finite || flags.rounding == Rounding::nearest_away ||
        (flags.ftz && !flags.integral))
        return nullptr;
    const bool nearest = flags.rounding == Rounding::nearest_even,
               zero = flags.rounding == Rounding::toward_zero;
    std::string key = "cvt";
    // What .ftz would flush is rounded to the same zero otherwise.
    if (flags.ftz && !nearest && !zero) key += ".ftz";
    if (flags.integral || !nearest)
        key += nearest ? ".rn" : zero ? ".rz" : flags.rounding == Rounding::down ? ".rm" : ".rp";
    if (flags.integral) key += 'i';
    return find_executor(fmt::format("{}.{}.{}", key, ptx::to_string(flags.to), ptx::to_string(flags.from)));
}

void convert(Warp& warp, const DecodedOp& op, u32 mask) {
    const ConvertFlags flags = unpack_convert(op.flags);
    const bool wide = ptx::size_of(flags.to) == 8;
    for_each_lane({mask}, [&](int lane) {
        u64 bits = convert_value(flags, read(warp, op.rows[1], flags.from, lane));
        if (wide) row<u64>(warp, op.rows[0])[lane] = bits;
        else row<u32>(warp, op.rows[0])[lane] = static_cast<u32>(bits);
    });
}

void convert_packed(Warp& warp, const DecodedOp& op, u32 mask) {
    const ConvertFlags flags = unpack_convert(op.flags);
    const int stride = stride_of(flags.to);
    const int apart = flags.from == Type::f32 ? 0 : stride_of(flags.from);
    for_each_lane({mask}, [&](int lane) {
        const u64 first = read(warp, op.rows[1], flags.from, lane);
        const u64 low = convert_value(flags, apart == 0 ? read(warp, op.rows[2], flags.from, lane) : first);
        const u64 high = convert_value(flags, first >> apart);
        row<u32>(warp, op.rows[0])[lane] = static_cast<u32>(high << stride | low);
    });
}

void pack_integers(Warp& warp, const DecodedOp& op, u32 mask) {
    const PackFlags flags = unpack_integers(op.flags);
    const s64 high = (s64{1} << (flags.bits - (flags.is_signed ? 1 : 0))) - 1;
    const s64 low = flags.is_signed ? -high - 1 : 0;
    const u32 part = (1u << flags.bits) - 1;
    const auto clamped = [&](u32 bits) {
        return static_cast<u32>(std::clamp<s64>(static_cast<s32>(bits), low, high)) & part;
    };
    for_each_lane({mask}, [&](int lane) {
        const u32 a = row<const u32>(warp, op.rows[1])[lane], b = row<const u32>(warp, op.rows[2])[lane];
        u32 packed = clamped(a) << flags.bits | clamped(b);
        if (flags.has_upper) packed |= row<const u32>(warp, op.rows[3])[lane] << 2 * flags.bits;
        row<u32>(warp, op.rows[0])[lane] = packed;
    });
}

}  // namespace warplens::simt
