// The device and its one context.
#pragma once

#include <cstdio>

#include "types.h"

namespace warplens_program {

inline CUcontext the_context() { return reinterpret_cast<CUcontext>(1); }

}  // namespace warplens_program

inline CUresult cuInit(unsigned int) { return CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int* version) {
    return warplens_program::driver_result(cudaDriverGetVersion(version));
}
inline CUresult cuDeviceGetCount(int* count) {
    return warplens_program::driver_result(cudaGetDeviceCount(count));
}
inline CUresult cuDeviceGet(CUdevice* device, int number) {
    *device = number;
    return number == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
inline CUresult cuDeviceGetName(char* name, int length, CUdevice) {
    std::snprintf(name, static_cast<std::size_t>(length), "%s", warplens_device_name);
    return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    return warplens_program::driver_result(
        cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
inline CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice) {
    *major = static_cast<int>(warplens_device_major);
    *minor = static_cast<int>(warplens_device_minor);
    return CUDA_SUCCESS;
}
inline CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice) {
    *bytes = warplens_device_totalGlobalMem;
    return CUDA_SUCCESS;
}

inline CUresult cuCtxCreate(CUcontext* context, unsigned int, CUdevice) {
    *context = warplens_program::the_context();
    return CUDA_SUCCESS;
}
/// As from CUDA 13 on, with parameters.
inline CUresult cuCtxCreate(CUcontext* context, const void*, unsigned int flags, CUdevice device) {
    return cuCtxCreate(context, flags, device);
}
inline CUresult cuCtxDestroy(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxSynchronize() { return warplens_program::driver_result(cudaDeviceSynchronize()); }
inline CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxGetCurrent(CUcontext* context) {
    *context = warplens_program::the_context();
    return CUDA_SUCCESS;
}
inline CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxPopCurrent(CUcontext* context) { return cuCtxGetCurrent(context); }
inline CUresult cuCtxGetDevice(CUdevice* device) { return cuDeviceGet(device, 0); }
inline CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) { return cuCtxGetCurrent(context); }
inline CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
