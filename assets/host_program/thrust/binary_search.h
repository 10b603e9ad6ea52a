// thrust::lower_bound, upper_bound and binary_search, for one value and for a range of values.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Iterator, class Type>
Iterator lower_bound(Iterator first, Iterator last, const Type& value) {
    return std::lower_bound(warplens_program::raw(first), warplens_program::raw(last), value);
}
template <class Iterator, class Type>
Iterator upper_bound(Iterator first, Iterator last, const Type& value) {
    return std::upper_bound(warplens_program::raw(first), warplens_program::raw(last), value);
}
template <class Iterator, class Type>
bool binary_search(Iterator first, Iterator last, const Type& value) {
    return std::binary_search(warplens_program::raw(first), warplens_program::raw(last), value);
}

/// The position of each of the values, counted from the first element.
template <class Iterator, class Values, class Output>
Output lower_bound(Iterator first, Iterator last, Values values, Values values_end, Output result) {
    for (; values != values_end; ++values) *result++ = thrust::lower_bound(first, last, *values) - first;
    return result;
}
template <class Iterator, class Values, class Output>
Output upper_bound(Iterator first, Iterator last, Values values, Values values_end, Output result) {
    for (; values != values_end; ++values) *result++ = thrust::upper_bound(first, last, *values) - first;
    return result;
}
template <class Iterator, class Values, class Output>
Output binary_search(Iterator first, Iterator last, Values values, Values values_end, Output result) {
    for (; values != values_end; ++values) *result++ = thrust::binary_search(first, last, *values);
    return result;
}
WARPLENS_TAKES_POLICY(lower_bound)
WARPLENS_TAKES_POLICY(upper_bound)
WARPLENS_TAKES_POLICY(binary_search)

}  // namespace thrust
