// thrust::sort, stable_sort, sort_by_key and is_sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "copy.h"

namespace thrust {

template <class Iterator, class Compare = std::less<>>
void stable_sort(Iterator first, Iterator last, Compare compare = {}) {
    auto values = warplens_program::values_of(first, last);
    std::stable_sort(values.begin(), values.end(), compare);
    thrust::copy(values.begin(), values.end(), first);
}
template <class Iterator, class Compare = std::less<>>
void sort(Iterator first, Iterator last, Compare compare = {}) {
    thrust::stable_sort(first, last, compare);
}

template <class Keys, class Values, class Compare = std::less<>>
void stable_sort_by_key(Keys first, Keys last, Values values, Compare compare = {}) {
    const auto keys = warplens_program::values_of(first, last);
    const auto old_values = warplens_program::values_of(values, values + (last - first));
    std::vector<std::size_t> order(keys.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return compare(keys[a], keys[b]); });
    auto key = warplens_program::raw(first);
    auto value = warplens_program::raw(values);
    for (const std::size_t from : order) {
        *key++ = keys[from];
        *value++ = old_values[from];
    }
    warplens_program::written(first, key);
    warplens_program::written(values, value);
}
template <class Keys, class Values, class Compare = std::less<>>
void sort_by_key(Keys first, Keys last, Values values, Compare compare = {}) {
    thrust::stable_sort_by_key(first, last, values, compare);
}

template <class Iterator, class Compare = std::less<>>
bool is_sorted(Iterator first, Iterator last, Compare compare = {}) {
    return std::is_sorted(warplens_program::raw(first), warplens_program::raw(last), compare);
}
WARPLENS_TAKES_POLICY(stable_sort)
WARPLENS_TAKES_POLICY(sort)
WARPLENS_TAKES_POLICY(stable_sort_by_key)
WARPLENS_TAKES_POLICY(sort_by_key)
WARPLENS_TAKES_POLICY(is_sorted)

}  // namespace thrust
