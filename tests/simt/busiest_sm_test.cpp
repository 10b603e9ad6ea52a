// Which SM ends last: small grids whose distribution can be followed by hand, and a schedule that times it.
#include "simt/timing/busiest_sm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A grid whose blocks have one warp each, of these lengths.
std::vector<BlockWork> grid_of(const std::vector<std::uint64_t>& steps) {
    std::vector<BlockWork> grid;
    for (std::size_t i = 0; i < steps.size(); ++i) grid.push_back({i, steps[i], steps[i]});
    return grid;
}

TEST(busiest_sm, blocks_of_the_same_work_leave_the_choice_to_the_model) {
    EXPECT_THAT(busiest_sms(grid_of({50, 50, 50, 50, 50, 50}), 2, 1), IsEmpty());
    EXPECT_THAT(busiest_sms(grid_of({100, 101, 100, 100}), 2, 2), IsEmpty()) << "one percent";
    EXPECT_THAT(busiest_sms({}, 2, 1), IsEmpty());
    // Five blocks per SM, of which three are resident: the last eight go to all SMs.
    EXPECT_THAT(busiest_sms(grid_of(std::vector<std::uint64_t>(20, 50)), 4, 3), IsEmpty());
    EXPECT_THAT(busiest_sms(grid_of(std::vector<std::uint64_t>(1000, 7)), 13, 7), IsEmpty());
}

TEST(busiest_sm, the_one_long_block_is_found_wherever_it_is) {
    EXPECT_THAT(busiest_sms(grid_of({10, 10, 90}), 4, 2), ElementsAre(ElementsAre(2)));
    EXPECT_THAT(busiest_sms(grid_of({10, 10, 10, 10, 10, 90}), 4, 2), ElementsAre(ElementsAre(1, 5)));
}

TEST(busiest_sm, a_block_goes_where_another_one_ends) {
    // SM 1 is free at 10, 20 and 30, SM 0 not before 100.
    EXPECT_THAT(busiest_sms(grid_of({100, 10, 10, 10, 200}), 2, 1), ElementsAre(ElementsAre(1, 2, 3, 4)));
}

TEST(busiest_sm, several_short_blocks_can_take_longer_than_a_long_one) {
    // Each at its own pace, SM 1 ends last; if the SM's issue slots are shared, SM 0 does.
    EXPECT_THAT(busiest_sms(grid_of({40, 90, 40, 1, 40, 1, 40, 1}), 2, 4),
                ElementsAre(ElementsAre(1, 3, 5, 7), ElementsAre(0, 2, 4, 6)));
}

TinyLaunch multiplications() {
    TinyLaunch launch;
    launch.warps = 1;
    launch.blocks = 4;
    launch.rounds = 8;
    launch.arithmetic(Pipe::fma, {0}, 0);
    return launch;
}

/// The tiny launch with block `longer` visited as often as all others together.
trace::Trace with_longer(std::size_t longer) {
    trace::Trace trace = multiplications().trace(default_gpu());
    trace.launch.geometry.grid.x = 4;
    std::vector<trace::Visit> visits;
    for (std::size_t i = 0; i < trace.warps.size(); ++i) {
        auto& warp = trace.warps[i];
        warp.block = i;
        const std::vector<trace::Visit> own(
            trace.visits.begin() + static_cast<std::ptrdiff_t>(warp.visits_begin),
            trace.visits.begin() + static_cast<std::ptrdiff_t>(warp.visits_end));
        warp.visits_begin = visits.size();
        for (int times = i == longer ? 16 : 1; times > 0; --times)
            visits.insert(visits.end(), own.begin(), own.end());
        warp.visits_end = visits.size();
    }
    trace.visits = std::move(visits);
    return trace;
}

TEST(busiest_sm, the_model_times_the_sm_that_ends_last) {
    TimingRequest request;
    request.code = multiplications().code();
    const auto first = schedule(with_longer(0), default_gpu(), request);
    const auto third = schedule(with_longer(2), default_gpu(), request);
    ASSERT_TRUE(first) << first.error().message;
    ASSERT_TRUE(third) << third.error().message;
    ASSERT_EQ(third->blocks.size(), 1u);
    EXPECT_EQ(third->blocks[0].block, 2u);
    EXPECT_EQ(third->launch.cycles, first->launch.cycles);
}

TEST(busiest_sm, of_several_sms_the_slowest_is_the_answer) {
    TimingRequest request;
    request.code = multiplications().code();
    request.sms = {{0}, {2}, {1}};
    const auto slowest = schedule(with_longer(2), default_gpu(), request);
    ASSERT_TRUE(slowest) << slowest.error().message;
    EXPECT_EQ(slowest->blocks.at(0).block, 2u);
    EXPECT_EQ(slowest->launch.blocks_on_sm, 1u);
}

}  // namespace
}  // namespace warplens::simt
