// thrust::scatter and scatter_if: element i goes to the place that entry i of the map names.
#pragma once

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Input, class Map, class Output>
void scatter(Input first, Input last, Map map, Output result) {
    using namespace warplens_program;
    const auto end = raw(last);
    const auto to = raw(result);
    auto index = raw(map);
    for (auto from = raw(first); from != end; ++from, ++index) to[*index] = *from;
    written(result, to + (last - first));
}
template <class Input, class Map, class Stencil, class Output>
void scatter_if(Input first, Input last, Map map, Stencil stencil, Output result) {
    using namespace warplens_program;
    const auto end = raw(last);
    const auto to = raw(result);
    auto index = raw(map);
    auto chosen = raw(stencil);
    for (auto from = raw(first); from != end; ++from, ++index, ++chosen)
        if (*chosen) to[*index] = *from;
    written(result, to + (last - first));
}
WARPLENS_TAKES_POLICY(scatter)
WARPLENS_TAKES_POLICY(scatter_if)

}  // namespace thrust
