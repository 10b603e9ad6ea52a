// cub::DeviceSegmentedReduce, computed on the host.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>

#include "../../thrust/functional.h"
#include "../../thrust/reduce.h"
#include "../temporary_memory.h"

namespace cub {

struct DeviceSegmentedReduce {
    template <class Input, class Output, class Begins, class Ends, class Function, class Type>
    static cudaError_t Reduce(void* memory, std::size_t& bytes, Input input, Output output,
                              long long segments, Begins begins, Ends ends, Function function, Type init,
                              cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            for (long long i = 0; i < segments; ++i)
                output[i] = thrust::reduce(input + begins[i], input + ends[i], init, function);
            warplens_program::written(output, output + segments);
        });
    }
    template <class Input, class Output, class Begins, class Ends>
    static cudaError_t Sum(void* memory, std::size_t& bytes, Input input, Output output, long long segments,
                           Begins begins, Ends ends, cudaStream_t = nullptr) {
        using Type = warplens_program::ValueOf<Input>;
        return Reduce(memory, bytes, input, output, segments, begins, ends, std::plus<>(), Type());
    }
    template <class Input, class Output, class Begins, class Ends>
    static cudaError_t Max(void* memory, std::size_t& bytes, Input input, Output output, long long segments,
                           Begins begins, Ends ends, cudaStream_t = nullptr) {
        using Type = warplens_program::ValueOf<Input>;
        return Reduce(memory, bytes, input, output, segments, begins, ends, thrust::maximum<>(),
                      std::numeric_limits<Type>::lowest());
    }
};

}  // namespace cub
