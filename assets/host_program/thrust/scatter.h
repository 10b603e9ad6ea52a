// thrust::scatter and scatter_if: element i goes to the place that entry i of the map names.
#pragma once

#include <type_traits>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Input, class Map, class Output>
void scatter(Input first, Input last, Map map, Output result) {
    using namespace warplens_program;
    for (; first != last; ++first, ++map) result[*map] = *first;
    if constexpr (std::is_pointer_v<Output>) written(result, result + 1);
}
template <class Input, class Map, class Stencil, class Output>
void scatter_if(Input first, Input last, Map map, Stencil stencil, Output result) {
    using namespace warplens_program;
    for (; first != last; ++first, ++map, ++stencil)
        if (*stencil) result[*map] = *first;
    if constexpr (std::is_pointer_v<Output>) written(result, result + 1);
}
WARPLENS_TAKES_POLICY(scatter)
WARPLENS_TAKES_POLICY(scatter_if)

}  // namespace thrust
