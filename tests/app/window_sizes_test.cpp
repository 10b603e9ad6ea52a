// The window draws at every size: a tiling window manager gives it a few pixels, a wall of screens thousands.
#include <gtest/gtest.h>

#include "app/views/view.h"
#include "app/window/pictures.h"
#include "tests/app/example_scene.h"
#include "tests/app/view_stage.h"

namespace warplens::app {
namespace {

constexpr int sides[] = {1, 2, 7, 31, 100, 200, 320, 640, 1900, 8192};

TEST(window_sizes, the_whole_window_draws_at_every_size) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    const Catalogue catalogue = example_catalogue();
    for (const int width : sides)
        for (const int height : sides) {
            const auto svg = capture_window_svg(*scene, catalogue, "", {width, height}, ThemeName::dark, {});
            EXPECT_TRUE(svg) << width << " x " << height << ": " << (svg ? "" : svg.error().message);
        }
}

TEST(window_sizes, every_view_draws_at_every_size) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    for (const ViewEntry& view : view_entries())
        for (const int side : {1, 31, 200, 8192})
            for (const int other : {1, 200}) {
                const auto svg = capture_view_svg(*scene, view.name, {side, other}, ThemeName::light, {});
                EXPECT_TRUE(svg) << view.name << " " << side << " x " << other;
            }
}

}  // namespace
}  // namespace warplens::app
