// A magnified stretch of the modelled timeline: where few rows leave room below them, the same rows over so
// few cycles that each span is seen and named.
#pragma once

#include "app/views/timeline/parts.h"

namespace warplens::app {

/// Draws the cycles around `at` below the last line of `whole`, and lines from their place in the whole: the
/// rows at least as high as there, down to `bottom` at most, and higher while that ends above `wanted`.
/// Returns where it ends; where the whole ends if there is no room, or spans are seen singly already.
float draw_magnified(const TimelineCanvas& whole, std::uint32_t at, float bottom, float wanted);

}  // namespace warplens::app
