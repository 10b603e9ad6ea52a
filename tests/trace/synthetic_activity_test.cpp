#include "tests/support/synthetic_activity.h"

#include <gtest/gtest.h>

namespace warplens::trace {
namespace {

TEST(synthetic_activity, keeps_the_promises_of_activities) {
    for (const Activity& activity : make_example_activities())
        EXPECT_EQ(check(activity), "") << activity.name;
    for (const Activity& activity : make_example_replays(10, 8))
        EXPECT_EQ(check(activity), "") << activity.name;
}

TEST(synthetic_activity, one_stream_takes_the_sum_and_three_what_the_slowest_engine_needs) {
    const auto activities = make_example_activities();
    ASSERT_EQ(activities.size(), 4u);
    EXPECT_DOUBLE_EQ(activities[0].device_us, 130);
    EXPECT_DOUBLE_EQ(activities[1].device_us, 130);
    // Fifty of kernels, and the first copy in and the last one out.
    EXPECT_DOUBLE_EQ(activities[3].device_us, 60);
}

}  // namespace
}  // namespace warplens::trace
