// thrust::universal_vector: elements in the managed memory, which both sides reach by plain pointers.
#pragma once

#include <new>

#include "../program/basic_vector.h"
#include "device_ptr.h"

namespace warplens_program {

struct UniversalMemory {
    template <class Type>
    using iterator = Type*;

    static void* allocate(std::size_t bytes) {
        void* memory = nullptr;
        if (bytes == 0) return memory;
        if (allocated(&memory, bytes, MemoryKind::managed) != cudaSuccess || memory == nullptr)
            throw std::bad_alloc();
        return memory;
    }
    static void release(void* memory) {
        if (memory != nullptr) Arena::instance().release(memory);
    }
};

}  // namespace warplens_program

namespace thrust {

template <class Type>
class universal_vector : public warplens_program::BasicVector<Type, warplens_program::UniversalMemory> {
  public:
    using warplens_program::BasicVector<Type, warplens_program::UniversalMemory>::BasicVector;
    using warplens_program::BasicVector<Type, warplens_program::UniversalMemory>::operator=;
    universal_vector() = default;
};

template <class Type>
void swap(universal_vector<Type>& a, universal_vector<Type>& b) {
    a.swap(b);
}

}  // namespace thrust
