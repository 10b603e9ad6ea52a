// thrust's tuples are those of the standard library.
#pragma once

#include <tuple>

#include "pair.h"

namespace thrust {

template <class... Types>
using tuple = std::tuple<Types...>;
using std::get;
using std::make_tuple;
using std::tie;
using std::tuple_element;
using std::tuple_size;

}  // namespace thrust
