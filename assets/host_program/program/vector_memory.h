// Where the elements of thrust's vectors lie: memory of the device or managed memory, which counts as filled.
#pragma once

#include <new>

#include "basic_vector.h"

namespace warplens_program {

template <MemoryKind kind>
struct VectorMemory {
    static void* allocate(std::size_t bytes) {
        void* memory = nullptr;
        if (bytes == 0) return memory;
        if (allocated(&memory, bytes, kind) != cudaSuccess || memory == nullptr) throw std::bad_alloc();
        Arena::instance().mark_filled(memory);
        return memory;
    }
    static void release(void* memory) {
        if (memory != nullptr) Arena::instance().release(memory);
    }
};

}  // namespace warplens_program
