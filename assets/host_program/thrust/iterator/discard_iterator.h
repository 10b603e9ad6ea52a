// thrust::discard_iterator: an output that keeps nothing.
#pragma once

#include <cstddef>

#include "../../program/iterator_base.h"

namespace warplens_program {

struct Discarded {
    template <class Type>
    const Discarded& operator=(const Type&) const {
        return *this;
    }
};

}  // namespace warplens_program

namespace thrust {

class discard_iterator : public warplens_program::IteratorBase<discard_iterator, warplens_program::Discarded,
                                                               warplens_program::Discarded> {
  public:
    explicit discard_iterator(std::ptrdiff_t index = 0) : index_(index) {}
    warplens_program::Discarded dereference() const { return {}; }
    void advance(std::ptrdiff_t count) { index_ += count; }
    std::ptrdiff_t distance_to(const discard_iterator& other) const { return other.index_ - index_; }

  private:
    std::ptrdiff_t index_;
};

inline discard_iterator make_discard_iterator(std::ptrdiff_t index = 0) { return discard_iterator(index); }

}  // namespace thrust
