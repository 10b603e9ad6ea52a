// The view Occupancy: what it says of limits that are reached together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/warps/occupancy.h"
#include "tests/app/view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_occupancy_view();

namespace {

TEST(occupancy_view, the_table_of_gpus_names_every_limit_that_is_reached_first) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->launch.geometry.block = {256, 1, 1};
    report->launch.resources.registers_per_thread = 32;
    analysis::fill_occupancy(*report, default_gpu());
    ASSERT_EQ(limiters_in_words(report->occupancy), "warps and registers");
    scene->report = report;
    ViewStage stage(make_occupancy_view(), scene, {1280, 720});
    stage.interactive = false;
    stage.headless.frame(2);
    // Of the title and the headline, and of a row for each GPU like this one.
    const auto cells = std::ranges::count_if(stage.headless.words(), [](const std::string& words) {
        return words == "warps and registers" || words == "warps, registers";
    });
    EXPECT_GE(cells, 2);
}

TEST(occupancy_view, curves_are_high_enough_to_read_where_the_table_is_cut) {
    ViewStage stage(make_occupancy_view(), stage_scene(trace::ExampleShape::tiny()), {1280, 720});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("more in a taller view"));
    const HitBox* curve = stage.headless.find("curve threads per block");
    ASSERT_NE(curve, nullptr);
    EXPECT_GT(curve->max.y - curve->min.y, 40);
    EXPECT_TRUE(stage.headless.find("gpu H200"));
    ViewStage large(make_occupancy_view(), stage_scene(trace::ExampleShape::tiny()), {1872, 1000});
    large.headless.frame(2);
    EXPECT_FALSE(large.headless.shows("more in a taller view")) << "the whole table has room";
}

/// Of a picture: a paragraph is drawn word by word.
std::string words_of_picture(ImVec2 size) {
    ViewStage stage(make_occupancy_view(), stage_scene(trace::ExampleShape::tiny()), size);
    stage.interactive = false;
    stage.headless.frame(2);
    std::string all;
    for (const std::string& words : stage.headless.words()) all += words + (words.ends_with(" ") ? "" : " ");
    return all;
}

TEST(occupancy_view, a_calculation_without_room_says_what_is_missing) {
    const std::string whole = words_of_picture({1232, 650});
    EXPECT_THAT(whole, testing::HasSubstr("Shared memory: "));
    EXPECT_THAT(whole, testing::HasSubstr("The minimum is ")) << "the slots give their room";
    EXPECT_THAT(whole, testing::Not(testing::HasSubstr("Calculation: ")));
    const std::string low = words_of_picture({1232, 430});
    EXPECT_THAT(low, testing::Not(testing::HasSubstr("The minimum is ")));
    EXPECT_THAT(low, testing::HasSubstr("Calculation: "));
    EXPECT_THAT(low, testing::HasSubstr("taller view"));
}

}  // namespace
}  // namespace warplens::app
