// What modelled times tell apart. Within the model's error no change is called faster, and settings are
// equally good; within its resolution a time is as before.
#pragma once

#include <algorithm>
#include <cmath>

namespace warplens::analysis {

inline constexpr double time_resolution = 0.005;  // share of a time
/// About the mean error of modelled times over whole launches, as a share: 3.4 to 6.9 % on an H200, by set of
/// kernels, and 8 to 17 % of kernels that it had never met, which two versions of one kernel share
/// (docs/timing_model.md).
inline constexpr double model_error = 0.05;

inline bool same_time(double a, double b, double share = time_resolution) {
    return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b));
}

}  // namespace warplens::analysis
