// What CUDA's samples share: the command line, stop watches, comparisons. Images and files are left out.
#pragma once

#include <cmath>
#include <cstdio>

#include "helper_string.h"
#include "helper_timer.h"

/// Whether the values differ from the reference by at most epsilon, relative to the reference as a whole.
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned int count, float epsilon) {
    double error = 0, size = 0;
    for (unsigned int i = 0; i < count; ++i) {
        const double difference = static_cast<double>(reference[i]) - data[i];
        error += difference * difference;
        size += static_cast<double>(reference[i]) * reference[i];
    }
    if (size < 1e-7) {
        std::fprintf(stderr, "The reference is 0.\n");
        return false;
    }
    return std::sqrt(error) / std::sqrt(size) < epsilon;
}
