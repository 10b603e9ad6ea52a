// thrust::counting_iterator: a value that grows by 1.
#pragma once

#include <cstddef>

#include "../../program/iterator_base.h"

namespace thrust {

template <class Type>
class counting_iterator : public warplens_program::IteratorBase<counting_iterator<Type>, Type, Type> {
  public:
    explicit counting_iterator(Type value = Type()) : value_(value) {}
    Type dereference() const { return value_; }
    void advance(std::ptrdiff_t count) { value_ = static_cast<Type>(value_ + count); }
    std::ptrdiff_t distance_to(const counting_iterator& other) const {
        return static_cast<std::ptrdiff_t>(other.value_) - static_cast<std::ptrdiff_t>(value_);
    }

  private:
    Type value_;
};

template <class Type>
counting_iterator<Type> make_counting_iterator(Type value) {
    return counting_iterator<Type>(value);
}

}  // namespace thrust
