// Events: points in time of the host's clock. What lies between two of them is how long this machine took,
// which says nothing of a GPU.
#pragma once

#include <chrono>

#include "../program/capture.h"
#include "errors.h"
#include "handles.h"

struct CUevent_st {
    std::chrono::steady_clock::time_point time;
    bool recorded, has_time;
    cudaGraph_t captured_by = nullptr;  // the graph into which its stream was captured when it was recorded
};

enum {
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaEventRecordDefault = 0
};

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    if (event == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    *event = new CUevent_st{{}, false, (flags & cudaEventDisableTiming) == 0};
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags = cudaEventDefault) {
    return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (event == nullptr) return warplens_program::ended(cudaErrorInvalidResourceHandle);
    delete event;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
    if (event == nullptr) return warplens_program::ended(cudaErrorInvalidResourceHandle);
    event->captured_by = warplens_program::Captures::instance().graph_of(stream);
    if (event->captured_by != nullptr) return warplens_program::ended(cudaSuccess);
    event->time = std::chrono::steady_clock::now();
    event->recorded = true;
    return warplens_program::ended(cudaSuccess);
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                            unsigned int = cudaEventRecordDefault) {
    return cudaEventRecord(event, stream);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return warplens_program::ended(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}
inline cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    if (milliseconds == nullptr) return warplens_program::ended(cudaErrorInvalidValue);
    if (begin == nullptr || end == nullptr || !begin->recorded || !end->recorded || !begin->has_time ||
        !end->has_time)
        return warplens_program::ended(cudaErrorInvalidResourceHandle);
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
    return warplens_program::ended(cudaSuccess);
}
