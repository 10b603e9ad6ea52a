// cudaError_t, its names and texts, and what the calls remember of errors.
#pragma once

#include <atomic>

// X(name, value, text)
#define WARPLENS_ERRORS(X)                                                                \
    X(cudaSuccess, 0, "no error")                                                         \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                       \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                      \
    X(cudaErrorInitializationError, 3, "initialization error")                            \
    X(cudaErrorCudartUnloading, 4, "driver shutting down")                                \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                 \
    X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                           \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                        \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")           \
    X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient")             \
    X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                      \
    X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                       \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                              \
    X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution") \
    X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported")                \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                     \
    X(cudaErrorSymbolNotFound, 500, "named symbol not found")                             \
    X(cudaErrorNotReady, 600, "device not ready")                                         \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")           \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")      \
    X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")             \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")           \
    X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")             \
    X(cudaErrorAssert, 710, "device-side assert triggered")                               \
    X(cudaErrorHostMemoryAlreadyRegistered, 712, "memory is already registered")          \
    X(cudaErrorHostMemoryNotRegistered, 713, "memory is not registered")                  \
    X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")         \
    X(cudaErrorMisalignedAddress, 716, "misaligned address")                              \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                          \
    X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in a cooperative launch") \
    X(cudaErrorNotPermitted, 800, "operation not permitted")                              \
    X(cudaErrorNotSupported, 801, "operation not supported")                              \
    X(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define X(name, value, text) name = value,
    WARPLENS_ERRORS(X)
#undef X
};
typedef enum cudaError cudaError_t;

inline const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define X(name, value, text) \
    case name:               \
        return #name;
        WARPLENS_ERRORS(X)
#undef X
    }
    return "unrecognized error code";
}

inline const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define X(name, value, text) \
    case name:               \
        return text;
        WARPLENS_ERRORS(X)
#undef X
    }
    return "unrecognized error code";
}
#undef WARPLENS_ERRORS

namespace warplens_program {

/// A failed launch breaks the context: from then on each call gives its error.
inline std::atomic<cudaError_t> sticky_error{cudaSuccess};
inline thread_local cudaError_t last_error = cudaSuccess;

/// What a call returns that ended so.
inline cudaError_t ended(cudaError_t error) {
    if (sticky_error != cudaSuccess) return sticky_error;
    if (error != cudaSuccess) last_error = error;
    return error;
}

}  // namespace warplens_program

inline cudaError_t cudaPeekAtLastError() {
    const cudaError_t sticky = warplens_program::sticky_error;
    return sticky != cudaSuccess ? sticky : warplens_program::last_error;
}

inline cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    warplens_program::last_error = cudaSuccess;
    return error;
}
