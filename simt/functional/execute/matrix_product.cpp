#include "simt/functional/execute/matrix_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "simt/functional/execute/half_values.h"

namespace warplens::simt {

namespace {

constexpr MatrixFloat float_types[] = {
    {MatrixElement::e4m3, 4, 3, 0, false},  {MatrixElement::e5m2, 5, 2, 0, true},
    {MatrixElement::f16, 5, 10, 0, true},   {MatrixElement::bf16, 8, 7, 0, true},
    {MatrixElement::tf32, 8, 10, 13, true}, {MatrixElement::f32, 8, 23, 0, true},
};

constexpr u32 nan_f32 = 0x7fffffff, infinity_f32 = 0x7f800000, sign_f32 = 0x80000000;

/// sum * 2^exponent.
struct Sum {
    s64 value = 0;
    s32 exponent = 0;
};

/// `mantissa * 2^shift`, truncated to an integer.
s64 shifted(s64 mantissa, s32 shift) {
    if (shift >= 0) return mantissa << shift;
    if (shift <= -63) return 0;
    return mantissa < 0 ? -(-mantissa >> -shift) : mantissa >> -shift;
}

constexpr s32 no_exponent = std::numeric_limits<s32>::min() / 2;

class Adder {
  public:
    void see(s32 exponent) { largest_ = std::max(largest_, exponent); }
    void add(s64 mantissa, s32 exponent, int fraction) {
        if (mantissa != 0) sum_ += shifted(mantissa, exponent - fraction - (largest_ - kept_bits));
    }
    Sum sum() const { return {sum_, largest_ == no_exponent ? 0 : largest_ - kept_bits}; }

  private:
    s32 largest_ = no_exponent;
    s64 sum_ = 0;
};

u64 pack(FloatFormat format, Sum sum, Rounding rounding) {
    const bool negative = sum.value < 0;
    return pack_float(format, negative, static_cast<u64>(negative ? -sum.value : sum.value), sum.exponent,
                      rounding);
}
/// Truncates to f32; values that are too large become infinity.
u32 cut_to_f32(Sum sum) {
    const u64 magnitude = static_cast<u64>(sum.value < 0 ? -sum.value : sum.value);
    if (magnitude != 0 && sum.exponent + static_cast<s32>(std::bit_width(magnitude)) > 128)
        return sum.value < 0 ? sign_f32 | infinity_f32 : infinity_f32;
    return static_cast<u32>(pack(format_f32, sum, Rounding::toward_zero));
}

MatrixNumber number_of_f32(u32 bits) { return matrix_number(matrix_float(MatrixElement::f32), bits); }

/// NaN or infinity if a term of the sum is one.
std::optional<u32> special_sum(std::span<const MatrixNumber> a, std::span<const MatrixNumber> b,
                               const MatrixNumber& c) {
    using Kind = MatrixNumber::Kind;
    bool up = false, down = false;
    auto see_infinity = [&](bool negative) { (negative ? down : up) = true; };
    if (c.kind == Kind::nan) return nan_f32;
    if (c.kind == Kind::infinite) see_infinity(c.mantissa < 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].kind == Kind::finite && b[i].kind == Kind::finite) continue;
        if (a[i].kind == Kind::nan || b[i].kind == Kind::nan || a[i].mantissa == 0 || b[i].mantissa == 0)
            return nan_f32;
        see_infinity((a[i].mantissa < 0) != (b[i].mantissa < 0));
    }
    if (up && down) return nan_f32;
    if (up || down) return down ? sign_f32 | infinity_f32 : infinity_f32;
    return std::nullopt;
}

