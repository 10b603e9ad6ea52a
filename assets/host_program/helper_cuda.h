// What CUDA's samples share around the runtime: checks of errors and the choice of the device.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "cuda_runtime.h"
#include "helper_string.h"

inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

namespace warplens_program {

inline void check(cudaError_t error, const char* call, const char* file, int line) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error),
                 cudaGetErrorName(error));
    std::exit(EXIT_FAILURE);
}

}  // namespace warplens_program

#define checkCudaErrors(call) warplens_program::check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) warplens_program::check(cudaGetLastError(), message, __FILE__, __LINE__)
#define printLastCudaError(message) \
    std::fprintf(stderr, "%s: %s\n", message, cudaGetErrorString(cudaGetLastError()))
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

inline int ftoi(float value) { return static_cast<int>(value >= 0 ? value + 0.5f : value - 0.5f); }

/// How many FP32 lanes an SM of a compute capability has; those of 9.0 for later ones.
inline int _ConvertSMVer2Cores(int major, int minor) {
    if (major >= 9) return 128;
    if (major == 8) return minor == 0 ? 64 : 128;
    if (major == 7) return 64;
    if (major == 6) return minor == 0 ? 64 : 128;
    return major == 5 ? 128 : 192;
}
inline const char* _ConvertSMVer2ArchName(int major, int minor) {
    if (major >= 10) return "Blackwell";
    if (major == 9) return "Hopper";
    if (major == 8) return minor == 9 ? "Ada" : "Ampere";
    if (major == 7) return minor == 5 ? "Turing" : "Volta";
    return major == 6 ? "Pascal" : "Maxwell";
}

inline int gpuDeviceInit(int device) {
    checkCudaErrors(cudaSetDevice(device));
    return device;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int count, const char** arguments) {
    const int device =
        checkCmdLineFlag(count, arguments, "device") ? getCmdLineArgumentInt(count, arguments, "device") : 0;
    cudaDeviceProp properties;
    gpuDeviceInit(device);
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    std::printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
                properties.major, properties.minor);
    return device;
}
inline int findIntegratedGPU() { return -1; }
inline bool checkCudaCapabilities(int major, int minor) {
    return warplens_device_major > major ||
           (warplens_device_major == major && warplens_device_minor >= minor);
}
