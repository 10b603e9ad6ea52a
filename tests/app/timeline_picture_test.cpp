// What a picture of the timeline has that the window's pane has not.
#include <gtest/gtest.h>

#include "app/ui/number.h"
#include "catalogue_stage.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_timeline_view();

namespace {

TEST(timeline_picture, the_headline_of_two_runs_has_the_cycles_of_both) {
    const auto now = scheduled_scene({4, 64, 2}, 1, {.slots_per_scheduler = 2});
    ViewStage stage(make_timeline_view(), now, {1500, 700});
    const auto before = scheduled_scene({4, 64, 2}, 2, {.slots_per_scheduler = 1});
    stage.baseline = before;
    stage.interactive = false;
    stage.headless.frame(2);
    const std::uint64_t was = before->timing->schedule->totals.cycles;
    const std::uint64_t is = now->timing->schedule->totals.cycles;
    ASSERT_NE(was, is);
    EXPECT_TRUE(stage.headless.shows(grouped(was) + " → " + grouped(is)));
}

TEST(timeline_picture, few_rows_leave_room_for_a_magnified_stretch_and_the_lines_waited_for) {
    const auto scene = std::make_shared<Scene>(*timed_kernel("pointer_chase"));
    ViewStage picture(make_timeline_view(), scene, {1232, 650});
    picture.interactive = false;
    picture.headless.frame(2);
    EXPECT_TRUE(picture.headless.shows("Issue slots of one SM"));
    EXPECT_TRUE(picture.headless.shows("magnified: cycles "));
    EXPECT_TRUE(picture.headless.shows("no warp on the scheduler")) << "there is one warp for four";
    ViewStage low(make_timeline_view(), scene, {1232, 330});
    low.interactive = false;
    low.headless.frame(2);
    EXPECT_FALSE(low.headless.shows("Issue slots of one SM"));
}

TEST(timeline_picture, one_warp_fills_the_height_of_a_large_picture) {
    const auto scene = std::make_shared<Scene>(*timed_kernel("pointer_chase"));
    constexpr float height = 1010;
    ViewStage picture(make_timeline_view(), scene, {1880, height}, ThemeName::light, 1.3f);
    picture.interactive = false;
    picture.headless.frame(2);
    float lowest = 0;
    for (const DrawnText& text : picture.headless.texts())
        if (text.words.find("no warp on the scheduler") != std::string::npos) lowest = text.max.y;
    EXPECT_GT(lowest, height * 0.78f) << "below it there are only the legend and the provenance";
}

}  // namespace
}  // namespace warplens::app
