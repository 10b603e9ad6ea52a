#include <gtest/gtest.h>

#include "app/views/lanes/drawing.h"
#include "tests/support/headless.h"

namespace warplens::app {
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

}  // namespace
}  // namespace warplens::app
