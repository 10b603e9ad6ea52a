// thrust's prefix sums: inclusive_scan, exclusive_scan, the same by keys, and transform_inclusive_scan.
#pragma once

#include <functional>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Input, class Output, class Unary, class Binary>
Output transform_inclusive_scan(Input first, Input last, Output result, Unary unary, Binary binary) {
    using namespace warplens_program;
    auto from = raw(first);
    const auto end = raw(last);
    auto to = raw(result);
    if (from == end) return result;
    auto sum = unary(*from);
    for (*to++ = sum, ++from; from != end; ++from) *to++ = sum = binary(sum, unary(*from));
    return written(result, to);
}
template <class Input, class Output, class Unary, class Type, class Binary>
Output transform_exclusive_scan(Input first, Input last, Output result, Unary unary, Type init,
                                Binary binary) {
    using namespace warplens_program;
    auto from = raw(first);
    const auto end = raw(last);
    auto to = raw(result);
    for (Type sum = init; from != end; ++from) {
        const Type next = static_cast<Type>(binary(sum, unary(*from)));  // the output may be the input
        *to++ = sum;
        sum = next;
    }
    return written(result, to);
}

template <class Input, class Output, class Binary>
Output inclusive_scan(Input first, Input last, Output result, Binary binary) {
    using Value = warplens_program::ValueOf<Input>;
    return thrust::transform_inclusive_scan(
        first, last, result, [](const Value& value) { return value; }, binary);
}
template <class Input, class Output>
Output inclusive_scan(Input first, Input last, Output result) {
    return thrust::inclusive_scan(first, last, result, std::plus<>());
}
template <class Input, class Output, class Type, class Binary>
Output exclusive_scan(Input first, Input last, Output result, Type init, Binary binary) {
    using Value = warplens_program::ValueOf<Input>;
    return thrust::transform_exclusive_scan(
        first, last, result, [](const Value& value) { return value; }, init, binary);
}
template <class Input, class Output, class Type>
Output exclusive_scan(Input first, Input last, Output result, Type init) {
    return thrust::exclusive_scan(first, last, result, init, std::plus<>());
}
template <class Input, class Output>
Output exclusive_scan(Input first, Input last, Output result) {
    return thrust::exclusive_scan(first, last, result, warplens_program::ValueOf<Input>());
}

template <class Keys, class Values, class Output, class Equal = std::equal_to<>, class Binary = std::plus<>>
Output inclusive_scan_by_key(Keys first, Keys last, Values values, Output result, Equal equal = {},
                             Binary binary = {}) {
    using namespace warplens_program;
    while (first != last) {
        ValueOf<Keys> key = *first;
        ValueOf<Values> sum = *values;
        *result++ = sum;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values) {
            key = *first;
            *result++ = sum = binary(sum, *values);
        }
    }
    return result;
}
template <class Keys, class Values, class Output, class Type, class Equal = std::equal_to<>,
          class Binary = std::plus<>>
Output exclusive_scan_by_key(Keys first, Keys last, Values values, Output result, Type init, Equal equal = {},
                             Binary binary = {}) {
    using namespace warplens_program;
    while (first != last) {
        ValueOf<Keys> key = *first;
        Type sum = init;
        do {
            key = *first;
            const Type next = static_cast<Type>(binary(sum, *values));  // the output may be the input
            *result++ = sum;
            sum = next;
            ++first, ++values;
        } while (first != last && equal(key, *first));
    }
    return result;
}
template <class Keys, class Values, class Output>
Output exclusive_scan_by_key(Keys first, Keys last, Values values, Output result) {
    return thrust::exclusive_scan_by_key(first, last, values, result, warplens_program::ValueOf<Values>());
}
WARPLENS_TAKES_POLICY(transform_inclusive_scan)
WARPLENS_TAKES_POLICY(transform_exclusive_scan)
WARPLENS_TAKES_POLICY(inclusive_scan)
WARPLENS_TAKES_POLICY(exclusive_scan)
WARPLENS_TAKES_POLICY(inclusive_scan_by_key)
WARPLENS_TAKES_POLICY(exclusive_scan_by_key)

}  // namespace thrust
