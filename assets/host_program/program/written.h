// How algorithms on iterators reach the elements: memory of the device by plain pointers, which is fast, with
// one mark for all that was written.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <vector>

#include "../thrust/device_ptr.h"
#include "libraries.h"

namespace warplens_program {

template <class Iterator>
Iterator raw(Iterator iterator) {
    return iterator;
}
template <class Type>
Type* raw(thrust::device_ptr<Type> pointer) {
    return pointer.get();
}

/// An algorithm that writes nothing.
template <class Iterator>
void reads(const Iterator&) {}
template <class Type>
void reads(Type* first) {
    if (Arena::instance().contains(first)) const LibraryCall call("thrust");
}

/// Returns the end of an output whose memory it marks as filled. Other iterators mark what they reach.
template <class Iterator>
Iterator written(const Iterator&, const Iterator& last) {
    return last;
}
template <class Type>
Type* written(Type* first, Type* last) {
    if (first == last || !Arena::instance().contains(first)) return last;
    const LibraryCall call("thrust");
    Arena::instance().mark_filled(first);
    return last;
}
template <class Type>
thrust::device_ptr<Type> written(thrust::device_ptr<Type> first, Type* last) {
    return written(first.get(), last);
}

template <class Iterator>
using ValueOf = typename std::iterator_traits<Iterator>::value_type;

/// The values of a range, for algorithms that cannot work in place on all iterators.
template <class Iterator>
std::vector<ValueOf<Iterator>> values_of(Iterator first, Iterator last) {
    std::vector<ValueOf<Iterator>> values;
    values.reserve(static_cast<std::size_t>(std::distance(first, last)));
    const auto end = raw(last);
    for (auto at = raw(first); at != end; ++at) values.push_back(*at);
    return values;
}

}  // namespace warplens_program
