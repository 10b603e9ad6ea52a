// thrust::permutation_iterator: the elements that a map of indices names.
#pragma once

#include <cstddef>
#include <iterator>

#include "../../program/iterator_base.h"

namespace thrust {

template <class Elements, class Indices>
class permutation_iterator
    : public warplens_program::IteratorBase<permutation_iterator<Elements, Indices>,
                                            typename std::iterator_traits<Elements>::value_type,
                                            typename std::iterator_traits<Elements>::reference> {
  public:
    permutation_iterator(Elements elements, Indices indices) : elements_(elements), indices_(indices) {}
    typename std::iterator_traits<Elements>::reference dereference() const { return elements_[*indices_]; }
    void advance(std::ptrdiff_t count) { indices_ += count; }
    std::ptrdiff_t distance_to(const permutation_iterator& other) const { return other.indices_ - indices_; }

  private:
    Elements elements_;
    Indices indices_;
};

template <class Elements, class Indices>
permutation_iterator<Elements, Indices> make_permutation_iterator(Elements elements, Indices indices) {
    return permutation_iterator<Elements, Indices>(elements, indices);
}

}  // namespace thrust
