// The view Launches: what it says of a kernel that launches kernels, and what a click selects.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/report/launch_tree.h"
#include "app/scene/default_selection.h"
#include "app/scene/time_scene.h"
#include "app/session/advice_task.h"
#include "tests/app/catalogue_stage.h"

namespace warplens::app {

std::unique_ptr<View> make_explain_view();
std::unique_ptr<View> make_launches_view();
std::unique_ptr<View> make_whatif_view();

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(launches_view, shows_who_launches_and_how_much_each_grid_does) {
    const auto scene = timed_kernel("child_launch");
    const auto groups = analysis::launch_groups(*scene->report->launches);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_TRUE(scene->report->problems.empty()) << "arguments of launched grids are not a race";
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{800, 600}, ImVec2{1920, 1080}}) {
        ViewStage stage(make_launches_view(), scene, size);
        stage.interactive = false;
        const std::string words = drawn_words(stage);
        EXPECT_THAT(words, HasSubstr("threads launch grids"));
        EXPECT_THAT(words, HasSubstr("child_launch"));
        EXPECT_THAT(words, HasSubstr(analysis::grids_in_words(groups[1])));
        EXPECT_THAT(words, HasSubstr("of 32 lanes active"));
        EXPECT_THAT(words, HasSubstr("the order of grids is the engine's"));
        EXPECT_THAT(words, HasSubstr("blocks of the host's grid"));
        EXPECT_THAT(words, Not(HasSubstr("more level"))) << "all rows have room";
        expect_legible(stage, size);
    }
}

/// Every picture with a modelled time says that the grids below are not in it.
TEST(launches_view, times_of_other_views_say_that_they_leave_the_launched_grids_out) {
    Scene scene = *timed_kernel("child_launch");
    scene.what_if = answer_questions(scene, {});
    const auto shared = std::make_shared<const Scene>(scene);
    ViewStage what_if(make_whatif_view(), shared, {1280, 720});
    what_if.interactive = false;
    EXPECT_THAT(drawn_words(what_if), HasSubstr("Modelled times leave out the grids"));
    EXPECT_EQ(analysis::untimed_grids(*timed_kernel("saxpy")->report), "");
}

/// The launch, what changed and what was tried: each has times.
TEST(launches_view, explain_says_once_that_its_times_leave_the_launched_grids_out) {
    const auto before = timed_kernel("child_launch", {{"limit", "512"}});
    auto after = std::make_shared<Scene>(*timed_kernel("child_launch", {{"limit", "256"}}));
    after->generation = before->generation + 1;
    Advice tried;
    tried.tried = 3;
    tried.untimed = analysis::untimed_grids(*after->report);
    const AdviceState advice{after->generation, false, std::make_shared<const Advice>(tried)};
    for (const std::string view : {"whatif", "source"}) {
        ViewStage stage(make_explain_view(), after, {600, 900});
        stage.baseline = before;
        stage.advice = &advice;
        stage.open_view = view;
        stage.selection.chosen = default_selection(*after, "source");
        const std::string words = drawn_words(stage);
        EXPECT_THAT(words, HasSubstr("What changed"));
        EXPECT_THAT(words, HasSubstr("No change that was tried helps"));
        const std::string clause = "leave out the grids";
        const std::size_t at = words.find(clause);
        ASSERT_NE(at, std::string::npos) << words;
        EXPECT_EQ(words.find(clause, at + 1), std::string::npos) << words;
    }
}

TEST(launches_view, nodes_are_larger_where_there_is_room) {
    const auto scene = timed_kernel("child_launch");
    auto other = std::make_shared<Scene>(*timed_kernel("child_launch", {{"limit", "256"}}));
    other->generation = scene->generation + 1;
    const auto height_of = [&](ImVec2 size, bool paired) {
        ViewStage stage(make_launches_view(), other, size, ThemeName::light);
        stage.interactive = false;
        if (paired) stage.baseline = scene;
        drawn_words(stage);
        expect_legible(stage, size);
        const HitBox* node = stage.headless.find("launches node 1");
        EXPECT_TRUE(node);
        return node ? node->max.y - node->min.y : 0;
    };
    for (const bool paired : {false, true})
        EXPECT_GT(height_of({1920, 1080}, paired), 1.3f * height_of({800, 480}, paired)) << paired;
    EXPECT_GT(height_of({1920, 1080}, false), 200) << "two nodes fill most of a large picture";
}

