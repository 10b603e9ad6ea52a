// thrust::all_of, any_of and none_of.
#pragma once

#include <algorithm>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Input, class Predicate>
bool all_of(Input first, Input last, Predicate predicate) {
    return std::all_of(warplens_program::raw(first), warplens_program::raw(last), predicate);
}
template <class Input, class Predicate>
bool any_of(Input first, Input last, Predicate predicate) {
    return std::any_of(warplens_program::raw(first), warplens_program::raw(last), predicate);
}
template <class Input, class Predicate>
bool none_of(Input first, Input last, Predicate predicate) {
    return std::none_of(warplens_program::raw(first), warplens_program::raw(last), predicate);
}
WARPLENS_TAKES_POLICY(all_of)
WARPLENS_TAKES_POLICY(any_of)
WARPLENS_TAKES_POLICY(none_of)

}  // namespace thrust
