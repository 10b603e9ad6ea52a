// Data that other SMs left in L2: what lies in the half that is far from the modelled SM comes from there.
#include <gtest/gtest.h>

#include <set>

#include "simt/timing/memory_places.h"
#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

/// The half that a line lies in has it; the other one fetches it from there when an SM of its own reads it.
TEST(far_half, what_other_sms_left_in_the_far_half_of_l2_comes_from_there) {
    const auto way = [](int blocks, int start) {
        TinyLaunch launch;
        launch.blocks = blocks;
        launch.load({}, {}, 0);
        TimingRequest request;
        request.options.data_in_l2 = true;
        request.start = start;
        const auto schedule = launch.run(request);
        const auto flight = trace::flights_of(schedule, schedule.warps[0])[0];
        return int(flight.returned - flight.issued);
    };
    const double far = memory_places(default_gpu()).atomic_far;
    std::set<int> of_many;
    for (int start = 0; start < start_count; ++start) {
        EXPECT_EQ(way(1, start), way(1, 0)) << start;  // its own SM has read it
        of_many.insert(way(2, start));
    }
    ASSERT_EQ(of_many.size(), 2u);
    EXPECT_NEAR(*of_many.rbegin() - *of_many.begin(), far, 1);
}

}  // namespace
}  // namespace warplens::simt
