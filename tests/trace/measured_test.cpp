#include "trace/measured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

#include "tests/support/synthetic_measured.h"
#include "trace/check.h"
#include "trace/query.h"

namespace warplens::trace {
namespace {

using testing::HasSubstr;

TEST(measured, the_example_keeps_every_promise) {
    for (const ExampleShape& shape :
         {ExampleShape::empty(), ExampleShape::tiny(), ExampleShape{40, 200, 3}}) {
        const Trace trace = make_measured_example(shape);
        EXPECT_EQ(check(*trace.measured), "");
        const auto ok = check(trace);
        EXPECT_TRUE(ok) << ok.error().message;
        EXPECT_EQ(trace.measured->warps.size(), trace.warps.size());
        ASSERT_EQ(trace.measured->visits.size(), trace.visits.size());
        for (std::size_t i = 0; i < trace.visits.size(); ++i) {
            EXPECT_EQ(trace.measured->visits[i].basic_block, trace.visits[i].basic_block);
            EXPECT_EQ(trace.measured->visits[i].active, trace.visits[i].active.bits);
        }
    }
}

TEST(measured, the_example_has_all_a_recording_can_have) {
    const Trace trace = make_measured_example({40, 200, 3});
    const Measured& measured = *trace.measured;
    std::set<int> sms, slots;
    std::uint64_t timeless = 0, barriers = 0, waits = 0;
    std::uint32_t waited = 0;
    for (const MeasuredWarp& warp : measured.warps) {
        sms.insert(warp.sm);
        slots.insert(warp.slot);
    }
    for (const MeasuredVisit& visit : measured.visits) {
        timeless += visit.entered == no_time;
        if (visit.arrived == no_time) continue;
        ++barriers;
        waits += visit.entered > visit.arrived;
        waited = std::max(waited, visit.entered - visit.arrived);
    }
    EXPECT_THAT(sms, testing::ElementsAre(0, 2, 4, 6));
    EXPECT_EQ(slots.size(), 14u);  // of two blocks of 7 warps
    EXPECT_EQ(timeless, 40u * 7 * 2);
    EXPECT_EQ(barriers, 40u * 7 * 3 * 2);
    EXPECT_EQ(waits, barriers);
    EXPECT_GT(waited, 50u);
    EXPECT_EQ(measured, *make_measured_example({40, 200, 3}).measured) << "the same every time";
}

TEST(measured, check_names_each_broken_promise) {
    struct Case {
        const char* part_of_sentence;
        std::function<void(Measured&)> break_it;
    };
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const Case cases[] = {
        {"is of mode \"heavy\"", [](Measured& m) { m.perturbations[0].mode = "heavy"; }},
        {"both should be 0 or more", [](Measured& m) { m.perturbations[1].clean_us = -1; }},
        {"took inf", [](Measured& m) { m.perturbations[1].traced_us = infinite; }},
        {"has the invalid count -4", [](Measured& m) { m.perturbations[0].traced_registers = -4; }},
        {"clock runs at nan", [](Measured& m) { m.clock_hz = nan; }},
        {"clock runs at 1 Hz", [](Measured& m) { m.clock_hz = 1; }},
        {"timer is off by -1", [](Measured& m) { m.timer_bound_ns = -1; }},
        {"and -3 SMs", [](Measured& m) { m.sm_count = -3; }},
        {"its addresses are \"guessed\"", [](Measured& m) { m.addresses = "guessed"; }},
        {"SM 2 comes after SM 2", [](Measured& m) { m.sms[0].sm = 2; }},
        {"begins at nan ns", [](Measured& m) { m.sms[1].offset_ns = nan; }},
        {"ran on SM 9", [](Measured& m) { m.warps[4].sm = 9; }},
        {"they should ascend", [](Measured& m) { m.warps[1].warp = 0; }},
        {"they should ascend", [](Measured& m) { m.warps[2].block = 1; }},
        {"begins in cycle", [](Measured& m) { m.warps[0].begin = m.warps[0].end + 1; }},
        {"ends in cycle 4294967295", [](Measured& m) { m.warps[0].end = no_time; }},
        {"should begin at", [](Measured& m) { ++m.warps[1].visits_begin; }},
        {"should begin at", [](Measured& m) { m.warps.back().visits_end += 1; }},
        {"but the warps own",
         [](Measured& m) {
             m.visits.push_back({0, 1, no_time, no_time});
         }},
        {"without active lanes", [](Measured& m) { m.visits[3].active = 0; }},
        {"has no time of leaving it", [](Measured& m) { m.visits[1].arrived = 700; }},
        {"enters basic block", [](Measured& m) { m.visits[3].entered = m.visits[2].entered - 1; }},
        {"enters basic block 0", [](Measured& m) { m.warps[0].begin = m.visits[0].entered + 1; }},
        {"enters basic block 5", [](Measured& m) { m.visits[10].entered = m.warps[0].end + 1; }},
        {"arrived at a barrier in cycle", [](Measured& m) { m.visits[2].arrived = m.visits[2].entered + 1; }},
        {"arrived at a barrier in cycle 0",
         [](Measured& m) {
             m.visits[2].arrived = 0;
             m.warps[0].begin = 1;
             m.visits[0].entered = 1;
         }},
    };
    ASSERT_EQ(make_measured_example(ExampleShape::tiny()).measured->visits[10].basic_block, 5u);
    for (const Case& broken : cases) {
        Measured measured = *make_measured_example(ExampleShape::tiny()).measured;
        broken.break_it(measured);
        EXPECT_THAT(check(measured), HasSubstr(broken.part_of_sentence));
    }
}

TEST(measured, a_trace_is_held_to_its_measured_part) {
    struct Case {
        const char* part_of_sentence;
        std::function<void(Measured&)> break_it;
    };
    const Case cases[] = {
        {"clock runs at -1", [](Measured& m) { m.clock_hz = -1; }},
        {"measured warp 2 of block 2 is outside a launch of 2 blocks",
         [](Measured& m) { m.warps.back().block = 2; }},
        {"measured warp 3 of block 1 is outside", [](Measured& m) { m.warps.back().warp = 3; }},
        {"names basic block 7", [](Measured& m) { m.visits[4].basic_block = 7; }},
        {"active lanes without a thread", [](Measured& m) { m.visits.back().active = 0x80000000u; }},
    };
    for (const Case& broken : cases) {
        Trace trace = make_measured_example(ExampleShape::tiny());
        Measured measured = *trace.measured;
        broken.break_it(measured);
        trace.measured = std::make_shared<const Measured>(std::move(measured));
        const auto status = check(trace);
        ASSERT_FALSE(status) << broken.part_of_sentence;
        EXPECT_THAT(status.error().message, HasSubstr(broken.part_of_sentence));
    }
}

}  // namespace
}  // namespace warplens::trace
