// Streams. Work is done when its call returns, in the order of the host code, so a stream never has work
// left.
#pragma once

#include "errors.h"
#include "events.h"
#include "handles.h"

struct CUstream_st {
    unsigned int flags;
    int priority;
};

enum {
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventWaitDefault = 0,
    cudaEventWaitExternal = 1
};

inline const cudaStream_t cudaStreamLegacy = reinterpret_cast<cudaStream_t>(1);
inline const cudaStream_t cudaStreamPerThread = reinterpret_cast<cudaStream_t>(2);

typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
typedef void (*cudaHostFn_t)(void* data);

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    if (stream == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    *stream = new CUstream_st{flags, priority};
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return warplens_program::ended(cudaErrorInvalidResourceHandle);
    delete stream;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return warplens_program::ended(cudaSuccess); }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return warplens_program::ended(cudaSuccess); }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                       unsigned int = cudaEventWaitDefault) {
    if (event != nullptr && event->captured_by != nullptr)
        warplens_program::Captures::instance().join(stream, event->captured_by);
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
    *flags = stream == nullptr ? 0u : stream->flags;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    *priority = stream == nullptr ? 0 : stream->priority;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                         unsigned int) {
    callback(stream, cudaPeekAtLastError(), data);
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (!warplens_program::captured(stream, cudaGraphNodeTypeHost, [=] { function(data); })) function(data);
    return warplens_program::ended(cudaSuccess);
}
