// thrust::device_vector: elements in the memory of the device, each with a value from the start.
#pragma once

#include "../program/vector_memory.h"
#include "device_ptr.h"

namespace warplens_program {

struct DeviceMemory : VectorMemory<MemoryKind::device> {
    template <class Type>
    using iterator = thrust::device_ptr<Type>;
};

}  // namespace warplens_program

namespace thrust {

template <class Type>
class device_vector : public warplens_program::BasicVector<Type, warplens_program::DeviceMemory> {
  public:
    using warplens_program::BasicVector<Type, warplens_program::DeviceMemory>::BasicVector;
    using warplens_program::BasicVector<Type, warplens_program::DeviceMemory>::operator=;
    device_vector() = default;
};

template <class Type>
void swap(device_vector<Type>& a, device_vector<Type>& b) {
    a.swap(b);
}

}  // namespace thrust
