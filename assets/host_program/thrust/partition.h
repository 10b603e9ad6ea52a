// thrust::partition and stable_partition.
#pragma once

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

/// The elements that fulfil the predicate come first. Both parts keep their order.
template <class Iterator, class Predicate>
Iterator stable_partition(Iterator first, Iterator last, Predicate predicate) {
    const auto values = warplens_program::values_of(first, last);
    for (const auto& value : values)
        if (predicate(value)) *first++ = value;
    const Iterator middle = first;
    for (const auto& value : values)
        if (!predicate(value)) *first++ = value;
    return middle;
}
template <class Iterator, class Predicate>
Iterator partition(Iterator first, Iterator last, Predicate predicate) {
    return thrust::stable_partition(first, last, predicate);
}
WARPLENS_TAKES_POLICY(stable_partition)
WARPLENS_TAKES_POLICY(partition)

}  // namespace thrust
