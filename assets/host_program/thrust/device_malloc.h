// thrust::device_malloc and device_free.
#pragma once

#include <cstddef>
#include <new>

#include "device_ptr.h"

namespace thrust {

template <class Type>
device_ptr<Type> device_malloc(std::size_t count) {
    void* memory = nullptr;
    if (warplens_program::allocated(&memory, count * sizeof(Type), warplens_program::MemoryKind::device) !=
        cudaSuccess)
        throw std::bad_alloc();
    return static_cast<Type*>(memory);
}
inline device_ptr<void> device_malloc(std::size_t bytes) { return device_malloc<char>(bytes); }

template <class Type>
void device_free(device_ptr<Type> pointer) {
    warplens_program::released(const_cast<std::remove_cv_t<Type>*>(pointer.get()));
}

}  // namespace thrust
