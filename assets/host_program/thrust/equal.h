// thrust::equal.
#pragma once

#include <algorithm>
#include <functional>

#include "../program/written.h"
#include "execution_policy.h"

namespace thrust {

template <class A, class B, class Equal = std::equal_to<>>
bool equal(A first, A last, B second, Equal same = {}) {
    using namespace warplens_program;
    return std::equal(raw(first), raw(last), raw(second), same);
}
WARPLENS_TAKES_POLICY(equal)

}  // namespace thrust
