// A selection in words becomes the requested spot, or a sentence that lists the possible ones.
#include "app/scene/requested_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/default_selection.h"
#include "tests/support/synthetic_schedule.h"
#include "trace/query.h"
#include "view_stage.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

Spot asked(const Scene& scene, std::string_view view, std::string_view words) {
    const auto request = parse_spot_request(words);
    EXPECT_TRUE(request) << request.error().message;
    const auto spot = requested_selection(scene, view, request.value_or(SpotRequest{}));
    EXPECT_TRUE(spot) << spot.error().message;
    return spot.value_or(Spot{});
}

std::string refused(const Scene& scene, std::string_view words) {
    const auto request = parse_spot_request(words);
    if (!request) return request.error().message;
    const auto spot = requested_selection(scene, "banks", *request);
    EXPECT_FALSE(spot) << words;
    return spot ? "" : spot.error().message;
}

std::shared_ptr<Scene> timed_scene() {
    auto scene = stage_scene({3, 96, 3});
    auto timing = std::make_shared<SceneTiming>();
    timing->schedule = std::make_shared<trace::Schedule>(trace::make_example_schedule(*scene->trace));
    scene->timing = timing;
    return scene;
}

TEST(requested_selection, no_words_select_the_default) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    for (const char* view : {"banks", "sectors", "lanes"})
        EXPECT_EQ(asked(*scene, view, ""), default_selection(*scene, view));
}

TEST(requested_selection, a_line_is_its_worst_access_of_the_views_own_memory) {
    const auto scene = stage_scene({3, 96, 3});
    const trace::Trace& trace = *scene->trace;
    for (const char* view : {"banks", "sectors"}) {
        const Spot worst = default_selection(*scene, view);
        ASSERT_NE(worst.access, no_access);
        const Spot spot = asked(*scene, view, fmt::format("line={}", worst.source_line));
        EXPECT_EQ(spot.source_line, worst.source_line);
        EXPECT_EQ(trace.accesses[spot.access].space, trace.accesses[worst.access].space);
    }
}

TEST(requested_selection, a_block_and_a_warp_are_kept_to) {
    const auto scene = stage_scene({3, 96, 3});
    const trace::Trace& trace = *scene->trace;
    const Spot spot = asked(*scene, "banks", "block=2,warp=1,lane=7");
    const trace::WarpRecord& warp = trace.warps[spot.warp_record];
    EXPECT_EQ(warp.block, 2u);
    EXPECT_EQ(warp.warp, 1u);
    EXPECT_EQ(spot.lane, 7);
    EXPECT_GE(spot.access, warp.accesses_begin);
    EXPECT_LT(spot.access, warp.accesses_end);
    EXPECT_EQ(trace.accesses[spot.access].space, Space::shared);
}

TEST(requested_selection, a_cycle_selects_what_the_warp_is_about_to_issue) {
    const auto scene = timed_scene();
    const trace::Schedule& schedule = *scene->timing->schedule;
    const trace::ScheduledWarp& warp = schedule.warps[1];
    const std::uint32_t cycle = (warp.arrival + warp.departure) / 2;
    const trace::WarpRecord& record = scene->trace->warps[warp.warp_record];
    const Spot spot =
        asked(*scene, "timeline", fmt::format("block={},warp={},cycle={}", record.block, record.warp, cycle));
    const trace::StateSpan* span = span_at(schedule, warp, cycle);
    ASSERT_TRUE(span);
    EXPECT_EQ(spot.cycle, cycle);
    EXPECT_EQ(spot.site, span->site());
    EXPECT_EQ(spot.step, span->step);
}

TEST(requested_selection, what_is_not_there_is_named_with_what_is) {
    const auto scene = timed_scene();
    EXPECT_THAT(refused(*scene, "line=9999"), HasSubstr("line=9999: no instruction comes from that line"));
    EXPECT_THAT(refused(*scene, "site=9999"), HasSubstr("the kernel's sites are 0 to"));
    EXPECT_THAT(refused(*scene, "block=8"), HasSubstr("0, 1 and 2 were"));
    EXPECT_THAT(refused(*scene, "warp=3"), HasSubstr("a block has warps 0 to 2"));
    EXPECT_THAT(refused(*scene, "lane=32"), HasSubstr("lanes 0 to 31"));
    EXPECT_THAT(refused(*scene, "cycle=4000000000"), HasSubstr("the schedule has"));
    EXPECT_THAT(refused(*stage_scene({3, 96, 3}), "cycle=4"), HasSubstr("there is no schedule"));
}

TEST(requested_selection, words_that_are_no_selection_are_refused) {
    const auto scene = timed_scene();
    for (const char* words :
         {"line", "line=", "line=-1", "line=1x", "bank=3", "line=1,line=2", "99999999999"})
        EXPECT_FALSE(parse_spot_request(words)) << words;
    EXPECT_EQ(
        parse_spot_request("line=54,warp=3").value_or(SpotRequest{}),
        (SpotRequest{.line = 54, .site = {}, .block = {}, .warp = 3, .lane = {}, .step = {}, .cycle = {}}));
}

}  // namespace
}  // namespace warplens::app
