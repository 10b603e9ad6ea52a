// CUDA arrays: texels one after another in memory of the device, x first.
#pragma once

#include <cstddef>
#include <cstring>

#include "../program/arena.h"
#include "channels.h"
#include "copies.h"
#include "errors.h"
#include "memory.h"
#include "volumes.h"

enum {
    cudaArrayDefault = 0,
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8
};

struct cudaArray {
    char* memory;
    cudaChannelFormatDesc channels;
    cudaExtent extent;  // texels; 0 where it has no such dimension
    unsigned int flags;

    bool is_layered() const { return (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0; }
    std::size_t texel_bytes() const {
        return static_cast<std::size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
    }
    std::size_t row_bytes() const { return extent.width * texel_bytes(); }
    std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
};
typedef const cudaArray* cudaArray_const_t;

inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                                     cudaExtent extent, unsigned int flags = cudaArrayDefault) {
    if (array == nullptr || channels == nullptr || extent.width == 0)
        return warplens_program::ended(cudaErrorInvalidValue);
    cudaArray made{nullptr, *channels, extent, flags};
    const std::size_t slices = extent.depth == 0 ? 1 : extent.depth;
    const cudaError_t error = (cudaMalloc)(&made.memory, made.row_bytes() * made.rows() * slices);
    *array = error == cudaSuccess ? new cudaArray(made) : nullptr;
    return error;
}
inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                                   std::size_t width, std::size_t height = 0,
                                   unsigned int flags = cudaArrayDefault) {
    return cudaMalloc3DArray(array, channels, {width, height, 0}, flags);
}
inline cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr) return warplens_program::ended(cudaSuccess);
    const cudaError_t error = cudaFree(array->memory);
    delete array;
    return error;
}

inline cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                                       std::size_t pitch, std::size_t width, std::size_t height,
                                       cudaMemcpyKind kind) {
    if (to == nullptr) return warplens_program::ended(cudaErrorInvalidResourceHandle);
    return cudaMemcpy2D(to->memory + y * to->row_bytes() + x_bytes, to->row_bytes(), from, pitch, width,
                        height, kind);
}
inline cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from,
                                         std::size_t x_bytes, std::size_t y, std::size_t width,
                                         std::size_t height, cudaMemcpyKind kind) {
    if (from == nullptr) return warplens_program::ended(cudaErrorInvalidResourceHandle);
    return cudaMemcpy2D(to, pitch, from->memory + y * from->row_bytes() + x_bytes, from->row_bytes(), width,
                        height, kind);
}
inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x_bytes, std::size_t y,
                                            const void* from, std::size_t pitch, std::size_t width,
                                            std::size_t height, cudaMemcpyKind kind, cudaStream_t = nullptr) {
    return cudaMemcpy2DToArray(to, x_bytes, y, from, pitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from,
                                              std::size_t x_bytes, std::size_t y, std::size_t width,
                                              std::size_t height, cudaMemcpyKind kind,
                                              cudaStream_t = nullptr) {
    return cudaMemcpy2DFromArray(to, pitch, from, x_bytes, y, width, height, kind);
}
/// Bytes over the ends of rows.
inline cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                                     std::size_t bytes, cudaMemcpyKind kind) {
    if (to == nullptr) return warplens_program::ended(cudaErrorInvalidResourceHandle);
    return cudaMemcpy(to->memory + y * to->row_bytes() + x_bytes, from, bytes, kind);
}
inline cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x_bytes, std::size_t y,
                                       std::size_t bytes, cudaMemcpyKind kind) {
    if (from == nullptr) return warplens_program::ended(cudaErrorInvalidResourceHandle);
    return cudaMemcpy(to, from->memory + y * from->row_bytes() + x_bytes, bytes, kind);
}

/// Slice after slice, each as cudaMemcpy2D. The width of the extent counts bytes, and with an array texels.
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
    using namespace warplens_program;
    if (copy == nullptr) return ended(cudaErrorInvalidValue);
    const cudaArray* const any = copy->srcArray != nullptr ? copy->srcArray : copy->dstArray;
    const std::size_t width = copy->extent.width * (any == nullptr ? 1 : any->texel_bytes());
    struct Side {
        char* memory;
        std::size_t pitch, rows;
        cudaPos at;  // x in bytes
    };
    const auto side = [](const cudaArray* array, const cudaPitchedPtr& memory, const cudaPos& at) {
        if (array == nullptr) return Side{static_cast<char*>(memory.ptr), memory.pitch, memory.ysize, at};
        return Side{
            array->memory, array->row_bytes(), array->rows(), {at.x * array->texel_bytes(), at.y, at.z}};
    };
    const Side to = side(copy->dstArray, copy->dstPtr, copy->dstPos);
    const Side from = side(copy->srcArray, copy->srcPtr, copy->srcPos);
    const auto slice = [](const Side& of, std::size_t z) {
        return of.memory + ((of.at.z + z) * of.rows + of.at.y) * of.pitch + of.at.x;
    };
    for (std::size_t z = 0; z < (copy->extent.depth == 0 ? 1 : copy->extent.depth); ++z) {
        const cudaError_t error =
            cudaMemcpy2D(slice(to, z), to.pitch, slice(from, z), from.pitch, width,
                         copy->extent.height == 0 ? 1 : copy->extent.height, copy->kind);
        if (error != cudaSuccess) return error;
    }
    return ended(cudaSuccess);
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream = nullptr) {
    if (copy == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    const auto run = [all = *copy] { return cudaMemcpy3D(&all); };
    return warplens_program::captured(stream, cudaGraphNodeTypeMemcpy, run) ? cudaSuccess : run();
}
