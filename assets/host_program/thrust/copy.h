// thrust::copy, copy_n, copy_if and swap_ranges.
#pragma once

#include <algorithm>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Input, class Output>
Output copy(Input first, Input last, Output result) {
    using namespace warplens_program;
    return written(result, std::copy(raw(first), raw(last), raw(result)));
}
template <class Input, class Count, class Output>
Output copy_n(Input first, Count count, Output result) {
    using namespace warplens_program;
    return written(result, std::copy_n(raw(first), count, raw(result)));
}
template <class Input, class Output, class Predicate>
Output copy_if(Input first, Input last, Output result, Predicate predicate) {
    using namespace warplens_program;
    return written(result, std::copy_if(raw(first), raw(last), raw(result), predicate));
}
/// Copies the elements whose partner in the stencil fulfils the predicate.
template <class Input, class Stencil, class Output, class Predicate>
Output copy_if(Input first, Input last, Stencil stencil, Output result, Predicate predicate) {
    using namespace warplens_program;
    const auto end = raw(last);
    auto to = raw(result);
    auto chosen = raw(stencil);
    for (auto from = raw(first); from != end; ++from, ++chosen)
        if (predicate(*chosen)) *to++ = *from;
    return written(result, to);
}
template <class A, class B>
B swap_ranges(A first, A last, B other) {
    for (; first != last; ++first, ++other) {
        const warplens_program::ValueOf<A> value = *first;
        *first = *other;
        *other = value;
    }
    return other;
}
WARPLENS_TAKES_POLICY(copy)
WARPLENS_TAKES_POLICY(copy_n)
WARPLENS_TAKES_POLICY(copy_if)
WARPLENS_TAKES_POLICY(swap_ranges)

}  // namespace thrust
