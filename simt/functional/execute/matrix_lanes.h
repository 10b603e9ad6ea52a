// Matrix products with the columns of B in the lanes of vectors: the common case of matrix_product.h, which
// defines what an element of D is. Operands are row by row. What these functions leave out is computed there,
// element by element.
#pragma once

#include "simt/functional/execute/matrix_product.h"

namespace warplens::simt {

inline constexpr int columns_in_lanes = 8;  // n is a multiple of it

struct ProductShape {
    int m = 0, n = 0, k = 0;
    friend bool operator==(const ProductShape&, const ProductShape&) = default;
};

/// Left out are infinities and NaN, with all of D, and elements below the normal numbers of f32.
struct FloatProduct {
    ProductShape shape;
    const MatrixFloat &a_type, &b_type, &c_type;
    bool to_half;          // else to f32
    const u32 *a, *b, *c;  // bits
    u32* d;
};

/// Left out are NaN.
struct DoubleProduct {
    ProductShape shape;
    const double *a, *b, *c;
    double* d;
};

enum class TermOperation : u8 { multiply, bitwise_and, bitwise_xor };

/// Nothing is left out.
struct IntegerProduct {
    ProductShape shape;
    TermOperation operation;
    MatrixInteger a_type, b_type;
    bool saturates;
    const u32 *a, *b, *c;
    u32* d;
};

inline constexpr int most_float_elements = 512, most_integer_elements = 16 * 256;  // of A or B
inline constexpr int most_results = 256;

}  // namespace warplens::simt
