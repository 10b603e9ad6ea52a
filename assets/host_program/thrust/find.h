// thrust::find, find_if and find_if_not.
#pragma once

#include <algorithm>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Iterator, class Type>
Iterator find(Iterator first, Iterator last, const Type& value) {
    return std::find(warplens_program::raw(first), warplens_program::raw(last), value);
}
template <class Iterator, class Predicate>
Iterator find_if(Iterator first, Iterator last, Predicate predicate) {
    return std::find_if(warplens_program::raw(first), warplens_program::raw(last), predicate);
}
template <class Iterator, class Predicate>
Iterator find_if_not(Iterator first, Iterator last, Predicate predicate) {
    return std::find_if_not(warplens_program::raw(first), warplens_program::raw(last), predicate);
}
WARPLENS_TAKES_POLICY(find)
WARPLENS_TAKES_POLICY(find_if)
WARPLENS_TAKES_POLICY(find_if_not)

}  // namespace thrust
