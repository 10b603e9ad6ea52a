#include "trace/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/synthetic_schedule.h"
#include "trace/query.h"

namespace warplens::trace {
namespace {

using testing::HasSubstr;

/// Eight blocks of four warps on two slots a scheduler, so that blocks follow one another.
const Trace& schedule_example() {
    static const Trace trace = make_example({8, 128, 3});
    return trace;
}

const Schedule& schedule_of_example() {
    static const Schedule schedule = make_example_schedule(schedule_example(), {.slots_per_scheduler = 2});
    return schedule;
}

TEST(schedule, the_examples_keep_its_promises) {
    EXPECT_EQ(check(make_example_schedule(make_example(ExampleShape::empty()))), "");
    EXPECT_EQ(check(make_example_schedule(make_example(ExampleShape::tiny()))), "");
    EXPECT_EQ(check(make_example_schedule(make_example({3, 1024, 5}), {.slots_per_scheduler = 3})), "");
    EXPECT_EQ(check(make_example_schedule(make_example({64, 96, 9}), {.schedulers = 1})), "");
    EXPECT_EQ(check(schedule_of_example()), "");
}

TEST(schedule, an_example_issues_every_step_of_every_warp_once_and_in_order) {
    const Schedule& schedule = schedule_of_example();
    ASSERT_EQ(schedule.warps.size(), schedule_example().warps.size());
    const RecordedSites recorded(schedule_example().program);
    for (const ScheduledWarp& warp : schedule.warps) {
        const WarpSteps steps(schedule_example(), recorded, schedule_example().warps[warp.warp_record]);
        std::uint64_t next = 0;
        for (const StateSpan& span : spans_of(schedule, warp)) {
            if (span.state() != WarpState::selected) continue;
            ASSERT_EQ(span.step, next);
            ASSERT_EQ(span.site(), steps.at(next).site);
            ++next;
        }
        EXPECT_EQ(next, steps.size());
    }
}

TEST(schedule, blocks_of_an_example_follow_one_another_in_the_slots) {
    const Schedule& schedule = schedule_of_example();
    EXPECT_EQ(schedule.gpu, "synthetic");
    EXPECT_EQ(schedule.resident_blocks, 2);
    EXPECT_EQ(schedule.slots_per_scheduler, 2);
    ASSERT_EQ(schedule.blocks.size(), 8u);
    EXPECT_GE(schedule.blocks[2].arrival,
              std::min(schedule.blocks[0].departure, schedule.blocks[1].departure));
    EXPECT_EQ(schedule.barriers.size(), 8u * 3 * 2) << "two barriers a round";
}

TEST(schedule, as_many_spans_as_asked_for) {
    constexpr std::uint64_t wanted = 200'000;
    EXPECT_GE(make_example_schedule(make_example(shape_for_spans(wanted))).spans.size(), wanted);
}

TEST(schedule, the_span_of_a_cycle_holds_it) {
    const Schedule& schedule = schedule_of_example();
    const ScheduledWarp& warp = schedule.warps[9];
    for (std::uint32_t cycle = warp.arrival; cycle < warp.departure; ++cycle) {
        const StateSpan* span = span_at(schedule, warp, cycle);
        ASSERT_NE(span, nullptr);
        EXPECT_LE(span->begin, cycle);
        EXPECT_GT(end_of(schedule, warp, *span), cycle);
    }
    EXPECT_EQ(span_at(schedule, warp, warp.departure), nullptr);
    ASSERT_GT(warp.arrival, 0u);
    EXPECT_EQ(span_at(schedule, warp, warp.arrival - 1), nullptr);
}

TEST(schedule, check_names_each_broken_promise) {
    struct Case {
        const char* part_of_sentence;
        std::function<void(Schedule&)> break_it;
    };
    const Case cases[] = {
        {"warp 2's spans are outside", [](Schedule& s) { s.warps[2].spans_end = s.spans.size() + 1; }},
        {"warp 1's flights are outside", [](Schedule& s) { s.warps[1].flights_begin = 1'000'000; }},
        {"warp 0 belongs to no block", [](Schedule& s) { s.warps[0].block = 8; }},
        {"warp 5 has no scheduler", [](Schedule& s) { s.warps[5].scheduler = 4; }},
        {"warp 3 departs before",
         [](Schedule& s) {
             s.warps[3].departure = 0;
             s.warps[3].arrival = 1;
         }},
        {"does not begin at its arrival", [](Schedule& s) { ++s.spans[0].begin; }},
        {"is empty or overlaps the next", [](Schedule& s) { s.spans[3].begin = s.spans[4].begin; }},
        {"has no such state", [](Schedule& s) { s.spans[5].packed = 0xff000000u; }},
        {"returns before it is issued", [](Schedule& s) { s.flights[0].returned = 0; }},
        {"the totals have", [](Schedule& s) { ++s.totals.warp_cycles; }},
        {"the states take", [](Schedule& s) { ++s.totals.states[WarpState::wait]; }},
        {"issues and selected", [](Schedule& s) { ++s.totals.issued; }},
        {"the spans and the totals differ",
         [](Schedule& s) {
             ++s.totals.states[WarpState::wait];
             --s.totals.states[WarpState::barrier];
         }},
        {"issue slots", [](Schedule& s) { s.totals.issue_slots = s.totals.issued - 1; }},
        // All warps of a block arrive in one cycle, and issue first in one.
        {"issues twice in cycle", [](Schedule& s) { s.warps[1].scheduler = s.warps[0].scheduler; }},
        {"two warps hold slot 0", [](Schedule& s) { s.warps[4].slot = 0; }},
    };
    for (const Case& broken : cases) {
        Schedule schedule = schedule_of_example();
        broken.break_it(schedule);
        EXPECT_THAT(check(schedule), HasSubstr(broken.part_of_sentence));
    }
}

}  // namespace
}  // namespace warplens::trace
