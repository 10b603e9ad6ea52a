// cub::DeviceScan, computed on the host.
#pragma once

#include <cstddef>

#include "../../thrust/scan.h"
#include "../temporary_memory.h"

namespace cub {

struct DeviceScan {
    template <class Input, class Output>
    static cudaError_t InclusiveSum(void* memory, std::size_t& bytes, Input input, Output output,
                                    long long count, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(
            memory, bytes, [&] { thrust::inclusive_scan(input, input + count, output); });
    }
    template <class Input, class Output>
    static cudaError_t ExclusiveSum(void* memory, std::size_t& bytes, Input input, Output output,
                                    long long count, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(
            memory, bytes, [&] { thrust::exclusive_scan(input, input + count, output); });
    }
    template <class Input, class Output, class Function>
    static cudaError_t InclusiveScan(void* memory, std::size_t& bytes, Input input, Output output,
                                     Function function, long long count, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(
            memory, bytes, [&] { thrust::inclusive_scan(input, input + count, output, function); });
    }
    template <class Input, class Output, class Function, class Type>
    static cudaError_t ExclusiveScan(void* memory, std::size_t& bytes, Input input, Output output,
                                     Function function, Type init, long long count, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(
            memory, bytes, [&] { thrust::exclusive_scan(input, input + count, output, init, function); });
    }
};

}  // namespace cub
