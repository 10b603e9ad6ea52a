// The product of matrices for cublas_v2.h: C = alpha * op(A) * op(B) + beta * C, column after column.
#pragma once

#include <cstddef>
#include <vector>

namespace warplens_program {

/// op(M) of a matrix whose columns lie `leading` elements apart.
template <class Type>
struct MatrixView {
    const Type* elements;
    std::size_t row_step, column_step;

    MatrixView(const Type* data, int leading, bool transposed)
        : elements(data),
          row_step(transposed ? static_cast<std::size_t>(leading) : 1),
          column_step(transposed ? 1 : static_cast<std::size_t>(leading)) {}
    Type at(int row, int column) const {
        return elements[static_cast<std::size_t>(row) * row_step +
                        static_cast<std::size_t>(column) * column_step];
    }
};

/// C has m rows and n columns; op(A) has k columns. With beta 0, C is not read.
template <class Type>
void multiply_matrices(int m, int n, int k, Type alpha, const MatrixView<Type>& a, const MatrixView<Type>& b,
                       Type beta, Type* c, int leading) {
    std::vector<Type> sums(static_cast<std::size_t>(m));
    for (int column = 0; column < n; ++column) {
        sums.assign(sums.size(), Type(0));
        for (int inner = 0; inner < k; ++inner) {
            const Type factor = b.at(inner, column);
            for (int row = 0; row < m; ++row)
                sums[static_cast<std::size_t>(row)] += a.at(row, inner) * factor;
        }
        Type* to = c + static_cast<std::size_t>(column) * static_cast<std::size_t>(leading);
        for (int row = 0; row < m; ++row) {
            const Type product = alpha * sums[static_cast<std::size_t>(row)];
            to[row] = beta == Type(0) ? product : product + beta * to[row];
        }
    }
}

}  // namespace warplens_program
