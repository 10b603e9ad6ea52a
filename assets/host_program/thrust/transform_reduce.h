// thrust::transform_reduce.
#pragma once

#include "reduce.h"

namespace thrust {

template <class Input, class Unary, class Type, class Binary>
Type transform_reduce(Input first, Input last, Unary unary, Type init, Binary binary) {
    const auto at = warplens_program::raw(first);
    return warplens_program::tree_reduction(last - first, init, binary, [&](std::ptrdiff_t index) {
        return static_cast<Type>(unary(at[index]));
    });
}
WARPLENS_TAKES_POLICY(transform_reduce)

}  // namespace thrust
