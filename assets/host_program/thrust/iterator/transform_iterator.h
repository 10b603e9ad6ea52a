// thrust::transform_iterator: what a function makes of the elements of another iterator.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "../../program/iterator_base.h"

namespace warplens_program {

/// A function that can be assigned, which a lambda cannot.
template <class Function>
class AssignableFunction {
  public:
    AssignableFunction(const Function& function) : function_(function) {}
    AssignableFunction(const AssignableFunction&) = default;
    AssignableFunction& operator=(const AssignableFunction& other) {
        function_.reset();
        function_.emplace(*other.function_);
        return *this;
    }
    template <class Argument>
    decltype(auto) operator()(Argument&& argument) const {
        return (*function_)(std::forward<Argument>(argument));
    }

  private:
    mutable std::optional<Function> function_;  // its call need not be const
};

template <class Function, class Iterator>
using ResultOf = std::decay_t<decltype(std::declval<Function&>()(*std::declval<const Iterator&>()))>;

}  // namespace warplens_program

namespace thrust {

template <class Function, class Iterator, class Reference = warplens_program::ResultOf<Function, Iterator>,
          class Value = Reference>
class transform_iterator
    : public warplens_program::IteratorBase<transform_iterator<Function, Iterator, Reference, Value>, Value,
                                            Reference> {
  public:
    explicit transform_iterator(Iterator base, Function function = Function())
        : base_(base), function_(function) {}
    const Iterator& base() const { return base_; }
    Reference dereference() const { return function_(*base_); }
    void advance(std::ptrdiff_t count) { base_ += count; }
    std::ptrdiff_t distance_to(const transform_iterator& other) const { return other.base_ - base_; }

  private:
    Iterator base_;
    warplens_program::AssignableFunction<Function> function_;
};

template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator base, Function function) {
    return transform_iterator<Function, Iterator>(base, function);
}

}  // namespace thrust
