// The types of CUDA's driver interface, and its errors.
#pragma once

#include "../cuda_runtime.h"

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef CUctx_st* CUcontext;
typedef CUmod_st* CUmodule;
typedef CUfunc_st* CUfunction;
typedef CUstream_st* CUstream;
typedef CUevent_st* CUevent;
typedef CUuuid_st CUuuid;

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

/// The same numbers as cudaDeviceAttr.
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = cudaDevAttrMaxThreadsPerBlock,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = cudaDevAttrMaxBlockDimX,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = cudaDevAttrMaxBlockDimY,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = cudaDevAttrMaxBlockDimZ,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = cudaDevAttrMaxGridDimX,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = cudaDevAttrMaxGridDimY,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = cudaDevAttrMaxGridDimZ,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = cudaDevAttrMaxSharedMemoryPerBlock,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = cudaDevAttrTotalConstantMemory,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = cudaDevAttrWarpSize,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = cudaDevAttrMaxPitch,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = cudaDevAttrMaxRegistersPerBlock,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = cudaDevAttrClockRate,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = cudaDevAttrTextureAlignment,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = cudaDevAttrGpuOverlap,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = cudaDevAttrMultiProcessorCount,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = cudaDevAttrKernelExecTimeout,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = cudaDevAttrIntegrated,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = cudaDevAttrCanMapHostMemory,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = cudaDevAttrComputeMode,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = cudaDevAttrConcurrentKernels,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = cudaDevAttrEccEnabled,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = cudaDevAttrPciBusId,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = cudaDevAttrPciDeviceId,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = cudaDevAttrTccDriver,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = cudaDevAttrMemoryClockRate,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = cudaDevAttrGlobalMemoryBusWidth,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = cudaDevAttrL2CacheSize,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = cudaDevAttrMaxThreadsPerMultiProcessor,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = cudaDevAttrAsyncEngineCount,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = cudaDevAttrUnifiedAddressing,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = cudaDevAttrComputeCapabilityMajor,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = cudaDevAttrComputeCapabilityMinor,
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = cudaDevAttrStreamPrioritiesSupported,
    CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED = cudaDevAttrGlobalL1CacheSupported,
    CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED = cudaDevAttrLocalL1CacheSupported,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = cudaDevAttrMaxSharedMemoryPerMultiprocessor,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = cudaDevAttrMaxRegistersPerMultiprocessor,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = cudaDevAttrManagedMemory,
    CU_DEVICE_ATTRIBUTE_IS_MULTI_GPU_BOARD = cudaDevAttrIsMultiGpuBoard,
    CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = cudaDevAttrSingleToDoublePrecisionPerfRatio,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = cudaDevAttrPageableMemoryAccess,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = cudaDevAttrConcurrentManagedAccess,
    CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = cudaDevAttrComputePreemptionSupported,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = cudaDevAttrCooperativeLaunch,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = cudaDevAttrMaxSharedMemoryPerBlockOptin,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = cudaDevAttrMaxBlocksPerMultiprocessor,
    CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = cudaDevAttrReservedSharedMemoryPerBlock,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = cudaDevAttrMemoryPoolsSupported,
    CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = cudaDevAttrClusterLaunch
} CUdevice_attribute;

typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9
} CUfunction_attribute;
typedef enum CUfunc_cache_enum {
    CU_FUNC_CACHE_PREFER_NONE = 0,
    CU_FUNC_CACHE_PREFER_SHARED = 1,
    CU_FUNC_CACHE_PREFER_L1 = 2,
    CU_FUNC_CACHE_PREFER_EQUAL = 3
} CUfunc_cache;
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS = 0,
    CU_JIT_THREADS_PER_BLOCK = 1,
    CU_JIT_WALL_TIME = 2,
    CU_JIT_INFO_LOG_BUFFER = 3,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_OPTIMIZATION_LEVEL = 7,
    CU_JIT_TARGET = 9,
    CU_JIT_GENERATE_DEBUG_INFO = 11,
    CU_JIT_LOG_VERBOSE = 12
} CUjit_option;
enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0,
    CU_CTX_SCHED_SPIN = 1,
    CU_CTX_SCHED_YIELD = 2,
    CU_CTX_SCHED_BLOCKING_SYNC = 4,
    CU_CTX_MAP_HOST = 8
};
enum { CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2 };
enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum { CU_MEM_ATTACH_GLOBAL = 1, CU_MEM_ATTACH_HOST = 2, CU_MEM_ATTACH_SINGLE = 4 };

inline void* const CU_LAUNCH_PARAM_END = nullptr;
inline void* const CU_LAUNCH_PARAM_BUFFER_POINTER = reinterpret_cast<void*>(1);
inline void* const CU_LAUNCH_PARAM_BUFFER_SIZE = reinterpret_cast<void*>(2);

namespace warplens_program {

/// The runtime's errors have the driver's numbers.
inline CUresult driver_result(cudaError_t error) { return static_cast<CUresult>(error); }

inline void* at_address(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace warplens_program

inline CUresult cuGetErrorName(CUresult error, const char** name) {
    *name = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : cudaGetErrorName(static_cast<cudaError_t>(error));
    return CUDA_SUCCESS;
}
inline CUresult cuGetErrorString(CUresult error, const char** text) {
    *text = cudaGetErrorString(static_cast<cudaError_t>(error));
    return CUDA_SUCCESS;
}
