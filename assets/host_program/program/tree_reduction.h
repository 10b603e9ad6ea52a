// A reduction in the shape of a tree, as GPUs compute it: a long sum of floats keeps its precision.
#pragma once

#include <cstddef>

namespace warplens_program {

/// The reduction of value_at(begin) to value_at(end - 1), at least one value.
template <class Type, class Function, class ValueAt>
Type reduced_range(std::ptrdiff_t begin, std::ptrdiff_t end, Function& function, const ValueAt& value_at) {
    constexpr std::ptrdiff_t leaf = 32;
    if (end - begin > leaf) {
        const std::ptrdiff_t middle = begin + (end - begin) / 2;
        return static_cast<Type>(function(reduced_range<Type>(begin, middle, function, value_at),
                                          reduced_range<Type>(middle, end, function, value_at)));
    }
    Type result = value_at(begin);
    for (std::ptrdiff_t index = begin + 1; index < end; ++index)
        result = static_cast<Type>(function(result, value_at(index)));
    return result;
}

template <class Type, class Function, class ValueAt>
Type tree_reduction(std::ptrdiff_t count, Type init, Function& function, const ValueAt& value_at) {
    if (count <= 0) return init;
    return static_cast<Type>(function(init, reduced_range<Type>(0, count, function, value_at)));
}

}  // namespace warplens_program
