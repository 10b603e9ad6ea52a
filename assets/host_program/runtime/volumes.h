// Memory of three dimensions: cudaMalloc3D and cudaMemset3D. Copies are in arrays.h.
#pragma once

#include <cstddef>

#include "copies.h"
#include "memory.h"

struct cudaExtent {
    std::size_t width, height, depth;
};
struct cudaPos {
    std::size_t x, y, z;
};
struct cudaPitchedPtr {
    void* ptr;
    std::size_t pitch, xsize, ysize;
};
typedef struct cudaArray* cudaArray_t;

struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
    return {width, height, depth};
}
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t width,
                                          std::size_t height) {
    return {pointer, pitch, width, height};
}

inline cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    if (pitched == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    *pitched = {nullptr, 0, extent.width, extent.height};
    return (cudaMallocPitch)(&pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
}
#define cudaMalloc3D(...) warplens_program::named(#__VA_ARGS__, ::cudaMalloc3D(__VA_ARGS__))

inline cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        char* slice = static_cast<char*>(memory.ptr) + z * memory.ysize * memory.pitch;
        const cudaError_t error = cudaMemset2D(slice, memory.pitch, value, extent.width, extent.height);
        if (error != cudaSuccess) return error;
    }
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                                     cudaStream_t = nullptr) {
    return cudaMemset3D(memory, value, extent);
}
