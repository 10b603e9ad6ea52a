// Correlation of two columns: linear (Pearson's) and of ranks (Spearman's).
#pragma once

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace warplens::hardware {

inline double linear_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const auto mean = [](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
    };
    const double mean_a = mean(a), mean_b = mean(b);
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - mean_a) * (b[i] - mean_b);
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return ab / std::sqrt(aa * bb);
}

/// Equal values share the mean of their ranks.
inline std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<double> out(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (const double other : values) out[i] += other < values[i] ? 1 : other == values[i] ? 0.5 : 0;
    }
    return out;
}

inline double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    return linear_correlation(ranks(a), ranks(b));
}

}  // namespace warplens::hardware
