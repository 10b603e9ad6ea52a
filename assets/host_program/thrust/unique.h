// thrust::unique, unique_copy and unique_by_key: one element is left of each run of equal ones.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class Iterator, class Equal = std::equal_to<>>
Iterator unique(Iterator first, Iterator last, Equal equal = {}) {
    using namespace warplens_program;
    return written(first, std::unique(raw(first), raw(last), equal));
}
template <class Input, class Output, class Equal = std::equal_to<>>
Output unique_copy(Input first, Input last, Output result, Equal equal = {}) {
    using namespace warplens_program;
    return written(result, std::unique_copy(raw(first), raw(last), raw(result), equal));
}
template <class Keys, class Values, class Equal = std::equal_to<>>
std::pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values, Equal equal = {}) {
    Keys keys_out = first;
    Values values_out = values;
    while (first != last) {
        const warplens_program::ValueOf<Keys> key = *first;
        *keys_out++ = key;
        *values_out++ = *values;
        for (++first, ++values; first != last && equal(key, *first); ++first) ++values;
    }
    return {keys_out, values_out};
}
WARPLENS_TAKES_POLICY(unique)
WARPLENS_TAKES_POLICY(unique_copy)
WARPLENS_TAKES_POLICY(unique_by_key)

}  // namespace thrust
