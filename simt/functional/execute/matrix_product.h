// One element of a matrix product as a tensor core computes it: D = A * B + C over a row of A and a column of
// B. This file is the definition; matrix_lanes.h computes most elements
// faster. Floating-point products are exact. They and C are aligned to the largest exponent among them and
// truncated 25 bits below its leading 1; the sum is truncated to f32 or rounded to f16. This matches an H200
// bit for bit: docs/tensor_cores.md. f64 is a chain of fma with k ascending; integers are exact.
#pragma once

#include <span>

#include "core/matrix_fragment.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

/// A type of floating-point elements.
struct MatrixFloat {
    MatrixElement element;
    int exponent_bits, fraction_bits;
    int unused_bits;    // lowest bits that the tensor core does not read
    bool has_infinity;  // e4m3 has only a NaN, all ones
    constexpr int bits() const { return 1 + exponent_bits + fraction_bits + unused_bits; }
};
const MatrixFloat& matrix_float(MatrixElement element);

/// Bits that each term keeps below the leading 1 of the largest.
inline constexpr int kept_bits = 25;

/// A number as the adder sees it: mantissa * 2^(exponent - fraction bits of its type).
struct MatrixNumber {
    enum class Kind : u8 { finite, infinite, nan };
    s32 mantissa = 0;  // signed; infinities only keep the sign
    s32 exponent = 0;  // of a normal number's leading 1
    Kind kind = Kind::finite;
};
MatrixNumber matrix_number(const MatrixFloat& type, u64 bits);

/// Returns the result's bits, f16 if `to_half`, else f32. `a` and `b` have the same length.
u32 multiply_floats(std::span<const MatrixNumber> a, const MatrixFloat& a_type,
                    std::span<const MatrixNumber> b, const MatrixFloat& b_type, const MatrixNumber& c,
                    const MatrixFloat& c_type, bool to_half);

/// s8, u8, s4, u4 and b1.
struct MatrixInteger {
    int bits;
    bool is_signed;
};
MatrixInteger matrix_integer(MatrixElement element);

}  // namespace warplens::simt
