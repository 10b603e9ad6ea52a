// What host code asks and sets of kernels: attributes, and how many blocks fit on an SM. The registers and
// the static shared memory of a kernel are not known to the host program. So the answers assume that only
// threads, blocks and dynamic shared memory limit the blocks of an SM, and that 256 threads are a good block.
#pragma once

#include <cstddef>

#include "device.h"
#include "errors.h"

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};
enum { cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1 };

struct cudaFuncAttributes {
    std::size_t sharedSizeBytes;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};

namespace warplens_program {

/// The block that cudaOccupancyMaxPotentialBlockSize names where nothing limits it.
inline constexpr int assumed_block_size = 256;

inline int blocks_per_sm(int block_size, std::size_t shared_bytes) {
    if (block_size <= 0 || block_size > warplens_device_maxThreadsPerBlock) return 0;
    const long long warp = warplens_device_warpSize;
    const long long threads = (block_size + warp - 1) / warp * warp;
    const long long shared = static_cast<long long>(shared_bytes) + warplens_device_reservedSharedMemPerBlock;
    long long blocks = warplens_device_maxThreadsPerMultiProcessor / threads;
    if (blocks > warplens_device_maxBlocksPerMultiProcessor)
        blocks = warplens_device_maxBlocksPerMultiProcessor;
    if (blocks * shared > warplens_device_sharedMemPerMultiprocessor)
        blocks = warplens_device_sharedMemPerMultiprocessor / shared;
    return static_cast<int>(blocks);
}

}  // namespace warplens_program

template <class Function>
cudaError_t cudaFuncSetAttribute(Function*, cudaFuncAttribute attribute, int value) {
    const bool too_much = attribute == cudaFuncAttributeMaxDynamicSharedMemorySize &&
                          (value < 0 || value > warplens_device_sharedMemPerBlockOptin);
    return warplens_program::ended(too_much ? cudaErrorInvalidValue : cudaSuccess);
}
template <class Function>
cudaError_t cudaFuncSetCacheConfig(Function*, cudaFuncCache) {
    return warplens_program::ended(cudaSuccess);
}
template <class Function>
cudaError_t cudaFuncSetSharedMemConfig(Function*, cudaSharedMemConfig) {
    return warplens_program::ended(cudaSuccess);
}
/// Registers and static shared memory stay 0, which is "not known".
template <class Function>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Function*) {
    if (attributes == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    *attributes = {};
    attributes->maxThreadsPerBlock = warplens_device_maxThreadsPerBlock;
    attributes->ptxVersion = attributes->binaryVersion = 10 * warplens_device_major + warplens_device_minor;
    attributes->maxDynamicSharedSizeBytes = warplens_device_sharedMemPerBlock;
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return warplens_program::ended(cudaSuccess);
}

template <class Function>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function*, int block_size,
                                                          std::size_t shared_bytes) {
    if (blocks == nullptr || block_size <= 0) return warplens_program::ended(cudaErrorInvalidValue);
    *blocks = warplens_program::blocks_per_sm(block_size, shared_bytes);
    return warplens_program::ended(cudaSuccess);
}
template <class Function>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Function* function,
                                                                   int block_size, std::size_t shared_bytes,
                                                                   unsigned int) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes);
}

template <class Function, class SharedBytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size, Function*,
                                                           SharedBytes shared_bytes, int limit = 0) {
    if (grid_size == nullptr || block_size == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    const int assumed = warplens_program::assumed_block_size;
    *block_size = limit > 0 && limit < assumed ? limit : assumed;
    *grid_size = static_cast<int>(warplens_device_multiProcessorCount) *
                 warplens_program::blocks_per_sm(*block_size, shared_bytes(*block_size));
    return warplens_program::ended(cudaSuccess);
}
template <class Function>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, Function* function,
                                               std::size_t shared_bytes = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid_size, block_size, function, [shared_bytes](int) { return shared_bytes; }, limit);
}
