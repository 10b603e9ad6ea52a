// cudaDeviceGetAttribute: the numbers of the device one by one.
#pragma once

#include "device.h"
#include "errors.h"

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrPciBusId = 33,
    cudaDevAttrPciDeviceId = 34,
    cudaDevAttrTccDriver = 35,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrGlobalL1CacheSupported = 79,
    cudaDevAttrLocalL1CacheSupported = 80,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrIsMultiGpuBoard = 84,
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputePreemptionSupported = 90,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,
    cudaDevAttrMemoryPoolsSupported = 115,
    cudaDevAttrClusterLaunch = 120
};

inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    cudaDeviceProp p;
    if (value == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    if (const cudaError_t error = cudaGetDeviceProperties(&p, device); error != cudaSuccess) return error;
    const auto given = [value](auto number) {
        *value = static_cast<int>(number);
        return warplens_program::ended(cudaSuccess);
    };
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            return given(p.maxThreadsPerBlock);
        case cudaDevAttrMaxBlockDimX:
            return given(p.maxThreadsDim[0]);
        case cudaDevAttrMaxBlockDimY:
            return given(p.maxThreadsDim[1]);
        case cudaDevAttrMaxBlockDimZ:
            return given(p.maxThreadsDim[2]);
        case cudaDevAttrMaxGridDimX:
            return given(p.maxGridSize[0]);
        case cudaDevAttrMaxGridDimY:
            return given(p.maxGridSize[1]);
        case cudaDevAttrMaxGridDimZ:
            return given(p.maxGridSize[2]);
        case cudaDevAttrMaxSharedMemoryPerBlock:
            return given(p.sharedMemPerBlock);
        case cudaDevAttrTotalConstantMemory:
            return given(p.totalConstMem);
        case cudaDevAttrWarpSize:
            return given(p.warpSize);
        case cudaDevAttrMaxPitch:
            return given(p.memPitch);
        case cudaDevAttrMaxRegistersPerBlock:
            return given(p.regsPerBlock);
        case cudaDevAttrClockRate:
            return given(p.clockRate);
        case cudaDevAttrTextureAlignment:
            return given(p.textureAlignment);
        case cudaDevAttrGpuOverlap:
            return given(p.deviceOverlap);
        case cudaDevAttrMultiProcessorCount:
            return given(p.multiProcessorCount);
        case cudaDevAttrKernelExecTimeout:
            return given(p.kernelExecTimeoutEnabled);
        case cudaDevAttrIntegrated:
            return given(p.integrated);
        case cudaDevAttrCanMapHostMemory:
            return given(p.canMapHostMemory);
        case cudaDevAttrComputeMode:
            return given(p.computeMode);
        case cudaDevAttrConcurrentKernels:
            return given(p.concurrentKernels);
        case cudaDevAttrEccEnabled:
            return given(p.ECCEnabled);
        case cudaDevAttrPciBusId:
            return given(p.pciBusID);
        case cudaDevAttrPciDeviceId:
            return given(p.pciDeviceID);
        case cudaDevAttrTccDriver:
            return given(p.tccDriver);
        case cudaDevAttrMemoryClockRate:
            return given(p.memoryClockRate);
        case cudaDevAttrGlobalMemoryBusWidth:
            return given(p.memoryBusWidth);
        case cudaDevAttrL2CacheSize:
            return given(p.l2CacheSize);
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return given(p.maxThreadsPerMultiProcessor);
        case cudaDevAttrAsyncEngineCount:
            return given(p.asyncEngineCount);
        case cudaDevAttrUnifiedAddressing:
            return given(p.unifiedAddressing);
        case cudaDevAttrComputeCapabilityMajor:
            return given(p.major);
        case cudaDevAttrComputeCapabilityMinor:
            return given(p.minor);
        case cudaDevAttrStreamPrioritiesSupported:
            return given(p.streamPrioritiesSupported);
        case cudaDevAttrGlobalL1CacheSupported:
            return given(p.globalL1CacheSupported);
        case cudaDevAttrLocalL1CacheSupported:
            return given(p.localL1CacheSupported);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return given(p.sharedMemPerMultiprocessor);
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            return given(p.regsPerMultiprocessor);
        case cudaDevAttrManagedMemory:
            return given(p.managedMemory);
        case cudaDevAttrIsMultiGpuBoard:
            return given(p.isMultiGpuBoard);
        case cudaDevAttrSingleToDoublePrecisionPerfRatio:
            return given(p.singleToDoublePrecisionPerfRatio);
        case cudaDevAttrPageableMemoryAccess:
            return given(p.pageableMemoryAccess);
        case cudaDevAttrConcurrentManagedAccess:
            return given(p.concurrentManagedAccess);
        case cudaDevAttrComputePreemptionSupported:
            return given(p.computePreemptionSupported);
        case cudaDevAttrCooperativeLaunch:
            return given(p.cooperativeLaunch);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return given(p.sharedMemPerBlockOptin);
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            return given(p.maxBlocksPerMultiProcessor);
        case cudaDevAttrReservedSharedMemoryPerBlock:
            return given(p.reservedSharedMemPerBlock);
        case cudaDevAttrMemoryPoolsSupported:
            return given(p.memoryPoolsSupported);
        case cudaDevAttrClusterLaunch:
            return given(p.clusterLaunch);
    }
    return warplens_program::ended(cudaErrorInvalidValue);
}
