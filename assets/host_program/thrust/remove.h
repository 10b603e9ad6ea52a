// thrust::remove, remove_if and their copying siblings.
#pragma once

#include <algorithm>

#include "copy.h"

namespace thrust {

template <class Iterator, class Predicate>
Iterator remove_if(Iterator first, Iterator last, Predicate predicate) {
    using namespace warplens_program;
    return written(first, std::remove_if(raw(first), raw(last), predicate));
}
/// Removes the elements whose partner in the stencil fulfils the predicate.
template <class Iterator, class Stencil, class Predicate>
Iterator remove_if(Iterator first, Iterator last, Stencil stencil, Predicate predicate) {
    return thrust::copy_if(first, last, stencil, first,
                           [&predicate](const auto& value) { return !predicate(value); });
}
template <class Iterator, class Type>
Iterator remove(Iterator first, Iterator last, const Type& value) {
    using namespace warplens_program;
    return written(first, std::remove(raw(first), raw(last), value));
}
template <class Input, class Output, class Predicate>
Output remove_copy_if(Input first, Input last, Output result, Predicate predicate) {
    using namespace warplens_program;
    return written(result, std::remove_copy_if(raw(first), raw(last), raw(result), predicate));
}
template <class Input, class Output, class Type>
Output remove_copy(Input first, Input last, Output result, const Type& value) {
    using namespace warplens_program;
    return written(result, std::remove_copy(raw(first), raw(last), raw(result), value));
}
WARPLENS_TAKES_POLICY(remove_if)
WARPLENS_TAKES_POLICY(remove)
WARPLENS_TAKES_POLICY(remove_copy_if)
WARPLENS_TAKES_POLICY(remove_copy)

}  // namespace thrust
