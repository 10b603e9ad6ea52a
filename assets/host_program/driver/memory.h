// Memory by the driver's calls.
#pragma once

#include <cstddef>
#include <cstring>

#include "types.h"

namespace warplens_program {

inline CUresult address_of_allocation(CUdeviceptr* pointer, void* memory, cudaError_t error) {
    *pointer = reinterpret_cast<CUdeviceptr>(memory);
    return driver_result(error);
}

/// Values of 2 or 4 bytes.
template <class Value>
CUresult set_memory(CUdeviceptr to, Value value, std::size_t count) {
    if (!is_side_of_copy(at_address(to), count * sizeof value, true)) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(static_cast<char*>(at_address(to)) + i * sizeof value, &value, sizeof value);
    Arena::instance().mark_filled(at_address(to));
    return CUDA_SUCCESS;
}

}  // namespace warplens_program

inline CUresult cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) {
    void* memory = nullptr;
    const cudaError_t error = (cudaMalloc)(&memory, bytes);
    return warplens_program::address_of_allocation(pointer, memory, error);
}
inline CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t bytes, unsigned int flags) {
    void* memory = nullptr;
    const cudaError_t error = (cudaMallocManaged)(&memory, bytes, flags);
    return warplens_program::address_of_allocation(pointer, memory, error);
}
inline CUresult cuMemAllocPitch(CUdeviceptr* pointer, std::size_t* pitch, std::size_t width,
                                std::size_t height, unsigned int) {
    void* memory = nullptr;
    const cudaError_t error = (cudaMallocPitch)(&memory, pitch, width, height);
    return warplens_program::address_of_allocation(pointer, memory, error);
}
inline CUresult cuMemAllocHost(void** pointer, std::size_t bytes) {
    return warplens_program::driver_result((cudaMallocHost)(pointer, bytes));
}
inline CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned int) {
    return cuMemAllocHost(pointer, bytes);
}
// The allocation's name is that of the variable that gets its address.
#define cuMemAlloc(...)              \
    warplens_program::driver_result( \
        warplens_program::named(#__VA_ARGS__, static_cast<cudaError_t>(::cuMemAlloc(__VA_ARGS__))))

inline CUresult cuMemFree(CUdeviceptr pointer) {
    return warplens_program::driver_result(cudaFree(warplens_program::at_address(pointer)));
}
inline CUresult cuMemFreeHost(void* pointer) {
    return warplens_program::driver_result(cudaFreeHost(pointer));
}
inline CUresult cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    return warplens_program::driver_result(cudaMemGetInfo(free_bytes, total_bytes));
}

inline CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
    return warplens_program::driver_result(
        cudaMemcpyAsync(warplens_program::at_address(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
inline CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return warplens_program::driver_result(
        cudaMemcpyAsync(to, warplens_program::at_address(from), bytes, cudaMemcpyDeviceToHost, stream));
}
inline CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return warplens_program::driver_result(cudaMemcpyAsync(warplens_program::at_address(to),
                                                           warplens_program::at_address(from), bytes,
                                                           cudaMemcpyDeviceToDevice, stream));
}
inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
    return cuMemcpyHtoDAsync(to, from, bytes, nullptr);
}
inline CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
    return cuMemcpyDtoHAsync(to, from, bytes, nullptr);
}
inline CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return cuMemcpyDtoDAsync(to, from, bytes, nullptr);
}
inline CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
    return warplens_program::driver_result(cudaMemset(warplens_program::at_address(to), value, count));
}
inline CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, std::size_t count) {
    return warplens_program::set_memory(to, value, count);
}
inline CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, std::size_t count) {
    return warplens_program::set_memory(to, value, count);
}
