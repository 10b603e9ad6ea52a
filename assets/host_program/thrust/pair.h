// thrust's pairs are those of the standard library.
#pragma once

#include <utility>

namespace thrust {

template <class First, class Second>
using pair = std::pair<First, Second>;
using std::make_pair;
using std::swap;

}  // namespace thrust
