// thrust::fill, fill_n and their uninitialized siblings.
#pragma once

#include <algorithm>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Output, class Type>
void fill(Output first, Output last, const Type& value) {
    using namespace warplens_program;
    std::fill(raw(first), raw(last), value);
    written(first, raw(last));
}
template <class Output, class Count, class Type>
Output fill_n(Output first, Count count, const Type& value) {
    using namespace warplens_program;
    return written(first, std::fill_n(raw(first), count, value));
}
template <class Output, class Type>
void uninitialized_fill(Output first, Output last, const Type& value) {
    thrust::fill(first, last, value);
}
template <class Output, class Count, class Type>
Output uninitialized_fill_n(Output first, Count count, const Type& value) {
    return thrust::fill_n(first, count, value);
}
WARPLENS_TAKES_POLICY(fill)
WARPLENS_TAKES_POLICY(fill_n)
WARPLENS_TAKES_POLICY(uninitialized_fill)
WARPLENS_TAKES_POLICY(uninitialized_fill_n)

}  // namespace thrust
