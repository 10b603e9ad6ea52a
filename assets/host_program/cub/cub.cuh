// The algorithms of cub that host code calls for a whole device: sums, extremes, prefix sums and sorting. The
// host computes them. On a GPU cub would launch kernels for this. Those launches are not shown. What cub
// offers to kernels is left out: the bodies of kernels are not compiled here.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>

#include "../thrust/functional.h"
#include "../thrust/reduce.h"
#include "../thrust/scan.h"
#include "../thrust/sort.h"

namespace warplens_program {

/// A first call without memory asks how much the algorithm needs; the second one runs it.
template <class Algorithm>
cudaError_t with_temporary_memory(void* memory, std::size_t& bytes, Algorithm&& algorithm) {
    if (memory == nullptr) bytes = 1;
    else if (sticky_error == cudaSuccess) algorithm();
    return ended(cudaSuccess);
}

}  // namespace warplens_program

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
};

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
};

/// Sorts by all bits of the keys; a part of the bits is not supported.
struct DeviceRadixSort {
    template <class Key>
    static cudaError_t SortKeys(void* memory, std::size_t& bytes, const Key* keys, Key* keys_out,
                                long long count, int begin_bit = 0,
                                int end_bit = static_cast<int>(8 * sizeof(Key)), cudaStream_t = nullptr) {
        if (begin_bit != 0 || end_bit != static_cast<int>(8 * sizeof(Key))) return part_of_bits();
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            thrust::copy(keys, keys + count, keys_out);
            thrust::sort(keys_out, keys_out + count);
        });
    }
    template <class Key, class Value>
    static cudaError_t SortPairs(void* memory, std::size_t& bytes, const Key* keys, Key* keys_out,
                                 const Value* values, Value* values_out, long long count, int begin_bit = 0,
                                 int end_bit = static_cast<int>(8 * sizeof(Key)), cudaStream_t = nullptr) {
        if (begin_bit != 0 || end_bit != static_cast<int>(8 * sizeof(Key))) return part_of_bits();
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            thrust::copy(keys, keys + count, keys_out);
            thrust::copy(values, values + count, values_out);
            thrust::stable_sort_by_key(keys_out, keys_out + count, values_out);
        });
    }

  private:
    static cudaError_t part_of_bits() {
        std::fprintf(stderr, "cub::DeviceRadixSort fails: Warplens sorts by all bits of the keys only.\n");
        return warplens_program::ended(cudaErrorNotSupported);
    }
};

}  // namespace cub
