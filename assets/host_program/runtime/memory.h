// cudaMalloc, cudaFree and their siblings. Macros of the same names tell the allocation the name of the
// pointer.
#pragma once

#include <cstddef>

#include "../program/arena.h"
#include "../program/expression_name.h"
#include "errors.h"
#include "handles.h"
#include "warplens_device.h"

enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterIoMemory = 4,
    cudaHostRegisterReadOnly = 8,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaCpuDeviceId = -1,
    cudaInvalidDeviceId = -2
};

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void* devicePointer;
    void* hostPointer;
};

namespace warplens_program {

/// The most recent allocation of this thread, for the name that its call gives it.
inline thread_local void* last_allocation = nullptr;

inline cudaError_t allocated(void** pointer, std::size_t bytes, MemoryKind kind) {
    last_allocation = nullptr;
    if (sticky_error != cudaSuccess || pointer == nullptr) return ended(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (bytes == 0) return ended(cudaSuccess);
    Arena& arena = Arena::instance();
    if (bytes > std::size_t{warplens_device_totalGlobalMem} - arena.used())
        return ended(cudaErrorMemoryAllocation);
    *pointer = last_allocation = arena.allocate(bytes, kind);
    return ended(*pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

inline cudaError_t released(void* pointer) {
    if (pointer == nullptr || Arena::instance().release(pointer)) return ended(cudaSuccess);
    return ended(cudaErrorInvalidValue);
}

/// Passes on what an allocating call returned, and names the allocation after its first argument.
inline cudaError_t named(const char* arguments, cudaError_t error) {
    if (error == cudaSuccess && last_allocation != nullptr)
        Arena::instance().name(last_allocation, expression_name(arguments));
    return error;
}

}  // namespace warplens_program

template <class Type>
cudaError_t cudaMalloc(Type** pointer, std::size_t bytes) {
    return warplens_program::allocated(reinterpret_cast<void**>(pointer), bytes,
                                       warplens_program::MemoryKind::device);
}
template <class Type>
cudaError_t cudaMallocManaged(Type** pointer, std::size_t bytes, unsigned int = cudaMemAttachGlobal) {
    return warplens_program::allocated(reinterpret_cast<void**>(pointer), bytes,
                                       warplens_program::MemoryKind::managed);
}
template <class Type>
cudaError_t cudaMallocHost(Type** pointer, std::size_t bytes, unsigned int = cudaHostAllocDefault) {
    return warplens_program::allocated(reinterpret_cast<void**>(pointer), bytes,
                                       warplens_program::MemoryKind::pinned);
}
template <class Type>
cudaError_t cudaHostAlloc(Type** pointer, std::size_t bytes, unsigned int = cudaHostAllocDefault) {
    return cudaMallocHost(pointer, bytes);
}
template <class Type>
cudaError_t cudaMallocAsync(Type** pointer, std::size_t bytes, cudaStream_t) {
    return cudaMalloc(pointer, bytes);
}
/// Rows begin at multiples of 512 bytes.
template <class Type>
cudaError_t cudaMallocPitch(Type** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    if (pitch == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    *pitch = warplens_program::Arena::rounded_up(width, warplens_program::Arena::pitch_alignment);
    return cudaMalloc(pointer, *pitch * height);
}

#define cudaMalloc(...) warplens_program::named(#__VA_ARGS__, ::cudaMalloc(__VA_ARGS__))
#define cudaMallocManaged(...) warplens_program::named(#__VA_ARGS__, ::cudaMallocManaged(__VA_ARGS__))
#define cudaMallocHost(...) warplens_program::named(#__VA_ARGS__, ::cudaMallocHost(__VA_ARGS__))
#define cudaHostAlloc(...) warplens_program::named(#__VA_ARGS__, ::cudaHostAlloc(__VA_ARGS__))
#define cudaMallocAsync(...) warplens_program::named(#__VA_ARGS__, ::cudaMallocAsync(__VA_ARGS__))
#define cudaMallocPitch(...) warplens_program::named(#__VA_ARGS__, ::cudaMallocPitch(__VA_ARGS__))

inline cudaError_t cudaFree(void* pointer) { return warplens_program::released(pointer); }
inline cudaError_t cudaFreeHost(void* pointer) { return warplens_program::released(pointer); }
inline cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return warplens_program::released(pointer); }

/// Pinned memory has one address for both sides.
template <class Type>
cudaError_t cudaHostGetDevicePointer(Type** device, void* host, unsigned int) {
    if (device == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    *device = static_cast<Type*>(host);
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaHostRegister(void* pointer, std::size_t, unsigned int) {
    return warplens_program::ended(pointer == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}
inline cudaError_t cudaHostUnregister(void* pointer) {
    return warplens_program::ended(pointer == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

inline cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    if (free_bytes == nullptr || total_bytes == nullptr)
        return warplens_program::ended(cudaErrorInvalidValue);
    const warplens_program::Arena& arena = warplens_program::Arena::instance();
    const std::size_t total = warplens_device_totalGlobalMem;
    *total_bytes = total;
    *free_bytes = (arena.size() < total ? arena.size() : total) - arena.used();
    return warplens_program::ended(cudaSuccess);
}

inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    using warplens_program::MemoryKind;
    if (attributes == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    warplens_program::Arena& arena = warplens_program::Arena::instance();
    void* address = const_cast<void*>(pointer);
    if (!arena.contains(pointer)) {
        *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
    } else {
        const MemoryKind kind = arena.kind_of(pointer);
        attributes->type = kind == MemoryKind::device    ? cudaMemoryTypeDevice
                           : kind == MemoryKind::managed ? cudaMemoryTypeManaged
                                                         : cudaMemoryTypeHost;
        attributes->device = 0;
        attributes->devicePointer = address;
        attributes->hostPointer = kind == MemoryKind::device ? nullptr : address;
    }
    return warplens_program::ended(cudaSuccess);
}

enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
/// There is one pool, the memory of the device itself; what it is told has no effect.
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
    *pool = nullptr;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) {
    return warplens_program::ended(cudaSuccess);
}

/// Managed memory has one place here, so that advice and prefetches change nothing.
inline cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, cudaStream_t = nullptr) {
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, cudaMemLocation, unsigned int,
                                        cudaStream_t = nullptr) {
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, int) {
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, std::size_t = 0,
                                            unsigned int = cudaMemAttachSingle) {
    return warplens_program::ended(cudaSuccess);
}
