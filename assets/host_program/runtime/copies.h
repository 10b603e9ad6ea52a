// cudaMemcpy, cudaMemset and their siblings: they check the addresses as CUDA does and are done when they
// return.
#pragma once

#include <cstddef>
#include <cstring>

#include "../program/arena.h"
#include "../program/capture.h"
#include "errors.h"
#include "handles.h"

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

namespace warplens_program {

/// Whether `bytes` from an address on may be the side of a copy that the device is on, or not.
inline bool is_side_of_copy(const void* address, std::size_t bytes, bool on_device) {
    Arena& arena = Arena::instance();
    if (arena.contains(address) && !arena.holds(address, bytes)) return false;
    return on_device ? arena.contains(address) : arena.kind_of(address) != MemoryKind::device;
}

inline cudaError_t copy_error(const void* to, std::size_t to_bytes, const void* from, std::size_t from_bytes,
                              cudaMemcpyKind kind) {
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    Arena& arena = Arena::instance();
    const bool by_kind = kind != cudaMemcpyDefault;
    const bool to_device =
        by_kind ? kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice : arena.contains(to);
    const bool from_device =
        by_kind ? kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice : arena.contains(from);
    return is_side_of_copy(to, to_bytes, to_device) && is_side_of_copy(from, from_bytes, from_device)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

/// The bytes from the first one of the first row to the last one of the last row.
inline std::size_t pitched_bytes(std::size_t pitch, std::size_t width, std::size_t height) {
    return pitch * (height - 1) + width;
}

}  // namespace warplens_program

inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    using namespace warplens_program;
    if (sticky_error != cudaSuccess || bytes == 0) return ended(cudaSuccess);
    const cudaError_t error = copy_error(to, bytes, from, bytes, kind);
    if (error != cudaSuccess) return ended(error);
    std::memmove(to, from, bytes);
    Arena::instance().mark_filled(to);
    return ended(cudaSuccess);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream = nullptr) {
    const auto copy = [=] { return cudaMemcpy(to, from, bytes, kind); };
    return warplens_program::captured(stream, cudaGraphNodeTypeMemcpy, copy) ? cudaSuccess : copy();
}
inline cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                       cudaStream_t = nullptr) {
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

inline cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    using namespace warplens_program;
    if (sticky_error != cudaSuccess || width == 0 || height == 0) return ended(cudaSuccess);
    if (width > to_pitch || width > from_pitch) return ended(cudaErrorInvalidPitchValue);
    const cudaError_t error = copy_error(to, pitched_bytes(to_pitch, width, height), from,
                                         pitched_bytes(from_pitch, width, height), kind);
    if (error != cudaSuccess) return ended(error);
    for (std::size_t row = 0; row < height; ++row)
        std::memmove(static_cast<char*>(to) + row * to_pitch,
                     static_cast<const char*>(from) + row * from_pitch, width);
    Arena::instance().mark_filled(to);
    return ended(cudaSuccess);
}
inline cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr) {
    const auto copy = [=] { return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind); };
    return warplens_program::captured(stream, cudaGraphNodeTypeMemcpy, copy) ? cudaSuccess : copy();
}

inline cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                std::size_t height) {
    using namespace warplens_program;
    if (sticky_error != cudaSuccess || width == 0 || height == 0) return ended(cudaSuccess);
    if (width > pitch && height > 1) return ended(cudaErrorInvalidPitchValue);
    if (!is_side_of_copy(to, pitched_bytes(pitch, width, height), true)) return ended(cudaErrorInvalidValue);
    for (std::size_t row = 0; row < height; ++row)
        std::memset(static_cast<char*>(to) + row * pitch, value, width);
    Arena::instance().mark_filled(to);
    return ended(cudaSuccess);
}
inline cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                                     std::size_t height, cudaStream_t stream = nullptr) {
    const auto set = [=] { return cudaMemset2D(to, pitch, value, width, height); };
    return warplens_program::captured(stream, cudaGraphNodeTypeMemset, set) ? cudaSuccess : set();
}
inline cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return cudaMemset2D(to, bytes, value, bytes, 1);
}
inline cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream = nullptr) {
    return cudaMemset2DAsync(to, bytes, value, bytes, 1, stream);
}
