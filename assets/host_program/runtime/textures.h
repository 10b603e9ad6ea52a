// Textures and surfaces: objects over CUDA arrays, linear and pitched memory. A launch says which there are.
// Mipmaps are not supported.
#pragma once

#include <cstddef>
#include <cstdio>

#include "../program/images.h"
#include "arrays.h"
#include "errors.h"

typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

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

/// What can be said of texels without the object's settings; false: such a resource has no image here.
inline bool image_of(const cudaResourceDesc& resource, Image& image) {
    if (resource.resType == cudaResourceTypeArray && resource.res.array.array != nullptr) {
        const cudaArray& array = *resource.res.array.array;
        image.memory = array.memory;
        image.width = array.extent.width;
        image.height = array.extent.height;
        (array.is_layered() ? image.layers : image.depth) = array.extent.depth;
        image.cube = (array.flags & cudaArrayCubemap) != 0;
        image.set_channels(array.channels);
        image.pitch = image.width * image.texel_bytes();
    } else if (resource.resType == cudaResourceTypeLinear) {
        image.memory = static_cast<char*>(resource.res.linear.devPtr);
        image.set_channels(resource.res.linear.desc);
        if (image.texel_bytes() == 0) return false;
        image.width = resource.res.linear.sizeInBytes / image.texel_bytes();
        image.pitch = image.width * image.texel_bytes();
    } else if (resource.resType == cudaResourceTypePitch2D) {
        image.memory = static_cast<char*>(resource.res.pitch2D.devPtr);
        image.set_channels(resource.res.pitch2D.desc);
        image.width = resource.res.pitch2D.width;
        image.height = resource.res.pitch2D.height;
        image.pitch = resource.res.pitch2D.pitchInBytes;
    } else {
        return false;
    }
    return image.memory != nullptr && image.texel_bytes() != 0 && image.width != 0;
}

/// Ends a call that would create what is not supported.
template <class Handle>
cudaError_t not_created(const char* call, Handle* handle) {
    if (handle == nullptr) return ended(cudaErrorInvalidValue);
    *handle = {};
    std::fprintf(stderr, "%s fails: Warplens does not support this kind of texture.\n", call);
    return ended(cudaErrorNotSupported);
}

}  // namespace warplens_program

inline cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc*,
                                            cudaExtent, unsigned int, unsigned int = cudaArrayDefault) {
    return warplens_program::not_created("cudaMallocMipmappedArray", array);
}
inline cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
    return warplens_program::ended(array == nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                           const cudaTextureDesc* settings, const cudaResourceViewDesc*) {
    using namespace warplens_program;
    Image image;
    if (resource == nullptr || settings == nullptr || !image_of(*resource, image))
        return not_created("cudaCreateTextureObject", texture);
    const int dimensions = 1 + (image.height != 0) + (image.depth != 0);
    for (int i = 1; i < dimensions; ++i)
        if (settings->addressMode[i] != settings->addressMode[0])
            return not_created("cudaCreateTextureObject", texture);
    image.linear = settings->filterMode == cudaFilterModeLinear;
    image.address_mode = settings->addressMode[0];
    image.normalised = settings->normalizedCoords != 0;
    image.reads_normalised = settings->readMode == cudaReadModeNormalizedFloat;
    *texture = Images::instance().add(image);
    return ended(cudaSuccess);
}
inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
    using namespace warplens_program;
    Image image;
    image.is_surface = true;
    if (resource == nullptr || !image_of(*resource, image))
        return not_created("cudaCreateSurfaceObject", surface);
    *surface = Images::instance().add(image);
    return ended(cudaSuccess);
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    const bool known = warplens_program::Images::instance().remove(texture);
    return warplens_program::ended(texture == 0 || known ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return cudaDestroyTextureObject(surface);
}