/// Sums the products i with use(i), and c.
template <class Use>
Sum add_up(std::span<const MatrixNumber> a, std::span<const MatrixNumber> b, int fraction,
           const MatrixNumber& c, int c_fraction, Use&& use) {
    Adder adder;
    if (c.mantissa != 0) adder.see(c.exponent);
    for (std::size_t i = 0; i < a.size(); ++i)
        if (use(i) && a[i].mantissa != 0 && b[i].mantissa != 0) adder.see(a[i].exponent + b[i].exponent);
    adder.add(c.mantissa, c.exponent, c_fraction);
    for (std::size_t i = 0; i < a.size(); ++i)
        if (use(i)) adder.add(s64{a[i].mantissa} * b[i].mantissa, a[i].exponent + b[i].exponent, fraction);
    return adder.sum();
}

/// sm_90 has no fp8 tensor operation for registers: it converts to f16, multiplies twice, the lower two of
/// each four elements first, and adds C last, with rounding.
u32 multiply_fp8(std::span<const MatrixNumber> a, std::span<const MatrixNumber> b, int fraction,
                 const MatrixNumber& c, int c_fraction) {
    const Sum low = add_up(a, b, fraction, {}, 0, [](std::size_t i) { return (i & 2) == 0; });
    const Sum both = add_up(a, b, fraction, number_of_f32(cut_to_f32(low)), 23,
                            [](std::size_t i) { return (i & 2) != 0; });
    const float addend = std::ldexp(static_cast<float>(c.mantissa), c.exponent - c_fraction);
    return std::bit_cast<u32>(std::bit_cast<float>(cut_to_f32(both)) + addend);
}

}  // namespace

const MatrixFloat& matrix_float(MatrixElement element) {
    return *std::find_if(std::begin(float_types), std::end(float_types) - 1,
                         [&](const MatrixFloat& type) { return type.element == element; });
}

MatrixNumber matrix_number(const MatrixFloat& type, u64 bits) {
    bits >>= type.unused_bits;
    const u64 largest = (u64{1} << type.exponent_bits) - 1;
    const u64 exponent = bits >> type.fraction_bits & largest;
    const u64 fraction = bits & ((u64{1} << type.fraction_bits) - 1);
    const bool negative = (bits >> (type.fraction_bits + type.exponent_bits) & 1) != 0;
    const s32 bias = static_cast<s32>(largest >> 1);
    MatrixNumber number;
    const u64 leading = exponent == 0 ? 0 : u64{1} << type.fraction_bits;
    number.mantissa = static_cast<s32>(fraction | leading);
    number.exponent = static_cast<s32>(std::max<u64>(exponent, 1)) - bias;
    if (exponent == largest && type.has_infinity)
        number.kind = fraction == 0 ? MatrixNumber::Kind::infinite : MatrixNumber::Kind::nan;
    if (exponent == largest && !type.has_infinity && fraction + 1 == leading)
        number.kind = MatrixNumber::Kind::nan;
    if (negative) number.mantissa = -number.mantissa;
    return number;
}

u32 multiply_floats(std::span<const MatrixNumber> a, const MatrixFloat& a_type,
                    std::span<const MatrixNumber> b, const MatrixFloat& b_type, const MatrixNumber& c,
                    const MatrixFloat& c_type, bool to_half) {
    const int fraction = a_type.fraction_bits + b_type.fraction_bits;
    if (const auto special = special_sum(a, b, c)) {
        if (!to_half) return *special;
        return *special == nan_f32 ? canonical_nan_half : (*special >> 16 & 0x8000) | 0x7c00;
    }
    if (a_type.bits() == 8) {
        const u32 bits = multiply_fp8(a, b, fraction, c, c_type.fraction_bits);
        return to_half ? half_from_double(std::bit_cast<float>(bits)) : bits;
    }
    const Sum sum = add_up(a, b, fraction, c, c_type.fraction_bits, [](std::size_t) { return true; });
    if (!to_half) return cut_to_f32(sum);
    return static_cast<u32>(pack(format_f16, sum, Rounding::nearest_even));
}

MatrixInteger matrix_integer(MatrixElement element) {
    return {bits_of(element), element == MatrixElement::s8 || element == MatrixElement::s4};
}

}  // namespace warplens::simt
