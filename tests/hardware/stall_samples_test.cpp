// How well the samples of stalls repeat: of eight kernels that an H200 was sampled at twice, what
// rank_ceiling() says from the first sampling alone.
#include "tests/hardware/stall_samples.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::hardware {
namespace {

TEST(stall_samples, halves_of_one_sampling_say_how_well_a_second_agrees) {
    std::set<std::string> kernels;
    for (const MeasuredRow& row : read_measured_table("h200_stalls_again.csv"))
        kernels.insert(row.text("kernel"));
    ASSERT_EQ(kernels.size(), 8u);
    for (const std::string& kernel : kernels) {
        const SitesByState first = sampled_states(kernel);
        const SitesByState second = sampled_states(kernel, "H200", "stalls_again.csv");
        std::vector<double> once, again;
        for (const auto& [offset, states] : first) {
            once.push_back(sum_of(states));
            again.push_back(second.count(offset) > 0 ? sum_of(second.at(offset)) : 0);
        }
        for (const auto& [offset, states] : second) {
            if (first.count(offset) > 0) continue;
            once.push_back(0);
            again.push_back(sum_of(states));
        }
        const double truth = std::sqrt(rank_correlation(once, again));
        EXPECT_NEAR(rank_ceiling({first, first, sum_of(first)}), truth, 0.03) << kernel;
    }
}

}  // namespace
}  // namespace warplens::hardware
