// The device: there is one, with the numbers of warplens_device.h, the GPU that the analysis is for.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>

#include "errors.h"
#include "warplens_device.h"

struct CUuuid_st {
    char bytes[16];
};
typedef CUuuid_st cudaUUID_t;

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    std::size_t totalGlobalMem;
    std::size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;
    std::size_t totalConstMem;
    int major;
    int minor;
    std::size_t textureAlignment;
    std::size_t texturePitchAlignment;
    int deviceOverlap;
    int multiProcessorCount;
    int kernelExecTimeoutEnabled;
    int integrated;
    int canMapHostMemory;
    int computeMode;
    int maxTexture1D;
    int maxTexture1DLayered[2];
    int maxTexture2D[2];
    int maxTexture2DLayered[3];
    int maxTexture3D[3];
    std::size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryClockRate;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    std::size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    std::size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int memoryPoolsSupported;
    int clusterLaunch;
};

enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
};
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
enum {
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaDeviceLmemResizeToMax = 16
};

inline cudaError_t cudaGetDeviceCount(int* count) {
    if (count == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    *count = 1;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaGetDevice(int* device) {
    if (device == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    *device = 0;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaSetDevice(int device) {
    return warplens_program::ended(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
inline cudaError_t cudaSetDeviceFlags(unsigned int) { return warplens_program::ended(cudaSuccess); }
inline cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (properties == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    if (device != 0) return warplens_program::ended(cudaErrorInvalidDevice);
    cudaDeviceProp p = {};
    std::snprintf(p.name, sizeof p.name, "%s", warplens_device_name);
    p.totalGlobalMem = warplens_device_totalGlobalMem;
    p.sharedMemPerBlock = warplens_device_sharedMemPerBlock;
    p.sharedMemPerBlockOptin = warplens_device_sharedMemPerBlockOptin;
    p.sharedMemPerMultiprocessor = warplens_device_sharedMemPerMultiprocessor;
    p.reservedSharedMemPerBlock = warplens_device_reservedSharedMemPerBlock;
    p.regsPerBlock = warplens_device_regsPerBlock;
    p.regsPerMultiprocessor = warplens_device_regsPerMultiprocessor;
    p.warpSize = warplens_device_warpSize;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = warplens_device_maxThreadsPerBlock;
    p.maxThreadsDim[0] = warplens_device_maxBlockDimX;
    p.maxThreadsDim[1] = warplens_device_maxBlockDimY;
    p.maxThreadsDim[2] = warplens_device_maxBlockDimZ;
    p.maxGridSize[0] = warplens_device_maxGridDimX;
    p.maxGridSize[1] = warplens_device_maxGridDimY;
    p.maxGridSize[2] = warplens_device_maxGridDimZ;
    p.clockRate = warplens_device_clockRate;
    p.totalConstMem = warplens_device_totalConstMem;
    p.major = warplens_device_major;
    p.minor = warplens_device_minor;
    p.textureAlignment = 512;
    p.texturePitchAlignment = 32;
    p.surfaceAlignment = 512;
    p.deviceOverlap = warplens_device_deviceOverlap;
    p.multiProcessorCount = warplens_device_multiProcessorCount;
    p.canMapHostMemory = warplens_device_canMapHostMemory;
    p.concurrentKernels = warplens_device_concurrentKernels;
    p.ECCEnabled = 1;
    p.asyncEngineCount = warplens_device_asyncEngineCount;
    p.unifiedAddressing = 1;
    p.memoryClockRate = warplens_device_memoryClockRate;
    p.memoryBusWidth = warplens_device_memoryBusWidth;
    p.l2CacheSize = warplens_device_l2CacheSize;
    p.maxThreadsPerMultiProcessor = warplens_device_maxThreadsPerMultiProcessor;
    p.maxBlocksPerMultiProcessor = warplens_device_maxBlocksPerMultiProcessor;
    p.streamPrioritiesSupported = 1;
    p.globalL1CacheSupported = 1;
    p.localL1CacheSupported = 1;
    p.managedMemory = warplens_device_managedMemory;
    p.singleToDoublePrecisionPerfRatio = 2;
    p.concurrentManagedAccess = warplens_device_concurrentManagedAccess;
    p.computePreemptionSupported = 1;
    p.canUseHostPointerForRegisteredMem = 1;
    p.cooperativeLaunch = warplens_device_cooperativeLaunch;
    p.memoryPoolsSupported = 1;
    p.clusterLaunch = warplens_device_major >= 9;
    *properties = p;
    return warplens_program::ended(cudaSuccess);
}

inline cudaError_t cudaDeviceSynchronize() { return warplens_program::ended(cudaSuccess); }
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return warplens_program::ended(cudaSuccess); }
/// The memory stays: the program is about to end.
inline cudaError_t cudaDeviceReset() { return warplens_program::ended(cudaSuccess); }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return warplens_program::ended(cudaSuccess); }
/// The limits that a device begins with.
inline cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    const bool known = limit <= cudaLimitMallocHeapSize && value != nullptr;
    if (known)
        *value = limit == cudaLimitStackSize ? 1024u : limit == cudaLimitPrintfFifoSize ? 1u << 20 : 8u << 20;
    return warplens_program::ended(known ? cudaSuccess : cudaErrorNotSupported);
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return warplens_program::ended(cudaSuccess); }
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* configuration) {
    *configuration = cudaFuncCachePreferNone;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* configuration) {
    *configuration = cudaSharedMemBankSizeFourByte;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaDeviceCanAccessPeer(int* possible, int, int) {
    *possible = 0;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
    return warplens_program::ended(cudaErrorPeerAccessUnsupported);
}
inline cudaError_t cudaDeviceDisablePeerAccess(int) {
    return warplens_program::ended(cudaErrorPeerAccessNotEnabled);
}
inline cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
inline cudaError_t cudaProfilerStart() { return warplens_program::ended(cudaSuccess); }
inline cudaError_t cudaProfilerStop() { return warplens_program::ended(cudaSuccess); }
