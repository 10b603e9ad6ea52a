// cub::DoubleBuffer.
#pragma once

namespace cub {

/// Two arrays of which one is used at a time. Here an algorithm leaves its result in the one that it read.
template <class Type>
struct DoubleBuffer {
    Type* d_buffers[2] = {nullptr, nullptr};
    int selector = 0;

    DoubleBuffer() = default;
    DoubleBuffer(Type* current, Type* alternate) : d_buffers{current, alternate} {}
    Type* Current() { return d_buffers[selector]; }
    Type* Alternate() { return d_buffers[selector ^ 1]; }
};

}  // namespace cub
