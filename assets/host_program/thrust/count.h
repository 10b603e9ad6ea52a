// thrust::count and count_if.
#pragma once

#include <algorithm>
#include <cstddef>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Input, class Type>
std::ptrdiff_t count(Input first, Input last, const Type& value) {
    return std::count(warplens_program::raw(first), warplens_program::raw(last), value);
}
template <class Input, class Predicate>
std::ptrdiff_t count_if(Input first, Input last, Predicate predicate) {
    return std::count_if(warplens_program::raw(first), warplens_program::raw(last), predicate);
}
WARPLENS_TAKES_POLICY(count)
WARPLENS_TAKES_POLICY(count_if)

}  // namespace thrust
