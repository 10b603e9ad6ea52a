// cub::DeviceRunLengthEncode, computed on the host.
#pragma once

#include <cstddef>

#include "device_select.cuh"

namespace cub {

struct DeviceRunLengthEncode {
    template <class Input, class Unique, class Lengths, class Count>
    static cudaError_t Encode(void* memory, std::size_t& bytes, Input input, Unique unique, Lengths lengths,
                              Count runs, long long count, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            const auto values = warplens_program::values_of(input, input + count);
            auto value = warplens_program::raw(unique);
            auto length = warplens_program::raw(lengths);
            long long number = 0;
            for (std::size_t i = 0; i < values.size(); ++number) {
                std::size_t end = i;
                while (end < values.size() && values[end] == values[i]) ++end;
                *value++ = values[i];
                *length++ = static_cast<warplens_program::ValueOf<Lengths>>(end - i);
                i = end;
            }
            warplens_program::written(unique, value);
            warplens_program::written(lengths, length);
            warplens_program::write_count(runs, number);
        });
    }
};

}  // namespace cub
