// The distance between the ticks of an axis.
#pragma once

namespace warplens::app {

/// 1, 2 or 5 times a power of ten, at least 1, so that ticks of an axis of `length` units drawn over `width`
/// pixels are at least `room` pixels apart.
double tick_step(double length, float width, float room);

}  // namespace warplens::app
