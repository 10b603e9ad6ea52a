// cub::DeviceReduce, computed on the host.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>

#include "../../thrust/functional.h"
#include "../../thrust/reduce.h"
#include "../temporary_memory.h"

namespace cub {

struct DeviceReduce {
    template <class Input, class Output, class Function, class Type>
    static cudaError_t Reduce(void* memory, std::size_t& bytes, Input input, Output output, long long count,
                              Function function, Type init, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            *output = thrust::reduce(input, input + count, init, function);
            warplens_program::written(output, output + 1);
        });
    }
    template <class Input, class Output>
    static cudaError_t Sum(void* memory, std::size_t& bytes, Input input, Output output, long long count,
                           cudaStream_t = nullptr) {
        using Type = warplens_program::ValueOf<Input>;
        return Reduce(memory, bytes, input, output, count, std::plus<>(), Type());
    }
    template <class Input, class Output>
    static cudaError_t Min(void* memory, std::size_t& bytes, Input input, Output output, long long count,
                           cudaStream_t = nullptr) {
        using Type = warplens_program::ValueOf<Input>;
        return Reduce(memory, bytes, input, output, count, thrust::minimum<>(),
                      std::numeric_limits<Type>::max());
    }
    template <class Input, class Output>
    static cudaError_t Max(void* memory, std::size_t& bytes, Input input, Output output, long long count,
                           cudaStream_t = nullptr) {
        using Type = warplens_program::ValueOf<Input>;
        return Reduce(memory, bytes, input, output, count, thrust::maximum<>(),
                      std::numeric_limits<Type>::lowest());
    }
    template <class Keys, class Unique, class Values, class Sums, class Count, class Function>
    static cudaError_t ReduceByKey(void* memory, std::size_t& bytes, Keys keys, Unique unique, Values values,
                                   Sums sums, Count runs, Function function, long long count,
                                   cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            const auto ends =
                thrust::reduce_by_key(keys, keys + count, values, unique, sums, std::equal_to<>(), function);
            *runs = static_cast<warplens_program::ValueOf<Count>>(ends.first - unique);
            warplens_program::written(runs, runs + 1);
        });
    }
};

}  // namespace cub
