// thrust::replace and replace_if.
#pragma once

#include <algorithm>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Iterator, class Type>
void replace(Iterator first, Iterator last, const Type& old_value, const Type& new_value) {
    using namespace warplens_program;
    std::replace(raw(first), raw(last), old_value, new_value);
    written(first, raw(last));
}
template <class Iterator, class Predicate, class Type>
void replace_if(Iterator first, Iterator last, Predicate predicate, const Type& new_value) {
    using namespace warplens_program;
    std::replace_if(raw(first), raw(last), predicate, new_value);
    written(first, raw(last));
}
WARPLENS_TAKES_POLICY(replace)
WARPLENS_TAKES_POLICY(replace_if)

}  // namespace thrust
