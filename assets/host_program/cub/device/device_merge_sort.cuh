// cub::DeviceMergeSort, computed on the host.
#pragma once

#include <cstddef>

#include "../../thrust/sort.h"
#include "../temporary_memory.h"

namespace cub {

struct DeviceMergeSort {
    template <class Keys, class Compare>
    static cudaError_t SortKeys(void* memory, std::size_t& bytes, Keys keys, long long count, Compare compare,
                                cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(
            memory, bytes, [&] { thrust::stable_sort(keys, keys + count, compare); });
    }
    template <class Keys, class Compare>
    static cudaError_t StableSortKeys(void* memory, std::size_t& bytes, Keys keys, long long count,
                                      Compare compare, cudaStream_t = nullptr) {
        return SortKeys(memory, bytes, keys, count, compare);
    }
    template <class Keys, class Values, class Compare>
    static cudaError_t SortPairs(void* memory, std::size_t& bytes, Keys keys, Values values, long long count,
                                 Compare compare, cudaStream_t = nullptr) {
        return warplens_program::with_temporary_memory(
            memory, bytes, [&] { thrust::stable_sort_by_key(keys, keys + count, values, compare); });
    }
};

}  // namespace cub
