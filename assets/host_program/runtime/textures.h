// CUDA arrays, textures and surfaces. Warplens does not execute them: their types and calls compile, and a
// call that would create one reports this and returns cudaErrorNotSupported.
#pragma once

#include <cstddef>
#include <cstdio>

#include "channels.h"
#include "copies.h"
#include "errors.h"
#include "handles.h"
#include "volumes.h"

typedef const cudaArray* cudaArray_const_t;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

enum {
    cudaArrayDefault = 0,
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};

struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
    int format;
    std::size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

namespace warplens_program {

/// Ends a call that would create an array, a texture or a surface.
template <class Handle>
cudaError_t not_created(const char* call, Handle* handle) {
    if (handle == nullptr) return ended(cudaErrorInvalidValue);
    *handle = {};
    std::fprintf(stderr, "%s fails: Warplens does not support CUDA arrays, textures and surfaces.\n", call);
    return ended(cudaErrorNotSupported);
}

/// Ends a call on an array or an object. Only null exists, because none is created.
template <class Handle>
cudaError_t ended_without(Handle handle, cudaError_t for_null) {
    return ended(handle == Handle{} ? for_null : cudaErrorInvalidResourceHandle);
}

}  // namespace warplens_program

inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc*, std::size_t,
                                   std::size_t = 0, unsigned int = cudaArrayDefault) {
    return warplens_program::not_created("cudaMallocArray", array);
}
inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc*, cudaExtent,
                                     unsigned int = cudaArrayDefault) {
    return warplens_program::not_created("cudaMalloc3DArray", array);
}
inline cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc*,
                                            cudaExtent, unsigned int, unsigned int = cudaArrayDefault) {
    return warplens_program::not_created("cudaMallocMipmappedArray", array);
}
inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc*,
                                           const cudaTextureDesc*, const cudaResourceViewDesc*) {
    return warplens_program::not_created("cudaCreateTextureObject", texture);
}
inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc*) {
    return warplens_program::not_created("cudaCreateSurfaceObject", surface);
}

inline cudaError_t cudaFreeArray(cudaArray_t array) {
    return warplens_program::ended_without(array, cudaSuccess);
}
inline cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
    return warplens_program::ended_without(array, cudaSuccess);
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    return warplens_program::ended_without(texture, cudaSuccess);
}
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return warplens_program::ended_without(surface, cudaSuccess);
}

inline cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t, std::size_t, const void*, std::size_t,
                                     cudaMemcpyKind) {
    return warplens_program::ended_without(to, cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaMemcpyFromArray(void*, cudaArray_const_t from, std::size_t, std::size_t, std::size_t,
                                       cudaMemcpyKind) {
    return warplens_program::ended_without(from, cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t, std::size_t, const void*, std::size_t,
                                       std::size_t, std::size_t, cudaMemcpyKind) {
    return warplens_program::ended_without(to, cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t, std::size_t, const void*,
                                            std::size_t, std::size_t, std::size_t, cudaMemcpyKind,
                                            cudaStream_t = nullptr) {
    return warplens_program::ended_without(to, cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaMemcpy2DFromArray(void*, std::size_t, cudaArray_const_t from, std::size_t, std::size_t,
                                         std::size_t, std::size_t, cudaMemcpyKind) {
    return warplens_program::ended_without(from, cudaErrorInvalidResourceHandle);
}
