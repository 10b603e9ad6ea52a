// thrust::min_element, max_element, minmax_element, and min and max of two values.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

using std::max;
using std::min;

template <class Iterator, class Compare = std::less<>>
Iterator min_element(Iterator first, Iterator last, Compare compare = {}) {
    return std::min_element(warplens_program::raw(first), warplens_program::raw(last), compare);
}
template <class Iterator, class Compare = std::less<>>
Iterator max_element(Iterator first, Iterator last, Compare compare = {}) {
    return std::max_element(warplens_program::raw(first), warplens_program::raw(last), compare);
}
template <class Iterator, class Compare = std::less<>>
std::pair<Iterator, Iterator> minmax_element(Iterator first, Iterator last, Compare compare = {}) {
    return {thrust::min_element(first, last, compare), thrust::max_element(first, last, compare)};
}
WARPLENS_TAKES_POLICY(min_element)
WARPLENS_TAKES_POLICY(max_element)
WARPLENS_TAKES_POLICY(minmax_element)

}  // namespace thrust
