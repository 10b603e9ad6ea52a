// thrust's traits of iterators are those of the standard library.
#pragma once

#include <iterator>

namespace thrust {

using std::iterator_traits;

template <class Iterator>
struct iterator_value {
    using type = typename std::iterator_traits<Iterator>::value_type;
};
template <class Iterator>
struct iterator_difference {
    using type = typename std::iterator_traits<Iterator>::difference_type;
};
template <class Iterator>
struct iterator_reference {
    using type = typename std::iterator_traits<Iterator>::reference;
};

}  // namespace thrust
