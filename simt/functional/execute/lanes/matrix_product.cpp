// Matrix products of a warp, eight columns at a time. An element of D is a sum of terms that are cut at one
// place: first the largest exponent among them is found, then each term is scaled so that the place is the
// last bit of an integer.
#include "simt/functional/execute/matrix_lanes.h"

#include "simt/functional/execute/lane_functions.h"
#include "simt/functional/execute/lanes/float_values.h"
#include "simt/functional/execute/lanes/variant_functions.h"

namespace warplens::simt::WARPLENS_LANES {
namespace {

constexpr int columns = columns_in_lanes;
typedef s32 Ints __attribute__((vector_size(columns * 4)));
typedef s64 Longs __attribute__((vector_size(columns * 8)));
typedef float Floats __attribute__((vector_size(columns * 4)));
typedef double Doubles __attribute__((vector_size(columns * 8)));

template <class Vector, class T>
const Vector& load(const T* from) {
    return *reinterpret_cast<const Vector*>(from);
}

/// Of zeros: below the sums of any others.
constexpr s32 no_exponent = -1000;
/// Of all terms of a sum that is 0, and a place for it that no term of another sum is cut at.
constexpr s32 least_exponent = -300;

/// `Real` represents every product of two factors as a normal number: float does for types whose exponents
/// have 5 bits.
template <class Real>
struct Lanes;
template <>
struct Lanes<float> {
    using type = Floats;
    static constexpr s32 least_product = -60;
    static float power_of_two(s32 exponent) { return float_from(static_cast<u32>(exponent + 127) << 23); }
    static void powers_of_two(const Ints& exponents, Floats& to) {
        to = reinterpret_cast<Floats>((exponents + 127) << 23);
    }
};
template <>
struct Lanes<double> {
    using type = Doubles;
    static constexpr s32 least_product = least_exponent;
    static double power_of_two(s32 exponent) {
        return double_from(static_cast<u64>(static_cast<s64>(exponent) + 1023) << 52);
    }
    static void powers_of_two(const Ints& exponents, Doubles& to) {
        to = reinterpret_cast<Doubles>((__builtin_convertvector(exponents, Longs) + 1023) << 52);
    }
};

template <class Real>
struct Numbers {
    alignas(64) Real values[most_float_elements];
    alignas(64) s32 exponents[most_float_elements];  // of a normal number's leading 1

