// thrust::constant_iterator: the same value at each place.
#pragma once

#include <cstddef>

#include "../../program/iterator_base.h"

namespace thrust {

template <class Type>
class constant_iterator : public warplens_program::IteratorBase<constant_iterator<Type>, Type, Type> {
  public:
    explicit constant_iterator(Type value = Type(), std::ptrdiff_t index = 0)
        : value_(value), index_(index) {}
    Type dereference() const { return value_; }
    void advance(std::ptrdiff_t count) { index_ += count; }
    std::ptrdiff_t distance_to(const constant_iterator& other) const { return other.index_ - index_; }

  private:
    Type value_;
    std::ptrdiff_t index_;
};

template <class Type>
constant_iterator<Type> make_constant_iterator(Type value, std::ptrdiff_t index = 0) {
    return constant_iterator<Type>(value, index);
}

}  // namespace thrust
