#include "analysis/time/sm_state.h"

#include <gtest/gtest.h>

#include "small_schedule.h"

namespace warplens::analysis {
namespace {

using trace::Flight;
using trace::Issue;
using trace::Schedule;
using trace::ServedBy;

SmTiming queues_of(int places) {
    SmTiming timing;
    timing.mio_queue = timing.lsu_queue = places;
    timing.operand_read_latency = 3;
    return timing;
}

SmStates states_of(Schedule schedule, const SmTiming& timing) {
    EXPECT_EQ(trace::check(schedule), "");
    return SmStates(
        std::make_shared<const ScheduleSums>(std::make_shared<const Schedule>(std::move(schedule))), timing);
}

/// Two warps of one scheduler: the first issues a load (cycles 0 and 1), then waits for it; the second
/// multiplies twice.
Schedule two_issuing_warps() {
    SmallSchedule small;
    small.warp(0, 0,
               {{WarpState::selected, 2, 1, 0},
                {WarpState::long_scoreboard, 8, 2, 2, 0},
                {WarpState::selected, 1, 2, 2}});
    small.warp(0, 0,
               {{WarpState::not_selected, 2, 3, 0},
                {WarpState::selected, 1, 3, 0},
                {WarpState::math_pipe_throttle, 1, 3, 1},
                {WarpState::selected, 1, 3, 1},
                {WarpState::wait, 4, 4, 2}});
    Schedule schedule = small.take();
    schedule.issues = {{0, Issue::pack(1, Pipe::lsu), 3, 10},
                       {1, Issue::pack(1, Pipe::lsu), 6, 10},
                       {10, Issue::pack(2, Pipe::alu), 12, 14},
                       {2, Issue::pack(3, Pipe::fma), 4, 6},
                       {4, Issue::pack(3, Pipe::fma), 6, 8}};
    schedule.warps[0].issues_begin = 0;
    schedule.warps[0].issues_end = schedule.warps[1].issues_begin = 3;
    schedule.warps[1].issues_end = 5;
    schedule.flights = {{0, Flight::pack(1, ServedBy::dram), 0, 10},
                        {1, Flight::pack(1, ServedBy::l2), 1, 9}};
    schedule.warps[0].flights_end = schedule.warps[1].flights_begin = schedule.warps[1].flights_end = 2;
    schedule.site_scoreboards = {{}, {2, 5, 0}, {0xff, 0xff, 0b000100}, {}, {}};
    return schedule;
}

TEST(sm_state, holds_the_state_of_every_warp_and_who_issues) {
    const SmStates states = states_of(two_issuing_warps(), queues_of(4));
    for (std::uint32_t cycle = 0; cycle < states.schedule().totals.cycles; ++cycle) {
        const SmState state = states.at(cycle);
        ASSERT_EQ(state.schedulers.size(), 1u);
        std::uint32_t issuing = no_index;
        for (std::uint32_t w = 0; w < 2; ++w) {
            const trace::StateSpan* span =
                trace::span_at(states.schedule(), states.schedule().warps[w], cycle);
            const SlotState& slot = state.schedulers[0].slots[w];
            ASSERT_EQ(slot.warp != no_index, span != nullptr) << cycle;
            if (!span) continue;
            EXPECT_EQ(slot.state, span->state()) << cycle;
            EXPECT_EQ(slot.site, span->site()) << cycle;
            if (span->state() == WarpState::selected) issuing = w;
        }
        EXPECT_EQ(state.schedulers[0].issuing, issuing) << cycle;
    }
    EXPECT_EQ(states.at(3).resident_warps(), 2u);
    EXPECT_EQ(states.at(10).resident_warps(), 1u);
    EXPECT_EQ(states.at(999).resident_warps(), 0u);
}

TEST(sm_state, a_pipe_is_busy_until_it_is_free_and_holds_what_has_no_result_yet) {
    const SmStates states = states_of(two_issuing_warps(), queues_of(4));
    const auto fma = [&](std::uint32_t cycle) {
        return states.at(cycle).schedulers[0].pipes[static_cast<std::size_t>(Pipe::fma)];
    };
    EXPECT_EQ(fma(1).taking.warp, no_index);
    EXPECT_EQ(fma(1).inside, 0u);
    EXPECT_EQ(fma(3).taking.warp, 1u);
    EXPECT_EQ(fma(3).taking.until, 4u);
    EXPECT_EQ(fma(5).inside, 2u) << "the first result is there in cycle 6";
    EXPECT_EQ(fma(6).taking.warp, no_index);
    EXPECT_EQ(fma(6).inside, 1u);
    EXPECT_EQ(fma(8).inside, 0u);
}

TEST(sm_state, a_queue_holds_what_has_issued_and_not_left) {
    const SmStates states = states_of(two_issuing_warps(), queues_of(4));
    const auto queued = [&](std::uint32_t cycle) { return states.at(cycle).schedulers[0].lsu_queue.size(); };
    EXPECT_EQ(queued(0), 1u);
    EXPECT_EQ(queued(1), 2u);
    EXPECT_EQ(queued(2), 2u);
    EXPECT_EQ(queued(3), 1u);
    EXPECT_EQ(queued(6), 0u);
    EXPECT_TRUE(states.at(1).schedulers[0].mio_queue.empty());
}

TEST(sm_state, a_scoreboard_counts_until_data_or_sources_are_there) {
    const SmStates states = states_of(two_issuing_warps(), queues_of(4));
    const auto slot = [&](std::uint32_t cycle) { return states.at(cycle).schedulers[0].slots[0]; };
    EXPECT_EQ(slot(1).counting, 1u << 2 | 1u << 5);
    EXPECT_EQ(slot(1).waited, 0u) << "it issues";
    EXPECT_EQ(slot(3).counting, 1u << 2 | 1u << 5) << "the second load's sources are read in cycle 4";
    EXPECT_EQ(slot(4).counting, 1u << 2);
    EXPECT_EQ(slot(4).waited, 1u << 2);
    EXPECT_EQ(slot(10).counting, 0u);
}

TEST(sm_state, requests_are_in_flight_from_issue_to_data) {
    const SmStates states = states_of(two_issuing_warps(), queues_of(4));
    const auto dram = static_cast<std::size_t>(ServedBy::dram), l2 = static_cast<std::size_t>(ServedBy::l2);
    EXPECT_EQ(states.at(0).in_flight[dram], 1u);
    EXPECT_EQ(states.at(0).in_flight[l2], 0u);
    EXPECT_EQ(states.at(8).in_flight[l2], 1u);
    EXPECT_EQ(states.at(9).in_flight[l2], 0u);
    EXPECT_EQ(states.at(10).in_flight[dram], 0u);
}

TEST(sm_state, without_issues_there_are_states_and_no_units) {
    Schedule schedule = two_issuing_warps();
    schedule.issues.clear();
    schedule.site_scoreboards.clear();
    for (trace::ScheduledWarp& warp : schedule.warps) warp.issues_begin = warp.issues_end = 0;
    const SmStates states = states_of(std::move(schedule), queues_of(4));
    EXPECT_FALSE(states.has_units());
    EXPECT_EQ(states.at(2).issuing_schedulers(), 1u);
    EXPECT_TRUE(states.at(2).schedulers[0].lsu_queue.empty());
    EXPECT_LT(states.liveliest_cycle(), states.schedule().totals.cycles);
}

TEST(sm_state, the_liveliest_cycle_issues_into_the_pipe_that_the_kernel_computes_with) {
    Schedule schedule = two_issuing_warps();
    const SmStates multiplies = states_of(schedule, queues_of(4));
    EXPECT_EQ(multiplies.busiest_pipe(), Pipe::fma) << "a queue is not a pipe that computes";
    EXPECT_TRUE(multiplies.liveliest_cycle() == 2 || multiplies.liveliest_cycle() == 4);
    schedule.issues[2] = {10, Issue::pack(2, Pipe::alu), 13, 14};
    schedule.issues[4] = {4, Issue::pack(3, Pipe::fma_heavy), 6, 8};
    EXPECT_EQ(states_of(schedule, queues_of(4)).busiest_pipe(), Pipe::fma) << "half of the work is in each";
    schedule.issues[2] = {10, Issue::pack(2, Pipe::tensor), 42, 50};
    const SmStates states = states_of(std::move(schedule), queues_of(4));
    EXPECT_EQ(states.busiest_pipe(), Pipe::tensor);
    EXPECT_EQ(states.liveliest_cycle(), 10u) << "others have as many schedulers issuing, and hold more";
}

TEST(sm_state, an_issue_outside_its_span_is_a_violated_promise) {
    Schedule schedule = two_issuing_warps();
    schedule.issues[3].cycle = 3;
    EXPECT_NE(trace::check(schedule), "");
    schedule = two_issuing_warps();
    schedule.issues[0].free = 0;
    EXPECT_EQ(trace::check(schedule), "") << "a place in the queue may be left at once";
    schedule.issues[1].ready = 0;
    EXPECT_NE(trace::check(schedule), "");
}

}  // namespace
}  // namespace warplens::analysis
