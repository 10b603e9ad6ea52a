// thrust::inner_product.
#pragma once

#include "reduce.h"

namespace thrust {

template <class A, class B, class Type, class Sum, class Product>
Type inner_product(A first, A last, B second, Type init, Sum sum, Product product) {
    const auto a = warplens_program::raw(first);
    const auto b = warplens_program::raw(second);
    return warplens_program::tree_reduction(last - first, init, sum, [&](std::ptrdiff_t index) {
        return static_cast<Type>(product(a[index], b[index]));
    });
}
template <class A, class B, class Type>
Type inner_product(A first, A last, B second, Type init) {
    return thrust::inner_product(first, last, second, init, std::plus<>(), std::multiplies<>());
}
WARPLENS_TAKES_POLICY(inner_product)

}  // namespace thrust
