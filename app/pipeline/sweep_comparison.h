// Sweep comparison: whether the points of a sweep compute the same, by the mechanism with which advice checks
// a change. A best time among settings that compute different things would mislead.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/pipeline/pipeline.h"
#include "app/pipeline/sweep.h"

namespace warplens::app {

/// The launch of a point.
using RequestOfPoint = std::function<Result<LaunchRequest>(const std::vector<std::string>& at)>;

/// Compares each point with the first one that it is asked about, on the CPU engine.
DifferenceOfPoint difference_of_points(std::shared_ptr<Pipeline> pipeline, const SweepPlan& plan,
                                       RequestOfPoint request, std::function<bool()> cancelled);

}  // namespace warplens::app
