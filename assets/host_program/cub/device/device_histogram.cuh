// cub::DeviceHistogram of one channel, computed on the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "../../program/written.h"
#include "../temporary_memory.h"

namespace cub {

struct DeviceHistogram {
    /// Bins of equal width from `lower` to `upper`; samples outside are not counted.
    template <class Samples, class Counter, class Level>
    static cudaError_t HistogramEven(void* memory, std::size_t& bytes, Samples samples, Counter* histogram,
                                     int levels, Level lower, Level upper, long long count,
                                     cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            const int bins = levels - 1;
            std::fill(histogram, histogram + bins, Counter());
            for (const auto& sample : warplens_program::values_of(samples, samples + count)) {
                const auto value = static_cast<Level>(sample);
                if (value < lower || !(value < upper)) continue;
                int bin = 0;
                if constexpr (std::is_integral_v<Level>)
                    bin = static_cast<int>((static_cast<long long>(value) - static_cast<long long>(lower)) *
                                           bins /
                                           (static_cast<long long>(upper) - static_cast<long long>(lower)));
                else bin = static_cast<int>((value - lower) * (static_cast<Level>(bins) / (upper - lower)));
                ++histogram[std::min(bin, bins - 1)];
            }
            warplens_program::written(histogram, histogram + bins);
        });
    }
    /// Bins between ascending levels.
    template <class Samples, class Counter, class Level>
    static cudaError_t HistogramRange(void* memory, std::size_t& bytes, Samples samples, Counter* histogram,
                                      int levels, const Level* level, long long count,
                                      cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            std::fill(histogram, histogram + levels - 1, Counter());
            for (const auto& sample : warplens_program::values_of(samples, samples + count)) {
                const auto after = std::upper_bound(level, level + levels, static_cast<Level>(sample));
                if (after != level && after != level + levels) ++histogram[after - level - 1];
            }
            warplens_program::written(histogram, histogram + levels - 1);
        });
    }
};

}  // namespace cub
