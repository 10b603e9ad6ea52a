// Limits of a table of modelled times: mean, 90th percentile, worst row and correlation.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/hardware/timing_tables.h"

namespace warplens::hardware {

/// Of the absolute errors; of the correlation, the least.
struct Limits {
    double mean = 0, ninetieth = 0, worst = 0, correlation = 0;
};

/// A figure above its limit. The rule does not allow a higher limit, so what the model reaches stands beside
/// it. Fails as well when the figure is within the limit again: then this note goes.
inline void expect_missed(double found, double limit, double reached, const char* what) {
    EXPECT_GT(found, limit) << what;
    EXPECT_LE(found, reached) << what;
}

/// Judges the rows of all starts together: which one a user sees is chance, and so are limits met by one.
/// `missed`: what the model reaches where it misses the limit; 0 where it does not.
/// The rule for a changed model: a limit is at most the larger of the old limit and what the old model
/// reaches at all starts, so that none is loosened for the new one; where the new one is better, it is just
/// above its figure.
inline void expect_within(const std::vector<Comparison>& rows, const Limits& limits,
                          const Limits& missed = {}) {
    const Accuracy found = accuracy_of(rows);
    EXPECT_THAT(found.problems, testing::IsEmpty());
    const auto judge = [](double figure, double limit, double reached, const char* what) {
        if (reached > 0) expect_missed(figure, limit, reached, what);
        else EXPECT_LE(figure, limit) << what;
    };
    judge(found.mean, limits.mean, missed.mean, "mean");
    judge(found.ninetieth, limits.ninetieth, missed.ninetieth, "90th percentile");
    judge(found.worst, limits.worst, missed.worst, "worst");
    EXPECT_GE(found.correlation, missed.correlation > 0 ? missed.correlation : limits.correlation);
    if (missed.correlation > 0) {
        EXPECT_LT(found.correlation, limits.correlation);
    }
}

}  // namespace warplens::hardware