    /// False: one is an infinity or NaN.
    bool unpack(const u32* bits, int count, const MatrixFloat& type) {
        const int fraction = type.fraction_bits, unused = type.unused_bits;
        const u32 fractions = (1u << fraction) - 1, largest = (1u << type.exponent_bits) - 1;
        const u32 first_special = type.has_infinity ? 0 : fractions;
        const s32 bias = static_cast<s32>(largest >> 1);
        u32 special = 0;
        for (int i = 0; i < count; ++i) {
            const u32 word = bits[i] >> unused, rest = word & fractions, field = word >> fraction & largest;
            const bool is_special = field == largest && rest >= first_special;
            const s32 mantissa =
                is_special ? 0 : static_cast<s32>(field == 0 ? rest : rest | (fractions + 1));
            const s32 exponent = static_cast<s32>(field == 0 ? 1 : field) - bias;
            const bool negative = (word >> fraction >> type.exponent_bits & 1) != 0;
            values[i] = static_cast<Real>(negative ? -mantissa : mantissa) *
                        Lanes<Real>::power_of_two(exponent - fraction);
            exponents[i] = mantissa == 0 ? no_exponent : exponent;
            special |= is_special ? 1 : 0;
        }
        return special == 0;
    }
};

/// All products of a row and a column.
struct EachTerm {
    static constexpr int sums = 1;
    static int term(int, int j) { return j; }
};
/// The elements 0 and 1 of each four, then 2 and 3.
struct TwoOfFour {
    static constexpr int sums = 2;
    static int term(int sum, int j) { return (j >> 1) * 4 + sum * 2 + (j & 1); }
};

/// The exact sums of C and the products that belong to `sum`.
template <class Terms, class Real>
void add_up(const ProductShape& shape, int sum, const Numbers<Real>& a, const Numbers<Real>& b,
            const Numbers<double>& c, double* sums) {
    using Reals = typename Lanes<Real>::type;
    const int terms = shape.k / Terms::sums;
    for (int left = 0; left < shape.n; left += columns)
        for (int r = 0; r < shape.m; ++r) {
            const int at = r * shape.n + left;
            const Real* factors = a.values + r * shape.k;
            const s32* exponents = a.exponents + r * shape.k;
            Ints largest = load<Ints>(c.exponents + at);
            for (int j = 0; j < terms; ++j) {
                const int i = Terms::term(sum, j);
                const Ints exponent = load<Ints>(b.exponents + i * shape.n + left) + exponents[i];
                largest = exponent > largest ? exponent : largest;
            }
            largest = largest > least_exponent ? largest : Ints{} + least_exponent;
            const Ints least = Ints{} + Lanes<Real>::least_product;
            Reals scale;
            Lanes<Real>::powers_of_two(kept_bits - (largest > least ? largest : least), scale);
            // 27 bits each, so that eight fit into one of them.
            Ints low{}, high{};
            for (int j = 0; j < terms / 2; ++j) {
                const int i = Terms::term(sum, j), other = Terms::term(sum, j + terms / 2);
                low += __builtin_convertvector(
                    load<Reals>(b.values + i * shape.n + left) * factors[i] * scale, Ints);
                high += __builtin_convertvector(
                    load<Reals>(b.values + other * shape.n + left) * factors[other] * scale, Ints);
            }
            Doubles up, down;
            Lanes<double>::powers_of_two(kept_bits - largest, up);
            Lanes<double>::powers_of_two(largest - kept_bits, down);
            const Ints addend = __builtin_convertvector(load<Doubles>(c.values + at) * up, Ints);
            *reinterpret_cast<Doubles*>(sums + at) =
                (__builtin_convertvector(low, Doubles) + __builtin_convertvector(high, Doubles) +
                 __builtin_convertvector(addend, Doubles)) *
                down;
        }
}

bool is_below_normal(double sum) {
    const double magnitude = sum < 0 ? -sum : sum;
    return magnitude < 0x1p-126 && magnitude != 0;
}

/// Truncates to f32; values that are too large become infinity. True: one is below the normal numbers, and
/// left out.
bool cut_to_f32(int count, const double* sums, float* to, bool* left_out) {
    u64 any = 0;
    for (int i = 0; i < count; ++i) {
        to[i] = static_cast<float>(double_from(bits_of(sums[i]) & ~u64{0x1fffffff}));
        any |= is_below_normal(sums[i]) ? 1 : 0;
    }
    if (any == 0) return false;
    for (int i = 0; i < count; ++i) left_out[i] = is_below_normal(sums[i]);
    return true;
}

/// Rounds to the nearest f16.
void round_to_f16(int count, const double* sums, u32* to) {
    for (int i = 0; i < count; ++i) {
        const double magnitude = sums[i] < 0 ? -sums[i] : sums[i];
        const s32 field = static_cast<s32>(bits_of(magnitude) >> 52);
        const s32 exponent = field < 1023 - 14 ? -14 : field - 1023;
        // A number whose last bit is that of the result.
        const double rounder = 1.5 * Lanes<double>::power_of_two(exponent - 10 + 52);
        const double rounded = magnitude + rounder - rounder;
        const u32 normal = (bits_of(static_cast<float>(rounded)) >> 13) - (112u << 10);
        const u32 subnormal = static_cast<u32>(static_cast<s32>(rounded < 1 ? rounded * 0x1p24 : 0));
        const u32 bits = rounded < 0x1p-14 ? subnormal : normal;
        to[i] = (bits < 0x7c00 ? bits : 0x7c00) | (sums[i] < 0 ? 0x8000 : 0);
    }
}

/// sm_90 adds the products of fp8 in two sums, and C last, with rounding.
bool multiply_narrow(const FloatProduct& product, const Numbers<float>& a, const Numbers<float>& b,
                     Numbers<double>& c, double* sums, float* cut, bool* left_out) {
    const int count = product.shape.m * product.shape.n;
    alignas(64) double addends[most_results];
    for (int i = 0; i < count; ++i) addends[i] = c.values[i], c.values[i] = 0, c.exponents[i] = no_exponent;
    for (int sum = 0; sum < 2; ++sum) {
        add_up<TwoOfFour>(product.shape, sum, a, b, c, sums);
        cut_to_f32(count, sums, cut, left_out);  // fp8's products are not that small
        for (int i = 0; i < count; ++i) {
            c.values[i] = cut[i];
            c.exponents[i] = cut[i] == 0 ? no_exponent : static_cast<s32>(bits_of(cut[i]) >> 23 & 0xff) - 127;
        }
    }
    for (int i = 0; i < count; ++i) {
        cut[i] += static_cast<float>(addends[i]);
        sums[i] = cut[i];
    }
    return false;
}

template <class Real>
bool multiply(const FloatProduct& product, bool* left_out) {
    const auto& [m, n, k] = product.shape;
    const int count = m * n;
    Numbers<Real> a, b;
    Numbers<double> c;
    const bool a_finite = a.unpack(product.a, m * k, product.a_type),
               b_finite = b.unpack(product.b, k * n, product.b_type),
               c_finite = c.unpack(product.c, count, product.c_type);
    if (!a_finite || !b_finite || !c_finite) {
        for (int i = 0; i < count; ++i) left_out[i] = true;
        return true;
    }
    alignas(64) double sums[most_results];
    alignas(64) float cut[most_results];
    bool any = false;
    if constexpr (sizeof(Real) == sizeof(float)) {
        if (product.a_type.bits() == 8) {
            any = multiply_narrow(product, a, b, c, sums, cut, left_out);
        }
    }
    if (product.a_type.bits() != 8) {
        add_up<EachTerm>(product.shape, 0, a, b, c, sums);
        if (!product.to_half) any = cut_to_f32(count, sums, cut, left_out);
    }
    if (product.to_half) round_to_f16(count, sums, product.d);
    else
        for (int i = 0; i < count; ++i) product.d[i] = bits_of(cut[i]);
    return any;
}

}  // namespace

bool multiply_floats(const FloatProduct& product, bool* left_out) {
    return product.a_type.exponent_bits <= 5 ? multiply<float>(product, left_out)
                                             : multiply<double>(product, left_out);
}

bool multiply_doubles(const DoubleProduct& product, bool* left_out) {
    const auto& [m, n, k] = product.shape;
    bool any = false;
    for (int left = 0; left < n; left += columns)
        for (int r = 0; r < m; ++r) {
            double sums[columns];
            for (int c = 0; c < columns; ++c) sums[c] = product.c[r * n + left + c];
            for (int i = 0; i < k; ++i)
                for (int c = 0; c < columns; ++c)
                    sums[c] = __builtin_fma(product.a[r * k + i], product.b[i * n + left + c], sums[c]);
            for (int c = 0; c < columns; ++c) {
                product.d[r * n + left + c] = sums[c];
                any |= left_out[r * n + left + c] = sums[c] != sums[c];
            }
        }
    return any;
}

namespace {

void unpack_integers(const u32* bits, int count, MatrixInteger type, s32* to) {
    const int unused = 32 - type.bits;
    if (type.is_signed)
        for (int i = 0; i < count; ++i) to[i] = static_cast<s32>(bits[i] << unused) >> unused;
    else
        for (int i = 0; i < count; ++i) to[i] = static_cast<s32>(bits[i]);
}

template <class Combine>
void combine_integers(const IntegerProduct& product, const s32* a, const s32* b, Combine combine) {
    const auto& [m, n, k] = product.shape;
    for (int left = 0; left < n; left += columns)
        for (int r = 0; r < m; ++r) {
            Ints sum{};
            for (int i = 0; i < k; ++i) combine(sum, load<Ints>(b + i * n + left), a[r * k + i]);
            for (int c = 0; c < columns; ++c) {
                const int at = r * n + left + c;
                s64 whole = s64{static_cast<s32>(product.c[at])} + sum[c];
                if (product.saturates) {
                    whole = whole < 0x7fffffff ? whole : 0x7fffffff;
                    whole = whole > -s64{0x80000000} ? whole : -s64{0x80000000};
                }
                product.d[at] = static_cast<u32>(whole);
            }
        }
}

}  // namespace

void multiply_integers(const IntegerProduct& product) {
    const auto& [m, n, k] = product.shape;
    alignas(64) s32 a[most_integer_elements], b[most_integer_elements];
    unpack_integers(product.a, m * k, product.a_type, a);
    unpack_integers(product.b, k * n, product.b_type, b);
    switch (product.operation) {
        case TermOperation::multiply:
            return combine_integers(product, a, b, [](Ints& sum, const Ints& x, s32 y) { sum += x * y; });
        case TermOperation::bitwise_and:
            return combine_integers(product, a, b, [](Ints& sum, const Ints& x, s32 y) { sum += x & y; });
        case TermOperation::bitwise_xor:
            return combine_integers(product, a, b, [](Ints& sum, const Ints& x, s32 y) { sum += x ^ y; });
    }
}

}  // namespace warplens::simt::WARPLENS_LANES
