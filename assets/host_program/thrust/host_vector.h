// thrust::host_vector: elements in the memory of the host.
#pragma once

#include <new>

#include "../cuda_runtime.h"
#include "../program/basic_vector.h"

namespace warplens_program {

struct HostMemory {
    template <class Type>
    using iterator = Type*;
    static void* allocate(std::size_t bytes) { return ::operator new(bytes); }
    static void release(void* memory) { ::operator delete(memory); }
};

}  // namespace warplens_program

namespace thrust {

template <class Type>
class host_vector : public warplens_program::BasicVector<Type, warplens_program::HostMemory> {
  public:
    using warplens_program::BasicVector<Type, warplens_program::HostMemory>::BasicVector;
    using warplens_program::BasicVector<Type, warplens_program::HostMemory>::operator=;
    host_vector() = default;
};

template <class Type>
void swap(host_vector<Type>& a, host_vector<Type>& b) {
    a.swap(b);
}

}  // namespace thrust
