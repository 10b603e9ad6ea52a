// thrust::for_each and for_each_n.
#pragma once

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Iterator, class Function>
Iterator for_each(Iterator first, Iterator last, Function function) {
    using namespace warplens_program;
    const auto end = raw(last);
    for (auto at = raw(first); at != end; ++at) function(*at);
    return written(first, end);
}
template <class Iterator, class Count, class Function>
Iterator for_each_n(Iterator first, Count count, Function function) {
    return thrust::for_each(first, first + count, function);
}
WARPLENS_TAKES_POLICY(for_each)
WARPLENS_TAKES_POLICY(for_each_n)

}  // namespace thrust
