// thrust::tabulate.
#pragma once

#include <cstddef>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

/// Gives each element what the function makes of its index.
template <class Output, class Function>
void tabulate(Output first, Output last, Function function) {
    using namespace warplens_program;
    auto at = raw(first);
    const auto end = raw(last);
    for (std::ptrdiff_t index = 0; at != end; ++at, ++index) *at = function(index);
    written(first, end);
}
WARPLENS_TAKES_POLICY(tabulate)

}  // namespace thrust
