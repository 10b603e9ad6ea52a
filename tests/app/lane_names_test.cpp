#include <gtest/gtest.h>

#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_lanes_view();

namespace {

std::shared_ptr<Scene> scene_of_blocks(Dim3 block) {
    auto scene = std::make_shared<Scene>(*stage_scene({1, block.x * block.y * block.z, 1}, 1));
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    trace->launch.geometry.block = block;
    scene->trace = std::move(trace);
    return scene;
}

TEST(lane_names, of_a_block_of_16_by_16_are_its_threads_and_a_warp_has_two_rows) {
    ViewStage stage(make_lanes_view(), scene_of_blocks({16, 16, 1}), {1100, 1000});
    stage.selection.chosen.warp_record = 1;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("lane 0 (0, 2)"));
    EXPECT_TRUE(stage.headless.shows("15 (15, 2)"));
    EXPECT_TRUE(stage.headless.shows("21 (5, 3)"));
    EXPECT_TRUE(stage.headless.shows("31 (15, 3)"));
}

TEST(lane_names, of_three_dimensions_have_three_coordinates) {
    ViewStage stage(make_lanes_view(), scene_of_blocks({4, 4, 4}), {1100, 1000});
    stage.selection.chosen.warp_record = 1;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("lane 0 (0, 0, 2)"));
    EXPECT_TRUE(stage.headless.shows("31 (3, 3, 3)"));
}

TEST(lane_names, of_a_row_of_threads_are_the_lanes_alone) {
    ViewStage stage(make_lanes_view(), scene_of_blocks({64, 1, 1}), {1100, 1000});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("lane 0"));
    EXPECT_FALSE(stage.headless.shows("(1, 0)"));
}

}  // namespace
}  // namespace warplens::app
