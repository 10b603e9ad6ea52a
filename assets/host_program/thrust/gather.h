// thrust::gather and gather_if: element i of the result is the element that entry i of the map names.
#pragma once

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Map, class Input, class Output>
Output gather(Map first, Map last, Input input, Output result) {
    using namespace warplens_program;
    const auto from = raw(input);
    auto to = raw(result);
    for (; first != last; ++first, ++to) *to = from[*first];
    return written(result, to);
}
template <class Map, class Stencil, class Input, class Output>
Output gather_if(Map first, Map last, Stencil stencil, Input input, Output result) {
    using namespace warplens_program;
    const auto from = raw(input);
    auto to = raw(result);
    for (; first != last; ++first, ++stencil, ++to)
        if (*stencil) *to = from[*first];
    return written(result, to);
}
WARPLENS_TAKES_POLICY(gather)
WARPLENS_TAKES_POLICY(gather_if)

}  // namespace thrust
