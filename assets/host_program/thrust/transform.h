// thrust::transform and transform_if.
#pragma once

#include <algorithm>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Input, class Output, class Function>
Output transform(Input first, Input last, Output result, Function function) {
    using namespace warplens_program;
    return written(result, std::transform(raw(first), raw(last), raw(result), function));
}
template <class A, class B, class Output, class Function>
Output transform(A first, A last, B second, Output result, Function function) {
    using namespace warplens_program;
    return written(result, std::transform(raw(first), raw(last), raw(second), raw(result), function));
}
/// Elements that do not fulfil the predicate leave the result as it is.
template <class Input, class Output, class Function, class Predicate>
Output transform_if(Input first, Input last, Output result, Function function, Predicate predicate) {
    using namespace warplens_program;
    const auto end = raw(last);
    auto to = raw(result);
    for (auto from = raw(first); from != end; ++from, ++to)
        if (predicate(*from)) *to = function(*from);
    return written(result, to);
}
template <class Input, class Stencil, class Output, class Function, class Predicate>
Output transform_if(Input first, Input last, Stencil stencil, Output result, Function function,
                    Predicate predicate) {
    using namespace warplens_program;
    const auto end = raw(last);
    auto to = raw(result);
    auto chosen = raw(stencil);
    for (auto from = raw(first); from != end; ++from, ++chosen, ++to)
        if (predicate(*chosen)) *to = function(*from);
    return written(result, to);
}
WARPLENS_TAKES_POLICY(transform)
WARPLENS_TAKES_POLICY(transform_if)

}  // namespace thrust
