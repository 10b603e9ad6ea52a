// A part of cuBLAS: gemm, axpy, dot, nrm2 and scal for float and double. The host computes them with plain
// loops in the type of the elements, so that sums may differ from a GPU's in their rounding. On a GPU cuBLAS
// would launch kernels for this. Those launches are not shown.
#pragma once

#include <cmath>
#include <cstddef>

#include "cuda_runtime.h"
#include "program/matrix_product.h"

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;

struct cublasContext {
    cudaStream_t stream = nullptr;
};
typedef cublasContext* cublasHandle_t;

inline const char* cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
#define WARPLENS_STATUS(name) \
    case name:                \
        return #name;
        WARPLENS_STATUS(CUBLAS_STATUS_SUCCESS)
        WARPLENS_STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
        WARPLENS_STATUS(CUBLAS_STATUS_ALLOC_FAILED)
        WARPLENS_STATUS(CUBLAS_STATUS_INVALID_VALUE)
        WARPLENS_STATUS(CUBLAS_STATUS_ARCH_MISMATCH)
        WARPLENS_STATUS(CUBLAS_STATUS_MAPPING_ERROR)
        WARPLENS_STATUS(CUBLAS_STATUS_EXECUTION_FAILED)
        WARPLENS_STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
        WARPLENS_STATUS(CUBLAS_STATUS_NOT_SUPPORTED)
        WARPLENS_STATUS(CUBLAS_STATUS_LICENSE_ERROR)
#undef WARPLENS_STATUS
    }
    return "unknown status";
}
inline const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}
/// The host reads scalars on both sides, so that the mode changes nothing.
inline cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t) {
    return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}
/// Products are always those of the elements' type.
inline cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
    return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

namespace warplens_program {

/// What a call on valid arguments returns that only stores to one address.
inline cublasStatus_t stored(const void* address) {
    Arena::instance().mark_filled(address);
    return CUBLAS_STATUS_SUCCESS;
}

template <class Type>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t transpose_a, cublasOperation_t transpose_b,
                    int m, int n, int k, const Type* alpha, const Type* a, int leading_a, const Type* b,
                    int leading_b, const Type* beta, Type* c, int leading_c) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (sticky_error != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    const bool a_transposed = transpose_a != CUBLAS_OP_N, b_transposed = transpose_b != CUBLAS_OP_N;
    const auto at_least = [](int leading, int rows) { return leading >= (rows > 1 ? rows : 1); };
    if (m < 0 || n < 0 || k < 0 || alpha == nullptr || beta == nullptr ||
        !at_least(leading_a, a_transposed ? k : m) || !at_least(leading_b, b_transposed ? n : k) ||
        !at_least(leading_c, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    multiply_matrices(m, n, k, *alpha, MatrixView<Type>(a, leading_a, a_transposed),
                      MatrixView<Type>(b, leading_b, b_transposed), *beta, c, leading_c);
    return stored(c);
}

/// Element i of a vector; a negative step counts from its end.
inline std::ptrdiff_t place(int i, int count, int step) {
    return static_cast<std::ptrdiff_t>(step < 0 ? i - count + 1 : i) * step;
}

template <class Type>
cublasStatus_t axpy(cublasHandle_t handle, int count, const Type* alpha, const Type* x, int x_step, Type* y,
                    int y_step) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (sticky_error != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    const Type factor = *alpha;
    for (int i = 0; i < count; ++i) y[place(i, count, y_step)] += factor * x[place(i, count, x_step)];
    return stored(y);
}
template <class Type>
cublasStatus_t dot(cublasHandle_t handle, int count, const Type* x, int x_step, const Type* y, int y_step,
                   Type* result) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (sticky_error != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    Type sum = 0;
    for (int i = 0; i < count; ++i) sum += x[place(i, count, x_step)] * y[place(i, count, y_step)];
    *result = sum;
    return stored(result);
}
/// Scaled by the largest element, so that squares do not overflow.
template <class Type>
cublasStatus_t nrm2(cublasHandle_t handle, int count, const Type* x, int step, Type* result) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (sticky_error != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
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
cublasStatus_t scal(cublasHandle_t handle, int count, const Type* alpha, Type* x, int step) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (sticky_error != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    const Type factor = *alpha;
    for (int i = 0; step > 0 && i < count; ++i) x[place(i, count, step)] *= factor;
    return stored(x);
}

}  // namespace warplens_program

#define WARPLENS_BLAS(letter, type)                                                                        \
    inline cublasStatus_t cublas##letter##gemm(                                                            \
        cublasHandle_t handle, cublasOperation_t transpose_a, cublasOperation_t transpose_b, int m, int n, \
        int k, const type* alpha, const type* a, int leading_a, const type* b, int leading_b,              \
        const type* beta, type* c, int leading_c) {                                                        \
        return warplens_program::gemm(handle, transpose_a, transpose_b, m, n, k, alpha, a, leading_a, b,   \
                                      leading_b, beta, c, leading_c);                                      \
    }                                                                                                      \
    inline cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const type* alpha,            \
                                               const type* x, int x_step, type* y, int y_step) {           \
        return warplens_program::axpy(handle, n, alpha, x, x_step, y, y_step);                             \
    }                                                                                                      \
    inline cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const type* x, int x_step,     \
                                              const type* y, int y_step, type* result) {                   \
        return warplens_program::dot(handle, n, x, x_step, y, y_step, result);                             \
    }                                                                                                      \
    inline cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const type* x, int step,      \
                                               type* result) {                                             \
        return warplens_program::nrm2(handle, n, x, step, result);                                         \
    }                                                                                                      \
    inline cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const type* alpha, type* x,   \
                                               int step) {                                                 \
        return warplens_program::scal(handle, n, alpha, x, step);                                          \
    }
WARPLENS_BLAS(S, float)
WARPLENS_BLAS(D, double)
#undef WARPLENS_BLAS

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
