// The view Problems: what a picture shows where the cards leave little room.
#include <gtest/gtest.h>

#include <algorithm>

#include "catalogue_stage.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_problems_view();

namespace {

TEST(problems_view, the_excerpt_of_a_race_shows_both_lines_in_little_room) {
    const auto scene = std::make_shared<Scene>(*timed_kernel("missing_barrier"));
    for (const float height : {630.0f, 900.0f}) {
        ViewStage stage(make_problems_view(), scene, {1232, height});
        stage.interactive = false;
        stage.headless.frame(2);
        ASSERT_TRUE(stage.headless.shows("In kernels/missing_barrier.cu")) << height;
        for (const char* const line : {"35", "39"}) {
            const bool shown = std::ranges::any_of(stage.headless.words(),
                                                   [&](const std::string& words) { return words == line; });
            EXPECT_TRUE(shown) << "line " << line << " at " << height;
        }
    }
}

}  // namespace
}  // namespace warplens::app
