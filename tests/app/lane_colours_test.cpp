#include <gtest/gtest.h>

#include "app/views/lanes/drawing.h"
#include "tests/app/catalogue_stage.h"
#include "tests/support/headless.h"

namespace warplens::app {
std::unique_ptr<View> make_lanes_view();

namespace {

TEST(lane_colours, no_other_path_has_the_colour_of_all_lanes) {
    Headless ui([](const Theme& theme) {
        for (std::uint32_t path = 1; path < 40; ++path)
            EXPECT_NE(colour_of_path(theme, path), colour_of_path(theme, 0)) << path;
        for (std::uint32_t path = 1; path <= path_colours; ++path)
            EXPECT_NE(colour_of_path(theme, path), colour_of_path(theme, path + 1)) << path;
    });
    ui.frame();
}

TEST(lane_colours, of_a_baseline_are_explained_too) {
    ViewStage stage(make_lanes_view(), timed_kernel("branch_parity"), {1280, 720});
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("other colors: lanes that run together"));
    stage.baseline = timed_kernel("branch_nested");
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("other colors: lanes that run together"));
}

}  // namespace
}  // namespace warplens::app
