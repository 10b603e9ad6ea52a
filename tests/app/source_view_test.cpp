#include <gtest/gtest.h>

#include "analysis/source_map.h"
#include "app/widgets/number.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_source_view();

namespace {

constexpr std::uint32_t row_store = 6, column_load = 8;  // lines of the synthetic kernel

/// The sites of both lines wait equally long; only the column load's wait is exposed.
std::shared_ptr<Scene> scene_with_costs() {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    SceneTiming timing;
    timing.schedule = timing.baseline = std::make_shared<const trace::Schedule>();
    timing.cost.sites.resize(scene->trace->program.sites.size());
    timing.cost.issue_slots = 12'000;
    for (const auto& line : analysis::source_lines(*scene->report, scene->trace->program)) {
        if (line.line != row_store && line.line != column_load) continue;
        timing.cost.sites[line.sites.front()].waited = 41'200;
        if (line.line == column_load) timing.cost.sites[line.sites.front()].exposed = 3'100;
    }
    timing.cost.empty_slots = 3'100;
    scene->timing = std::make_shared<const SceneTiming>(timing);
    scene->timing_generation = 1;
    return scene;
}

std::string box(std::uint32_t line, const char* column) {
    return "cuda line " + std::to_string(line) + " " + column;
}

TEST(source_view, shows_what_warps_waited_for_a_line_and_what_nobody_covered) {
    ViewStage stage(make_source_view(), scene_with_costs());
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("waited"));
    EXPECT_TRUE(stage.headless.shows("exposed"));
    EXPECT_TRUE(stage.headless.shows("41k"));
    EXPECT_TRUE(stage.headless.shows("3.1k"));
    EXPECT_TRUE(stage.headless.shows("modelled"));
}

TEST(source_view, a_wait_that_others_cover_is_told_apart_from_one_that_costs) {
    ViewStage stage(make_source_view(), scene_with_costs());
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.hover(box(column_load, "exposed")));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("waited 41,200 cycles for this line; in 3,100 issue slots"));
    EXPECT_TRUE(stage.headless.shows("3,100 of 12,000 issue slots = 25.8 %"));
    ASSERT_TRUE(stage.headless.hover(box(row_store, "exposed")));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("others covered all of it"));
}

TEST(source_view, without_a_schedule_there_is_no_column_of_time) {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_source_view(), scene);
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.find(box(column_load, "exposed")));
    // The model answers later, and the columns come without a new run.
    auto timed = std::make_shared<Scene>(*scene_with_costs());
    timed->generation = scene->generation;
    stage.scene = timed;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.find(box(column_load, "exposed")));
}

TEST(source_view, a_narrow_pane_keeps_what_is_exposed_and_leaves_out_what_was_waited) {
    ViewStage stage(make_source_view(), scene_with_costs(), {480, 760});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.find(box(column_load, "exposed")));
    EXPECT_FALSE(stage.headless.find(box(column_load, "waited")));
}

}  // namespace
}  // namespace warplens::app
