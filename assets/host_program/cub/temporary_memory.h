// How the algorithms for a whole device are called: once for the memory that they need, and once to run.
#pragma once

#include <cstddef>

#include "../program/libraries.h"
#include "../runtime/errors.h"

namespace warplens_program {

/// A first call without memory asks how much the algorithm needs; the second one runs it.
template <class Algorithm>
cudaError_t with_temporary_memory(void* memory, std::size_t& bytes, Algorithm&& algorithm) {
    const LibraryCall call("cub");
    if (memory == nullptr) bytes = 1;
    else if (sticky_error == cudaSuccess) algorithm();
    return ended(cudaSuccess);
}

}  // namespace warplens_program
