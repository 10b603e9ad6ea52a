// thrust::universal_vector: elements in the managed memory, which both sides reach by plain pointers.
#pragma once

#include "../program/vector_memory.h"
#include "device_ptr.h"

namespace warplens_program {

struct UniversalMemory : VectorMemory<MemoryKind::managed> {
    template <class Type>
    using iterator = Type*;
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
