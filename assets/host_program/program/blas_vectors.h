// Calls of cuBLAS on vectors, and on a matrix and a vector, for cublas_v2.h.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

#include "arena.h"
#include "libraries.h"

namespace warplens_program {

/// What a call on valid arguments returns that only stores to one address.
inline cublasStatus_t stored(const void* address) {
    Arena::instance().mark_filled(address);
    return CUBLAS_STATUS_SUCCESS;
}

/// CUBLAS_STATUS_SUCCESS: the call may run.
inline cublasStatus_t blas_state(cublasHandle_t handle) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    const LibraryCall call("cuBLAS");
    return sticky_error != cudaSuccess ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

/// Element i of a vector; a negative step counts from its end.
inline std::ptrdiff_t place(int i, int count, int step) {
    return static_cast<std::ptrdiff_t>(step < 0 ? i - count + 1 : i) * step;
}

template <class Type>
cublasStatus_t axpy(cublasHandle_t handle, int count, const Type* alpha, const Type* x, int x_step, Type* y,
                    int y_step) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    const Type factor = *alpha;
    for (int i = 0; i < count; ++i) y[place(i, count, y_step)] += factor * x[place(i, count, x_step)];
    return stored(y);
}
template <class Type>
cublasStatus_t dot(cublasHandle_t handle, int count, const Type* x, int x_step, const Type* y, int y_step,
                   Type* result) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    Type sum = 0;
    for (int i = 0; i < count; ++i) sum += x[place(i, count, x_step)] * y[place(i, count, y_step)];
    *result = sum;
    return stored(result);
}
/// Scaled by the largest element, so that squares do not overflow.
template <class Type>
cublasStatus_t nrm2(cublasHandle_t handle, int count, const Type* x, int step, Type* result) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    Type largest = 0, sum = 0;
    for (int i = 0; step > 0 && i < count; ++i) {
        const Type size = std::abs(x[place(i, count, step)]);
        if (!(size <= largest)) largest = size;
    }
    for (int i = 0; largest > 0 && step > 0 && i < count; ++i) {
        const Type part = x[place(i, count, step)] / largest;
        sum += part * part;
    }
    *result = largest * std::sqrt(sum);
    return stored(result);
}
template <class Type>
cublasStatus_t asum(cublasHandle_t handle, int count, const Type* x, int step, Type* result) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    Type sum = 0;
    for (int i = 0; step > 0 && i < count; ++i) sum += std::abs(x[place(i, count, step)]);
    *result = sum;
    return stored(result);
}
template <class Type>
cublasStatus_t scal(cublasHandle_t handle, int count, const Type* alpha, Type* x, int step) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    const Type factor = *alpha;
    for (int i = 0; step > 0 && i < count; ++i) x[place(i, count, step)] *= factor;
    return stored(x);
}
template <class Type>
cublasStatus_t copy_vector(cublasHandle_t handle, int count, const Type* x, int x_step, Type* y, int y_step) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    for (int i = 0; i < count; ++i) y[place(i, count, y_step)] = x[place(i, count, x_step)];
    return stored(y);
}
template <class Type>
cublasStatus_t swap_vectors(cublasHandle_t handle, int count, Type* x, int x_step, Type* y, int y_step) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    for (int i = 0; i < count; ++i) std::swap(x[place(i, count, x_step)], y[place(i, count, y_step)]);
    stored(x);
    return stored(y);
}
/// The first element of the largest or smallest size, counted from 1; 0 of none.
template <class Type>
cublasStatus_t extreme(cublasHandle_t handle, int count, const Type* x, int step, int* result, bool largest) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    int found = 0;
    for (int i = 0; step > 0 && i < count; ++i) {
        if (found == 0) found = 1;
        const Type size = std::abs(x[place(i, count, step)]),
                   best = std::abs(x[place(found - 1, count, step)]);
        if (largest ? size > best : size < best) found = i + 1;
    }
    *result = found;
    return stored(result);
}
template <class Type>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t transpose, int m, int n, const Type* alpha,
                    const Type* a, int leading, const Type* x, int x_step, const Type* beta, Type* y,
                    int y_step) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    if (m < 0 || n < 0 || leading < (m > 1 ? m : 1) || x_step == 0 || y_step == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    const bool transposed = transpose != CUBLAS_OP_N;
    const int rows = transposed ? n : m, columns = transposed ? m : n;
    for (int row = 0; row < rows; ++row) {
        Type sum = 0;
        for (int column = 0; column < columns; ++column) {
            const std::ptrdiff_t at = transposed ? column + static_cast<std::ptrdiff_t>(row) * leading
                                                 : row + static_cast<std::ptrdiff_t>(column) * leading;
            sum += a[at] * x[place(column, columns, x_step)];
        }
        Type& to = y[place(row, rows, y_step)];
        to = *beta == Type(0) ? *alpha * sum : *alpha * sum + *beta * to;
    }
    return stored(y);
}
template <class Type>
cublasStatus_t ger(cublasHandle_t handle, int m, int n, const Type* alpha, const Type* x, int x_step,
                   const Type* y, int y_step, Type* a, int leading) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
    if (m < 0 || n < 0 || leading < (m > 1 ? m : 1)) return CUBLAS_STATUS_INVALID_VALUE;
    for (int column = 0; column < n; ++column)
        for (int row = 0; row < m; ++row)
            a[row + static_cast<std::ptrdiff_t>(column) * leading] +=
                *alpha * x[place(row, m, x_step)] * y[place(column, n, y_step)];
    return stored(a);
}

}  // namespace warplens_program
