// The time of a launch from some of its blocks: the same verdict, or a sentence that there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/time/stalls.h"
#include "tests/simt/tiny_launch.h"
#include "trace/query.h"

namespace warplens::simt {
namespace {

constexpr std::uint64_t blocks_per_sm = 32;

/// Dependent loads, so that an SM is faster the more blocks it holds.
TinyLaunch chain() {
    TinyLaunch launch;
    launch.warps = 4;
    launch.rounds = 16;
    launch.buffer_bytes = 1 << 24;
    launch.load({Space::global, 0, 4, 128, 1 << 16}, {0}, 0);
    return launch;
}

/// Of the grid of 32 blocks per SM the first `recorded` ones, or those of the first SM alone.
trace::Schedule timed(std::uint64_t recorded, bool of_first_sm) {
    TinyLaunch launch = chain();
    launch.blocks = static_cast<int>(recorded);
    TimingRequest request;
    request.code = launch.code();
    trace::Trace trace = launch.trace(default_gpu());
    const auto sms = static_cast<std::uint64_t>(default_gpu().sm_count);
    trace.launch.geometry.grid.x = static_cast<std::uint32_t>(blocks_per_sm * sms);
    for (std::size_t i = 0; i < trace.warps.size(); ++i)
        trace.warps[i].block = i / 4 * (of_first_sm ? sms : 1);
    auto result = schedule(trace, default_gpu(), request);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? std::move(*result) : trace::Schedule{};
}

TEST(sampled_time, blocks_of_other_sms_stand_in_for_those_not_recorded) {
    const trace::Schedule whole = timed(blocks_per_sm, true);
    const trace::Schedule sample = timed(256, false);  // of each SM one block or two
    EXPECT_EQ(sample.launch.blocks_modelled, whole.launch.blocks_modelled);
    EXPECT_NEAR(sample.launch.cycles / whole.launch.cycles, 1, 0.05);
    EXPECT_EQ(analysis::limiting_sentence(sample, default_gpu()).substr(0, 40),
              analysis::limiting_sentence(whole, default_gpu()).substr(0, 40));
}

TEST(sampled_time, a_sample_that_does_not_fill_an_sm_gives_no_verdict) {
    const trace::Schedule sample = timed(2, false);
    EXPECT_EQ(sample.blocks_at_once, 16);
    EXPECT_THAT(analysis::limiting_sentence(sample, default_gpu()),
                testing::AllOf(testing::HasSubstr("has 2 blocks"), testing::HasSubstr("at least 16 blocks")));
    EXPECT_THAT(sample.notes, testing::Contains(testing::HasSubstr("upper estimate")));
}

/// One block that reads its whole buffer, and `idle` others, each on an SM of its own.
double cycles_beside_idle_blocks(std::uint32_t idle, bool known) {
    TinyLaunch launch;
    launch.rounds = 16;
    launch.buffer_bytes = 16 * 128;
    launch.load({Space::global, 0, 4, 0, 128}, {0}, 0);
    trace::Trace trace = launch.trace(default_gpu());
    trace.launch.geometry.grid.x = 1 + idle;
    TimingRequest request;
    request.code = launch.code();
    if (known) request.launch_steps = trace::step_count(trace, trace.warps.front());
    const auto result = schedule(trace, default_gpu(), request);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? result->launch.cycles : 0;
}

TEST(sampled_time, blocks_that_do_nothing_bring_no_data_for_the_others) {
    const double alone = cycles_beside_idle_blocks(0, false);
    EXPECT_NEAR(cycles_beside_idle_blocks(131, true) / alone, 1, 0.01);
    EXPECT_GT(cycles_beside_idle_blocks(131, false) / alone, 1.05)
        << "taken to be like the first, they read the buffer, too";
}

}  // namespace
}  // namespace warplens::simt