TEST(launches_view, two_runs_are_at_one_scale_and_changed_grids_are_marked) {
    const auto before = timed_kernel("child_launch", {{"limit", "512"}});
    auto after = std::make_shared<Scene>(*timed_kernel("child_launch", {{"limit", "256"}}));
    after->generation = before->generation + 1;
    const auto grids = [](const Scene& scene) { return scene.report->launches->grids.size() - 1; };
    ASSERT_LT(grids(*before), grids(*after));
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{800, 600}, ImVec2{1920, 1080}}) {
        ViewStage stage(make_launches_view(), after, size, ThemeName::light);
        stage.interactive = false;
        stage.baseline = before;
        const std::string words = drawn_words(stage);
        EXPECT_THAT(words, HasSubstr(fmt::format("first run launches {} grids", grids(*before))));
        EXPECT_THAT(words, HasSubstr(fmt::format("{} → {}", grids(*before), grids(*after))));
        EXPECT_THAT(words, HasSubstr("other grids than in first run"));
        const HitBox *was = stage.headless.find("launches node before 1"),
                     *now = stage.headless.find("launches node 1");
        ASSERT_TRUE(was && now);
        EXPECT_FLOAT_EQ(was->max.x - was->min.x, now->max.x - now->min.x);
        EXPECT_FLOAT_EQ(was->max.y - was->min.y, now->max.y - now->min.y);
        expect_legible(stage, size);
    }
    ViewStage same(make_launches_view(), after, {1280, 720});
    auto again = std::make_shared<Scene>(*after);
    ++again->generation;
    same.baseline = again;
    EXPECT_THAT(drawn_words(same), Not(HasSubstr("other grids than")));
    ViewStage none(make_launches_view(), after, {1280, 720});
    none.baseline = timed_kernel("saxpy");
    EXPECT_THAT(drawn_words(none), HasSubstr("first run has no launches from the device."));
}

TEST(launches_view, a_click_selects_the_line_and_the_thread_that_launches) {
    const auto scene = timed_kernel("child_launch");
    const analysis::LaunchTree& tree = *scene->report->launches;
    ViewStage stage(make_launches_view(), scene, {1280, 720});
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("launches node 1"));
    const Spot& chosen = stage.selection.chosen;
    EXPECT_EQ(chosen.source_line, tree.grids[1].line);
    EXPECT_EQ(chosen.site, tree.grids[1].site);
    ASSERT_LT(chosen.warp_record, scene->trace->warps.size());
    EXPECT_EQ(scene->trace->warps[chosen.warp_record].block, tree.grids[1].by_block.x);
    EXPECT_EQ(static_cast<std::uint32_t>(chosen.lane), tree.grids[1].by_thread.x % 32);
}

/// Each grid launches the next.
std::shared_ptr<Scene> scene_with_levels(std::uint32_t levels) {
    auto scene = std::make_shared<Scene>(*timed_kernel("child_launch"));
    auto deep = std::make_shared<analysis::LaunchTree>();
    deep->grids.push_back(scene->report->launches->grids.front());
    for (std::uint32_t i = 1; i < levels; ++i) {
        analysis::LaunchedGrid grid = scene->report->launches->grids[1];
        grid.parent = i - 1;
        grid.depth = i;
        deep->grids.push_back(grid);
    }
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->launches = deep;
    scene->report = report;
    return scene;
}

TEST(launches_view, draws_lower_nodes_where_the_tree_is_high) {
    ViewStage stage(make_launches_view(), scene_with_levels(8), {1280, 720});
    stage.interactive = false;
    EXPECT_THAT(drawn_words(stage), AllOf(HasSubstr("of all steps"), Not(HasSubstr("more level"))));
    expect_legible(stage, {1280, 720});
}

TEST(launches_view, sums_up_the_rows_that_a_picture_has_no_room_for) {
    ViewStage stage(make_launches_view(), scene_with_levels(40), {1280, 720});
    stage.interactive = false;
    EXPECT_THAT(drawn_words(stage), HasSubstr("more levels"));
    expect_legible(stage, {1280, 720});
}

TEST(launches_view, says_that_a_kernel_launches_nothing) {
    ViewStage stage(make_launches_view(), timed_kernel("saxpy"), {1280, 720});
    const std::string words = drawn_words(stage);
    EXPECT_THAT(words, HasSubstr("launches no grids"));
    EXPECT_THAT(words, Not(HasSubstr("threads launch grids")));
}

}  // namespace
}  // namespace warplens::app
