// Lanes, Source, Problems and Explain of two runs.
#include <gtest/gtest.h>

#include "app/scene/explain_change.h"
#include "app/views/problems/changes.h"
#include "app/views/source/difference.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_lanes_view();
std::unique_ptr<View> make_problems_view();

namespace {

Problem problem_at(ProblemKind kind, std::uint32_t line) {
    Problem problem;
    problem.kind = kind;
    problem.line = line;
    problem.message = "example";
    return problem;
}

std::shared_ptr<Scene> scene_with(std::vector<Problem> problems, std::uint64_t generation) {
    auto scene = stage_scene(trace::ExampleShape::tiny(), generation);
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->problems = std::move(problems);
    scene->report = std::move(report);
    return scene;
}

TEST(two_runs, lanes_of_the_shorter_run_end_early_on_one_axis) {
    ViewStage stage(make_lanes_view(), stage_scene({1, 64, 2}, 2), {1500, 900});
    stage.baseline = stage_scene({1, 64, 6}, 1);
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("first run: "));
    EXPECT_TRUE(stage.headless.shows("second run: "));
    EXPECT_TRUE(stage.headless.shows("ends after"));
    EXPECT_TRUE(stage.headless.shows("steps (−"));
    stage.baseline = nullptr;
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("ends after"));
}

TEST(two_runs, problems_are_solved_new_or_remain) {
    const auto before =
        scene_with({problem_at(ProblemKind::trap, 3), problem_at(ProblemKind::out_of_bounds, 5)}, 1);
    const auto after =
        scene_with({problem_at(ProblemKind::out_of_bounds, 5), problem_at(ProblemKind::trap, 9)}, 2);
    const ProblemChanges changes = problem_changes(*before, *after);
    ASSERT_EQ(changes.solved.size(), 1u);
    EXPECT_EQ(changes.solved[0]->line, 3u);
    EXPECT_EQ(changes.is_new, (std::vector<bool>{false, true}));
    EXPECT_EQ(change_words(changes), "1 solved, 1 new, 1 remains");
    ViewStage stage(make_problems_view(), after, {1200, 800});
    stage.baseline = before;
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("1 solved, 1 new, 1 remains"));
    EXPECT_TRUE(stage.headless.shows("new · "));
    EXPECT_TRUE(stage.headless.shows("solved · "));
    stage.scene = scene_with({}, 3);
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("2 problems of the baseline solved"));
}

CodeLine line_of(std::uint32_t number, const char* text, double sectors) {
    CodeLine line;
    line.number = number;
    line.text = text;
    if (sectors > 0) line.heat[0] = {sectors / 32, "x", 0, sectors};
    return line;
}

TEST(two_runs, a_line_has_the_difference_of_its_cost_and_removed_lines_stay_in_sight) {
    const std::vector<CodeLine> before{line_of(1, "a", 0), line_of(2, "b", 32), line_of(3, "c", 8),
                                       line_of(4, "old", 4)};
    const std::vector<CodeLine> after{line_of(1, "a", 0), line_of(2, "b", 4), line_of(3, "c", 8),
                                      line_of(4, "new", 5), line_of(5, "more", 0)};
    const std::vector<CodeLine> lines = difference(before, after);
    ASSERT_EQ(lines.size(), 6u);
    EXPECT_EQ(lines[0].heat[0].text, "");
    EXPECT_EQ(lines[1].heat[0].text, "−28");
    EXPECT_LT(lines[1].heat[0].cost, 0);
    EXPECT_EQ(lines[2].heat[0].text, "0");
    EXPECT_EQ(lines[3].text, "old");
    EXPECT_EQ(lines[3].number, 0u);
    EXPECT_EQ(lines[3].change, CodeLine::Change::removed);
    EXPECT_EQ(lines[4].heat[0].text, "+1") << "compared with the line that it replaces";
    EXPECT_EQ(lines[4].change, CodeLine::Change::added);
    EXPECT_EQ(lines[5].change, CodeLine::Change::added);
}

TEST(two_runs, the_explanation_has_both_numbers) {
    const auto before = scheduled_scene(trace::ExampleShape::tiny(), 1);
    auto after = scheduled_scene(trace::ExampleShape::tiny(), 2);
    Spot spot;
    spot.access = 0;
    spot.site = after->trace->accesses[0].site;
    spot.warp_record = 0;
    const std::string same = explain_change(*before, *after, spot, Level::ptx);
    EXPECT_NE(same.find("in both runs"), std::string::npos) << same;
    auto report = std::make_shared<analysis::LaunchReport>(*after->report);
    for (analysis::SiteReport& site : report->sites)
        if (site.site == spot.site) {
            site.access.sectors *= 2;
            site.access.wavefronts *= 2;
        }
    after->report = report;
    const std::string changed = explain_change(*before, *after, spot, Level::ptx);
    EXPECT_NE(changed.find(" → "), std::string::npos) << changed;
    EXPECT_NE(changed.find("per request"), std::string::npos) << changed;
    EXPECT_NE(changed.find("The launch: "), std::string::npos) << changed;
}

}  // namespace
}  // namespace warplens::app
