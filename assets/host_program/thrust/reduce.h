// thrust::reduce and reduce_by_key.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "../program/tree_reduction.h"
#include "../program/written.h"
#include "execution_policy.h"
#include "iterator/constant_iterator.h"

namespace thrust {

template <class Input, class Type, class Function>
Type reduce(Input first, Input last, Type init, Function function) {
    const auto at = warplens_program::raw(first);
    warplens_program::reads(at);
    return warplens_program::tree_reduction(
        last - first, init, function, [&at](std::ptrdiff_t index) { return static_cast<Type>(at[index]); });
}
template <class Input, class Type>
Type reduce(Input first, Input last, Type init) {
    return thrust::reduce(first, last, init, std::plus<>());
}
template <class Input>
warplens_program::ValueOf<Input> reduce(Input first, Input last) {
    return thrust::reduce(first, last, warplens_program::ValueOf<Input>());
}

/// One key and one value for each run of equal keys.
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal, class Function>
std::pair<KeysOut, ValuesOut> reduce_by_key(Keys first, Keys last, Values values, KeysOut keys_out,
                                            ValuesOut values_out, Equal equal, Function function) {
    using namespace warplens_program;
    while (first != last) {
        const ValueOf<Keys> key = *first;
        ValueOf<Values> value = *values;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values)
            value = function(value, *values);
        *keys_out++ = key;
        *values_out++ = value;
    }
    return {keys_out, values_out};
}
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
std::pair<KeysOut, ValuesOut> reduce_by_key(Keys first, Keys last, Values values, KeysOut keys_out,
                                            ValuesOut values_out, Equal equal) {
    return thrust::reduce_by_key(first, last, values, keys_out, values_out, equal, std::plus<>());
}
template <class Keys, class Values, class KeysOut, class ValuesOut>
std::pair<KeysOut, ValuesOut> reduce_by_key(Keys first, Keys last, Values values, KeysOut keys_out,
                                            ValuesOut values_out) {
    return thrust::reduce_by_key(first, last, values, keys_out, values_out, std::equal_to<>());
}
WARPLENS_TAKES_POLICY(reduce)
WARPLENS_TAKES_POLICY(reduce_by_key)

}  // namespace thrust
