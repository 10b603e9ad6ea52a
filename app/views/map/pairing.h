// Which array of one run corresponds to which of another, and how long the rows of both are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/memory/access_map.h"
#include "analysis/memory/mapped_arrays.h"

namespace warplens::app {

/// The array of `before` with the same name as `array`, which is one of `now`. Without one, the array of
/// `before` that has no namesake either, is in the same space and is loaded or stored alike; of several in
/// their order, as `particles` and `fields` of two layouts. nullptr: there is none.
const analysis::MappedArray* array_before(const std::vector<analysis::MappedArray>& now,
                                          const std::vector<analysis::MappedArray>& before,
                                          const analysis::MappedArray& array);

/// An array with the requests of the scope that the map counts.
struct ScopedArray {
    const trace::Trace& trace;
    analysis::MappedArray& array;
    analysis::MapFilter filter;
};
/// The rows of a flat array mean nothing: they suit the part that the scope accesses, also while it plays; of
/// two runs the larger of the two parts, so that they are as long in both. Where only one of two runs has
/// the shape of an array, both get it: an element has one place in both pictures. Of other arrays: nothing.
void fit_rows(const ScopedArray& now, const std::optional<ScopedArray>& before, std::uint64_t most_columns);

}  // namespace warplens::app
