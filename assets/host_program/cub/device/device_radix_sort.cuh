// cub::DeviceRadixSort, computed on the host: stable, by the chosen bits of the keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../../thrust/copy.h"
#include "../../thrust/sort.h"
#include "../temporary_memory.h"
#include "../util_type.cuh"

namespace warplens_program {

/// The bits of a number in an order of unsigned integers that is the numbers' own.
template <class Key>
std::uint64_t ordered_bits(const Key& key) {
    static_assert(sizeof(Key) <= sizeof(std::uint64_t));
    constexpr int width = 8 * sizeof(Key);
    constexpr std::uint64_t sign = std::uint64_t{1} << (width - 1), all = sign | (sign - 1);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &key, sizeof key);
    if constexpr (std::is_integral_v<Key>) return std::is_signed_v<Key> ? bits ^ sign : bits;
    else return bits & sign ? ~bits & all : bits | sign;
}

/// The order by some bits of the keys, ascending or descending.
struct ByBits {
    int begin, end;
    bool descending;

    template <class Key>
    bool operator()(const Key& a, const Key& b) const {
        return descending ? part_of(b) < part_of(a) : part_of(a) < part_of(b);
    }
    template <class Key>
    std::uint64_t part_of(const Key& key) const {
        const std::uint64_t bits = ordered_bits(key) >> begin;
        return end - begin >= 64 ? bits : bits & ((std::uint64_t{1} << (end - begin)) - 1);
    }
};

}  // namespace warplens_program

namespace cub {

struct DeviceRadixSort {
    template <class Key>
    static cudaError_t SortKeys(void* memory, std::size_t& bytes, const Key* keys, Key* keys_out,
                                long long count, int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                cudaStream_t = nullptr) {
        return keys_by(memory, bytes, keys, keys_out, count, {begin_bit, end_bit, false});
    }
    template <class Key>
    static cudaError_t SortKeysDescending(void* memory, std::size_t& bytes, const Key* keys, Key* keys_out,
                                          long long count, int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                          cudaStream_t = nullptr) {
        return keys_by(memory, bytes, keys, keys_out, count, {begin_bit, end_bit, true});
    }
    template <class Key>
    static cudaError_t SortKeys(void* memory, std::size_t& bytes, DoubleBuffer<Key>& keys, long long count,
                                int begin_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
        return keys_by(memory, bytes, keys.Current(), keys.Current(), count, {begin_bit, end_bit, false});
    }
    template <class Key, class Value>
    static cudaError_t SortPairs(void* memory, std::size_t& bytes, const Key* keys, Key* keys_out,
                                 const Value* values, Value* values_out, long long count, int begin_bit = 0,
                                 int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
        return pairs_by(memory, bytes, keys, keys_out, values, values_out, count,
                        {begin_bit, end_bit, false});
    }
    template <class Key, class Value>
    static cudaError_t SortPairsDescending(void* memory, std::size_t& bytes, const Key* keys, Key* keys_out,
                                           const Value* values, Value* values_out, long long count,
                                           int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                           cudaStream_t = nullptr) {
        return pairs_by(memory, bytes, keys, keys_out, values, values_out, count, {begin_bit, end_bit, true});
    }
    template <class Key, class Value>
    static cudaError_t SortPairs(void* memory, std::size_t& bytes, DoubleBuffer<Key>& keys,
                                 DoubleBuffer<Value>& values, long long count, int begin_bit = 0,
                                 int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
        return pairs_by(memory, bytes, keys.Current(), keys.Current(), values.Current(), values.Current(),
                        count, {begin_bit, end_bit, false});
    }

  private:
    template <class Key>
    static cudaError_t keys_by(void* memory, std::size_t& bytes, const Key* keys, Key* keys_out,
                               long long count, const warplens_program::ByBits& order) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            if (keys != keys_out) thrust::copy(keys, keys + count, keys_out);
            thrust::stable_sort(keys_out, keys_out + count, order);
        });
    }
    template <class Key, class Value>
    static cudaError_t pairs_by(void* memory, std::size_t& bytes, const Key* keys, Key* keys_out,
                                const Value* values, Value* values_out, long long count,
                                const warplens_program::ByBits& order) {
        return warplens_program::with_temporary_memory(memory, bytes, [&] {
            if (keys != keys_out) thrust::copy(keys, keys + count, keys_out);
            if (values != values_out) thrust::copy(values, values + count, values_out);
            thrust::stable_sort_by_key(keys_out, keys_out + count, values_out, order);
        });
    }
};

}  // namespace cub
