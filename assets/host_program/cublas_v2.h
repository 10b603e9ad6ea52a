// A part of cuBLAS for float and double: vectors, gemv, ger, gemm and its batches. The host computes them
// with plain loops in the type of the elements, so that sums may differ from a GPU's in their rounding. On a
// GPU cuBLAS would launch kernels for this. Those launches are not shown.
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

#include "program/blas_vectors.h"

namespace warplens_program {

template <class Type>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t transpose_a, cublasOperation_t transpose_b,
                    int m, int n, int k, const Type* alpha, const Type* a, int leading_a, const Type* b,
                    int leading_b, const Type* beta, Type* c, int leading_c) {
    if (const auto state = blas_state(handle); state != CUBLAS_STATUS_SUCCESS) return state;
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

}  // namespace warplens_program

#define WARPLENS_BLAS(letter, small, type)                                                                   \
    inline cublasStatus_t cublas##letter##gemm(                                                              \
        cublasHandle_t handle, cublasOperation_t transpose_a, cublasOperation_t transpose_b, int m, int n,   \
        int k, const type* alpha, const type* a, int leading_a, const type* b, int leading_b,                \
        const type* beta, type* c, int leading_c) {                                                          \
        return warplens_program::gemm(handle, transpose_a, transpose_b, m, n, k, alpha, a, leading_a, b,     \
                                      leading_b, beta, c, leading_c);                                        \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const type* alpha,              \
                                               const type* x, int x_step, type* y, int y_step) {             \
        return warplens_program::axpy(handle, n, alpha, x, x_step, y, y_step);                               \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const type* x, int x_step,       \
                                              const type* y, int y_step, type* result) {                     \
        return warplens_program::dot(handle, n, x, x_step, y, y_step, result);                               \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const type* x, int step,        \
                                               type* result) {                                               \
        return warplens_program::nrm2(handle, n, x, step, result);                                           \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const type* alpha, type* x,     \
                                               int step) {                                                   \
        return warplens_program::scal(handle, n, alpha, x, step);                                            \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const type* x, int step,        \
                                               type* result) {                                               \
        return warplens_program::asum(handle, n, x, step, result);                                           \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const type* x, int x_step,      \
                                               type* y, int y_step) {                                        \
        return warplens_program::copy_vector(handle, n, x, x_step, y, y_step);                               \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, type* x, int x_step, type* y,   \
                                               int y_step) {                                                 \
        return warplens_program::swap_vectors(handle, n, x, x_step, y, y_step);                              \
    }                                                                                                        \
    inline cublasStatus_t cublasI##small##amax(cublasHandle_t handle, int n, const type* x, int step,        \
                                               int* result) {                                                \
        return warplens_program::extreme(handle, n, x, step, result, true);                                  \
    }                                                                                                        \
    inline cublasStatus_t cublasI##small##amin(cublasHandle_t handle, int n, const type* x, int step,        \
                                               int* result) {                                                \
        return warplens_program::extreme(handle, n, x, step, result, false);                                 \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##gemv(                                                              \
        cublasHandle_t handle, cublasOperation_t transpose, int m, int n, const type* alpha, const type* a,  \
        int leading, const type* x, int x_step, const type* beta, type* y, int y_step) {                     \
        return warplens_program::gemv(handle, transpose, m, n, alpha, a, leading, x, x_step, beta, y,        \
                                      y_step);                                                               \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##ger(cublasHandle_t handle, int m, int n, const type* alpha,        \
                                              const type* x, int x_step, const type* y, int y_step, type* a, \
                                              int leading) {                                                 \
        return warplens_program::ger(handle, m, n, alpha, x, x_step, y, y_step, a, leading);                 \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##gemmBatched(                                                       \
        cublasHandle_t handle, cublasOperation_t transpose_a, cublasOperation_t transpose_b, int m, int n,   \
        int k, const type* alpha, const type* const a[], int leading_a, const type* const b[],               \
        int leading_b, const type* beta, type* const c[], int leading_c, int count) {                        \
        cublasStatus_t status = CUBLAS_STATUS_SUCCESS;                                                       \
        for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i)                                   \
            status = warplens_program::gemm(handle, transpose_a, transpose_b, m, n, k, alpha, a[i],          \
                                            leading_a, b[i], leading_b, beta, c[i], leading_c);              \
        return status;                                                                                       \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##gemmStridedBatched(                                                \
        cublasHandle_t handle, cublasOperation_t transpose_a, cublasOperation_t transpose_b, int m, int n,   \
        int k, const type* alpha, const type* a, int leading_a, long long a_step, const type* b,             \
        int leading_b, long long b_step, const type* beta, type* c, int leading_c, long long c_step,         \
        int count) {                                                                                         \
        cublasStatus_t status = CUBLAS_STATUS_SUCCESS;                                                       \
        for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i)                                   \
            status = warplens_program::gemm(handle, transpose_a, transpose_b, m, n, k, alpha,                \
                                            a + i * a_step, leading_a, b + i * b_step, leading_b, beta,      \
                                            c + i * c_step, leading_c);                                      \
        return status;                                                                                       \
    }
WARPLENS_BLAS(S, s, float)
WARPLENS_BLAS(D, d, double)
#undef WARPLENS_BLAS

/// Copies of vectors and matrices between host and device; steps and leading dimensions as the call gives
/// them.
inline cublasStatus_t cublasSetVector(int n, int size, const void* x, int x_step, void* y, int y_step) {
    return cudaMemcpy2D(y, std::size_t(y_step) * size, x, std::size_t(x_step) * size, size, n,
                        cudaMemcpyDefault) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasGetVector(int n, int size, const void* x, int x_step, void* y, int y_step) {
    return cublasSetVector(n, size, x, x_step, y, y_step);
}
inline cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* a, int a_leading, void* b,
                                      int b_leading) {
    return cudaMemcpy2D(b, std::size_t(b_leading) * size, a, std::size_t(a_leading) * size,
                        std::size_t(rows) * size, columns, cudaMemcpyDefault) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* a, int a_leading, void* b,
                                      int b_leading) {
    return cublasSetMatrix(rows, columns, size, a, a_leading, b, b_leading);
}

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
