// Streams and events by the driver's calls.
#pragma once

#include "types.h"

inline CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
    return warplens_program::driver_result(cudaStreamCreateWithFlags(stream, flags));
}
inline CUresult cuStreamDestroy(CUstream stream) {
    return warplens_program::driver_result(cudaStreamDestroy(stream));
}
inline CUresult cuStreamSynchronize(CUstream stream) {
    return warplens_program::driver_result(cudaStreamSynchronize(stream));
}
inline CUresult cuStreamQuery(CUstream stream) {
    return warplens_program::driver_result(cudaStreamQuery(stream));
}
inline CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    return warplens_program::driver_result(cudaStreamWaitEvent(stream, event, flags));
}
inline CUresult cuEventCreate(CUevent* event, unsigned int flags) {
    return warplens_program::driver_result(cudaEventCreateWithFlags(event, flags));
}
inline CUresult cuEventDestroy(CUevent event) {
    return warplens_program::driver_result(cudaEventDestroy(event));
}
inline CUresult cuEventRecord(CUevent event, CUstream stream) {
    return warplens_program::driver_result(cudaEventRecord(event, stream));
}
inline CUresult cuEventSynchronize(CUevent event) {
    return warplens_program::driver_result(cudaEventSynchronize(event));
}
inline CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
    return warplens_program::driver_result(cudaEventElapsedTime(milliseconds, begin, end));
}
