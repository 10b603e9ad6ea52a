// thrust::device_vector: elements in the memory of the device, each with a value from the start.
#pragma once

#include <new>

#include "../program/basic_vector.h"
#include "device_ptr.h"

namespace warplens_program {

struct DeviceMemory {
    template <class Type>
    using iterator = thrust::device_ptr<Type>;

    static void* allocate(std::size_t bytes) {
        void* memory = nullptr;
        if (bytes == 0) return memory;
        if (allocated(&memory, bytes, MemoryKind::device) != cudaSuccess || memory == nullptr)
            throw std::bad_alloc();
        Arena::instance().mark_filled(memory);
        return memory;
    }
    static void release(void* memory) {
        if (memory != nullptr) Arena::instance().release(memory);
    }
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
