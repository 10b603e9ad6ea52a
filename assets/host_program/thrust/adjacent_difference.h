// thrust::adjacent_difference.
#pragma once

#include <functional>
#include <numeric>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Input, class Output, class Function = std::minus<>>
Output adjacent_difference(Input first, Input last, Output result, Function function = {}) {
    using namespace warplens_program;
    return written(result, std::adjacent_difference(raw(first), raw(last), raw(result), function));
}
WARPLENS_TAKES_POLICY(adjacent_difference)

}  // namespace thrust
