// Atomics on one address in the timing model: their cost, that they are reported as the limit of the launch,
// and the saving of combining them first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/time/stalls.h"
#include "tests/simt/tiny_launch.h"

namespace warplens::simt {
namespace {

/// Every thread of 16 blocks on each SM adds to one word, 8 times.
TinyLaunch additions(std::int32_t stride) {
    TinyLaunch launch;
    launch.warps = 8;
    launch.blocks = 16;
    launch.rounds = 8;
    launch.reduction({Space::global, 0, stride, std::uint64_t(stride) * 32, 0});
    return launch;
}

trace::LaunchTime time_of(AtomicCombining combining, std::int32_t stride = 0) {
    TimingRequest request;
    request.options.combine_atomics = combining;
    return additions(stride).run(request).launch;
}

TEST(contention_time, additions_to_one_word_are_what_limits_the_launch) {
    const trace::Schedule schedule = additions(0).run();
    const trace::LaunchTime& launch = schedule.launch;
    EXPECT_GT(launch.atomic_cycles, 0.6 * (launch.cycles - launch.overhead_cycles));
    EXPECT_THAT(analysis::limiting_sentence(schedule, default_gpu()),
                testing::HasSubstr("contention limits it"));
}

TEST(contention_time, additions_to_words_side_by_side_do_not_meet) {
    EXPECT_LT(time_of(AtomicCombining::none, 4).atomic_cycles,
              time_of(AtomicCombining::none, 0).atomic_cycles / 8);
}

TEST(contention_time, one_atomic_per_warp_saves_most_and_one_per_block_more) {
    const double now = time_of(AtomicCombining::none).cycles,
                 warp = time_of(AtomicCombining::per_warp).cycles,
                 block = time_of(AtomicCombining::per_block).cycles;
    EXPECT_LT(warp, now / 4);
    EXPECT_LT(block, warp);
}

/// Counters in one KiB of memory, as in a histogram: a warp's lanes update words in 32 sectors, and each of
/// the eight warps another word of every sector.
trace::Schedule counters(AtomicCombining combining, int blocks = 16) {
    TinyLaunch launch;
    launch.warps = 8;
    launch.blocks = blocks;
    launch.rounds = 8;
    launch.reduction({Space::global, 0, 32, 4, 0});
    TimingRequest request;
    request.options.combine_atomics = combining;
    return launch.run(request);
}

TEST(contention_time, a_block_that_combines_counters_side_by_side_updates_each_once) {
    const trace::Schedule now = counters(AtomicCombining::none);
    // No two lanes of a warp meet, so that a warp has nothing to combine.
    EXPECT_EQ(counters(AtomicCombining::per_warp).launch.cycles, now.launch.cycles);
    EXPECT_LT(counters(AtomicCombining::per_block).launch.cycles, now.launch.cycles / 4);
}

TEST(contention_time, the_cycles_of_a_launch_are_the_sum_of_its_parts) {
    // Of one block: else the slowest SM could be the last to end.
    const trace::LaunchTime launch = counters(AtomicCombining::none, 1).launch;
    EXPECT_TRUE(launch.drains_atomics);
    EXPECT_GT(launch.drain_cycles, 0);
    EXPECT_DOUBLE_EQ(launch.cycles, launch.overhead_cycles + launch.sm_cycles + launch.drain_cycles);
}

TEST(contention_time, an_exchange_cannot_be_combined) {
    TinyLaunch launch = additions(0);
    TimingRequest request;
    request.options.combine_atomics = AtomicCombining::per_block;
    request.code = launch.code();
    trace::Trace trace = launch.trace(default_gpu());
    trace.program.sites[0].opcode = "atom.global.exch.b32";
    const auto as_asked = schedule(trace, default_gpu(), request);
    request.options = {};
    const auto as_it_is = schedule(trace, default_gpu(), request);
    ASSERT_TRUE(as_asked && as_it_is);
    EXPECT_EQ(as_asked->launch.cycles, as_it_is->launch.cycles);
}

/// As the arrivals of a block's first thread at a barrier of the grid.
TEST(contention_time, what_one_thread_adds_one_after_another_has_nothing_to_be_combined_with) {
    TinyLaunch launch;
    launch.blocks = 16;
    launch.rounds = 8;
    launch.reduction({Space::global, 0, 4, 0, 0});
    TimingRequest request;
    request.code = launch.code();
    trace::Trace trace = launch.trace(default_gpu());
    const auto cycles = [&](AtomicCombining combining) {
        request.options.combine_atomics = combining;
        const auto timed = schedule(trace, default_gpu(), request);
        EXPECT_TRUE(timed) << timed.error().message;
        return timed ? timed->launch.cycles : 0;
    };
    EXPECT_LT(cycles(AtomicCombining::per_block), cycles(AtomicCombining::none)) << "32 threads";
    for (trace::Visit& visit : trace.visits) visit.active = LaneMask{1};
    for (trace::AccessRecord& access : trace.accesses) access.mask = LaneMask{1};
    EXPECT_EQ(cycles(AtomicCombining::per_block), cycles(AtomicCombining::none));
}

}  // namespace
}  // namespace warplens::simt
