// Which array of one run corresponds to which of another.
#pragma once

#include <vector>

#include "analysis/memory/mapped_arrays.h"

namespace warplens::app {

/// The array of `before` with the same name as `array`, which is one of `now`. Without one, the array of
/// `before` that has no namesake either, is in the same space and is loaded or stored alike; of several in
/// their order, as `particles` and `fields` of two layouts. nullptr: there is none.
const analysis::MappedArray* array_before(const std::vector<analysis::MappedArray>& now,
                                          const std::vector<analysis::MappedArray>& before,
                                          const analysis::MappedArray& array);

}  // namespace warplens::app
