// thrust::distance and advance.
#pragma once

#include <iterator>

namespace thrust {

using std::advance;
using std::distance;

}  // namespace thrust
