// thrust::reverse and reverse_copy.
#pragma once

#include <algorithm>

#include "copy.h"

namespace thrust {

template <class Input, class Output>
Output reverse_copy(Input first, Input last, Output result) {
    using namespace warplens_program;
    return written(result, std::reverse_copy(raw(first), raw(last), raw(result)));
}
template <class Iterator>
void reverse(Iterator first, Iterator last) {
    const auto values = warplens_program::values_of(first, last);
    thrust::copy(values.rbegin(), values.rend(), first);
}
WARPLENS_TAKES_POLICY(reverse_copy)
WARPLENS_TAKES_POLICY(reverse)

}  // namespace thrust
