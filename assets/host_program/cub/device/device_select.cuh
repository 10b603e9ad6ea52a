// cub::DeviceSelect and cub::DevicePartition, computed on the host.
#pragma once

#include <cstddef>
#include <vector>

#include "../../thrust/copy.h"
#include "../../thrust/unique.h"
#include "../temporary_memory.h"

namespace warplens_program {

template <class Count>
void write_count(Count at, long long number) {
    *at = static_cast<ValueOf<Count>>(number);
    written(at, at + 1);
}

}  // namespace warplens_program

namespace cub {

struct DeviceSelect {
    template <class Input, class Output, class Count, class Predicate>
    static cudaError_t If(void* memory, std::size_t& bytes, Input input, Output output, Count selected,
                          long long count, Predicate predicate, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            const Output end = thrust::copy_if(input, input + count, output, predicate);
            warplens_program::write_count(selected, end - output);
        });
    }
    template <class Input, class Flags, class Output, class Count>
    static cudaError_t Flagged(void* memory, std::size_t& bytes, Input input, Flags flags, Output output,
                               Count selected, long long count, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            const Output end = thrust::copy_if(input, input + count, flags, output,
                                               [](const auto& flag) { return static_cast<bool>(flag); });
            warplens_program::write_count(selected, end - output);
        });
    }
    template <class Input, class Output, class Count>
    static cudaError_t Unique(void* memory, std::size_t& bytes, Input input, Output output, Count selected,
                              long long count, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            const Output end = thrust::unique_copy(input, input + count, output);
            warplens_program::write_count(selected, end - output);
        });
    }
};

/// What is chosen comes first, the others after it in reverse order.
struct DevicePartition {
    template <class Input, class Output, class Count, class Predicate>
    static cudaError_t If(void* memory, std::size_t& bytes, Input input, Output output, Count selected,
                          long long count, Predicate predicate, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            auto values = warplens_program::values_of(input, input + count);
            std::size_t front = 0, back = values.size();
            auto to = warplens_program::raw(output);
            for (const auto& value : values) to[predicate(value) ? front++ : --back] = value;
            warplens_program::written(output, to + count);
            warplens_program::write_count(selected, static_cast<long long>(front));
        });
    }
};

}  // namespace cub
