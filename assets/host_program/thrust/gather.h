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
    const auto end = raw(last);
    for (auto index = raw(first); index != end; ++index, ++to) *to = from[*index];
    return written(result, to);
}
template <class Map, class Stencil, class Input, class Output>
Output gather_if(Map first, Map last, Stencil stencil, Input input, Output result) {
    using namespace warplens_program;
    const auto from = raw(input);
    auto to = raw(result);
    const auto end = raw(last);
    auto chosen = raw(stencil);
    for (auto index = raw(first); index != end; ++index, ++chosen, ++to)
        if (*chosen) *to = from[*index];
    return written(result, to);
}
WARPLENS_TAKES_POLICY(gather)
WARPLENS_TAKES_POLICY(gather_if)

}  // namespace thrust
