// thrust::zip_iterator: a tuple of the elements of several iterators.
#pragma once

#include <cstddef>
#include <iterator>
#include <tuple>

#include "../../program/iterator_base.h"
#include "../tuple.h"

namespace warplens_program {

template <class Iterators>
struct ZipTypes;
template <class... Iterators>
struct ZipTypes<std::tuple<Iterators...>> {
    using Value = std::tuple<typename std::iterator_traits<Iterators>::value_type...>;
    using Reference = std::tuple<typename std::iterator_traits<Iterators>::reference...>;
};

}  // namespace warplens_program

namespace thrust {

template <class Iterators>
class zip_iterator
    : public warplens_program::IteratorBase<zip_iterator<Iterators>,
                                            typename warplens_program::ZipTypes<Iterators>::Value,
                                            typename warplens_program::ZipTypes<Iterators>::Reference> {
  public:
    using Reference = typename warplens_program::ZipTypes<Iterators>::Reference;

    zip_iterator() = default;
    zip_iterator(Iterators iterators) : iterators_(iterators) {}
    template <class Others>
    zip_iterator(const zip_iterator<Others>& other) : iterators_(other.get_iterator_tuple()) {}
    const Iterators& get_iterator_tuple() const { return iterators_; }

    Reference dereference() const {
        return std::apply([](const auto&... iterators) { return Reference(*iterators...); }, iterators_);
    }
    void advance(std::ptrdiff_t count) {
        std::apply([count](auto&... iterators) { ((iterators += count), ...); }, iterators_);
    }
    std::ptrdiff_t distance_to(const zip_iterator& other) const {
        return std::get<0>(other.iterators_) - std::get<0>(iterators_);
    }

  private:
    Iterators iterators_;
};

template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(std::tuple<Iterators...> iterators) {
    return zip_iterator<std::tuple<Iterators...>>(iterators);
}
template <class... Iterators>
zip_iterator<std::tuple<Iterators...>> make_zip_iterator(Iterators... iterators) {
    return zip_iterator<std::tuple<Iterators...>>(std::make_tuple(iterators...));
}

}  // namespace thrust
