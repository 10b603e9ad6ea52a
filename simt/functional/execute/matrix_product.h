// One element of a matrix product as a tensor core computes it: D = A * B + C over a row of A and a column of
// B. Floating-point products are exact. They and C are aligned to the largest exponent among them and
// truncated 25 bits below its leading 1; the sum is truncated to f32 or rounded to f16. This matches an H200
// bit for bit: docs/tensor_cores.md. f64 is a chain of fma with k ascending; integers are exact.
#pragma once

#include <span>

#include "core/matrix_fragment.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

/// A number as the adder sees it: mantissa * 2^(exponent - fraction bits of its type).
struct MatrixNumber {
    enum class Kind : u8 { finite, infinite, nan };
    s32 mantissa = 0;  // signed; infinities only keep the sign
    s32 exponent = 0;  // of a normal number's leading 1
    Kind kind = Kind::finite;
};
MatrixNumber matrix_number(MatrixElement element, u64 bits);
/// Bits below a normal number's leading 1.
int fraction_bits(MatrixElement element);

/// Returns the result's bits. `a` and `b` have the same length.
u32 multiply_floats(std::span<const MatrixNumber> a, MatrixElement a_type, std::span<const MatrixNumber> b,
                    MatrixElement b_type, const MatrixNumber& c, MatrixElement c_type, MatrixElement d_type);
double multiply_doubles(std::span<const double> a, std::span<const double> b, double c);
/// s8, u8, s4 and u4 as integers.
s32 matrix_integer(MatrixElement element, u64 bits);
s32 multiply_integers(std::span<const s32> a, std::span<const s32> b, s32 c, bool saturates);

}  // namespace warplens::simt
