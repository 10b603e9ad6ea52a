// Lanes, Source, Problems and Explain of two runs.
#include <gtest/gtest.h>

#include "app/scene/default_selection.h"
#include "app/scene/explain_change.h"
#include "app/scene/index_scene.h"
#include "app/scene/launch_change.h"
#include "app/scene/rewritten_lines.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/problems/changes.h"
#include "app/views/shared/two_runs.h"
#include "app/views/source/difference.h"
#include "app/views/source/listing.h"
#include "catalogue_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_banks_view();
std::unique_ptr<View> make_lanes_view();
std::unique_ptr<View> make_map_view();
std::unique_ptr<View> make_timeline_view();
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

/// A run of one shape, with a baseline that is as long or longer.
class TimelineOfTwo : public ViewStage {
  public:
    explicit TimelineOfTwo(ImVec2 size, const trace::ExampleShape& before, const trace::ExampleShape& after)
        : ViewStage(make_timeline_view(), scheduled_scene(after, 2, {.slots_per_scheduler = 2}), size) {
        baseline = scheduled_scene(before, 1, {.slots_per_scheduler = 2});
        headless.frame(3);
    }
    static std::uint64_t cycles(const Scene& of) { return of.timing->schedule->totals.cycles; }
    std::uint64_t before() const { return cycles(*baseline); }
    std::uint64_t after() const { return cycles(*scene); }
    /// The cycle of the first slot's row that a click at a share of the plot's width selects.
    std::uint32_t clicked(double share) {
        const HitBox plot = *headless.find("timeline plot");
        selection.chosen = {};
        headless.click_at(
            {plot.min.x + static_cast<float>(share) * (plot.max.x - plot.min.x), plot.min.y + 22});
        return selection.chosen.cycle;
    }
};

TEST(two_runs, the_timeline_has_one_axis_to_the_end_of_the_longer_run) {
    TimelineOfTwo stage({1500, 700}, {8, 64, 6}, {4, 64, 2});
    const std::uint64_t before = stage.before(), after = stage.after();
    ASSERT_GT(before, after);
    EXPECT_TRUE(stage.headless.shows("first run: " + counted(before, "cycle") +
                                     ", second run: " + counted(after, "cycle") + " of the modelled SM"));
    EXPECT_TRUE(stage.headless.shows(counted(before - after, "cycle") + " saved"));
    const double own = double(after) / double(before);  // share of the axis
    EXPECT_NEAR(stage.clicked(own / 4), double(after) / 4, double(after) / 20);
    EXPECT_EQ(stage.clicked((1 + own) / 2), no_index) << "the current run has ended";
    stage.baseline = nullptr;
    stage.headless.frame(2);
    EXPECT_NEAR(stage.clicked(0.25), double(after) / 4, double(after) / 20) << "its own axis again";
}

TEST(two_runs, a_low_timeline_says_at_the_finish_lines_what_the_bars_have_no_room_for) {
    TimelineOfTwo faster({860, 170}, {8, 64, 6}, {4, 64, 2});
    EXPECT_FALSE(faster.headless.shows("of the modelled SM"));
    EXPECT_TRUE(faster.headless.shows(counted(faster.before() - faster.after(), "cycle") + " saved"));
    TimelineOfTwo slower({860, 170}, {4, 64, 2}, {8, 64, 6});
    EXPECT_TRUE(slower.headless.shows("first run ends, " +
                                      counted(slower.after() - slower.before(), "cycle") + " earlier"));
}

TEST(two_runs, cycles_of_two_gpus_are_not_said_to_be_saved) {
    TimelineOfTwo stage({1500, 700}, {8, 64, 6}, {4, 64, 2});
    auto other = std::make_shared<Scene>(*stage.baseline);
    other->gpu = *find_gpu("A100");
    stage.baseline = other;
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("cycles of different clocks"));
    EXPECT_FALSE(stage.headless.shows("saved"));
}

TEST(two_runs, measured_timelines_have_one_axis_too) {
    ViewStage stage(make_timeline_view(), measured_scene({4, 64, 2}, 2), {1500, 700});
    stage.baseline = measured_scene({12, 64, 6}, 1);
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows(" saved"));
    EXPECT_TRUE(stage.headless.shows("first run: "));
    stage.baseline = scheduled_scene({12, 64, 6}, 3);
    stage.headless.frame(3);
    EXPECT_FALSE(stage.headless.shows(" saved"));
    EXPECT_TRUE(stage.headless.shows("first run was not measured"));
}

TEST(two_runs, the_mean_of_eligible_warps_is_of_the_run_and_not_of_the_longer_axis) {
    TimelineOfTwo stage({1700, 800}, {8, 64, 6}, {4, 64, 2});
    const auto mean = [&] {
        const std::string prefix = "Eligible warps per scheduler";
        for (const std::string& words : stage.headless.words())
            if (words.starts_with(prefix)) return std::stod(words.substr(words.find(": ") + 2));
        ADD_FAILURE() << "no mean";
        return 0.0;
    };
    const double compared = mean();
    stage.baseline = nullptr;
    stage.headless.frame(2);
    EXPECT_NEAR(compared, mean(), 0.03);
    EXPECT_GT(compared, 0);
}

TEST(two_runs, banks_of_both_runs_are_in_sight_in_a_low_pane) {
    const auto indexed = [](std::uint64_t generation) {
        auto scene = stage_scene({2, 64, 4}, generation);
        index_scene(*scene);
        return scene;
    };
    ViewStage stage(make_banks_view(), indexed(2), {740, 330});
    stage.baseline = indexed(1);
    stage.headless.frame(4);
    const HitBox *before = stage.headless.find("banks before"), *after = stage.headless.find("banks after");
    ASSERT_TRUE(before && after);
    EXPECT_GT(before->min.y, 0);
    EXPECT_GE(after->min.y, before->max.y);
    EXPECT_LT(after->max.y, 330);
}

TEST(two_runs, counts_are_said_to_be_fewer_or_more) {
    EXPECT_EQ(fewer_words(32, 1, "A"), "97 % fewer than A");
    EXPECT_EQ(fewer_words(4, 5, "A"), "25 % more than A");
    EXPECT_EQ(fewer_words(4, 4, "A"), "as many as A");
}

TEST(two_runs, titles_compare_with_the_other_run) {
    const auto title_of = [](const char* view, const std::shared_ptr<const Scene>& before,
                             const std::shared_ptr<const Scene>& now) {
        auto after = std::make_shared<Scene>(*now);
        after->generation = before->generation + 1;
        ViewStage stage(find_view(view)->make(), after, {1920, 1080});
        stage.interactive = false;
        stage.baseline = before;
        stage.selection.chosen = default_selection(*after, view);
        return drawn_words(stage);
    };
    const auto expect_all = [](const std::string& words, std::initializer_list<const char*> parts) {
        for (const char* part : parts)
            EXPECT_NE(words.find(part), std::string::npos) << part << "\n" << words;
    };
    const auto conflicts = timed_kernel("transpose_tiled", {{"PAD", "0"}}),
               padded = timed_kernel("transpose_tiled", {{"PAD", "1"}});
    expect_all(title_of("banks", conflicts, padded), {"32 → 1 wavefronts", "97 % fewer than first run"});
    expect_all(title_of("banks", padded, padded), {"1 wavefront", "as many as first run"});
    expect_all(title_of("source", conflicts, padded), {"changes most:", "fewer", "than first run"});
    const auto wide = timed_kernel("copy_strided", {{"stride", "2"}}),
               dense = timed_kernel("copy_strided", {{"stride", "1"}});
    expect_all(title_of("sectors", wide, dense), {"8 → 4 sectors", "50 % fewer than first run"});
    expect_all(title_of("map", wide, dense), {"as many as in first run"});
}

TEST(two_runs, banks_name_the_type_and_the_shape_of_a_half_array) {
    const auto before = timed_kernel("mma_matmul", {{"PAD", "0"}});
    auto after = std::make_shared<Scene>(*timed_kernel("mma_matmul", {{"PAD", "8"}}));
    after->generation = before->generation + 1;
    ViewStage stage(find_view("banks")->make(), after, {1920, 1080});
    stage.interactive = false;
    stage.baseline = before;
    stage.selection.chosen = default_selection(*after, "banks");
    const std::string words = drawn_words(stage);
    EXPECT_TRUE(stage.headless.shows("56")) << "columns count elements";
    EXPECT_NE(words.find("[64]"), std::string::npos) << words;
    EXPECT_NE(words.find("[72]"), std::string::npos) << "elements of a row, not words";
    EXPECT_NE(words.find("unsigned short elements, 2 in each cell"), std::string::npos);
}

TEST(two_runs, a_heading_without_figures_leaves_all_its_room_to_the_name) {
    const std::string name = "matmul_register_tiled";
    Headless ui(
        [&](const Theme& theme) {
            const Ink ink{ImGui::GetForegroundDrawList(), theme};
            Box box{10, 10, 14 + text_width(theme.fonts.title, name), 60};
            run_heading(ink, box, name, {}, theme.text_dim);
        },
        {400, 100});
    ui.frame(2);
    EXPECT_TRUE(ui.shows(name));
}

TEST(two_runs, the_map_names_the_thread_in_a_line_for_each_run) {
    ViewStage stage(make_map_view(), stage_scene(trace::ExampleShape::tiny(), 2), {1500, 800});
    stage.baseline = stage_scene(trace::ExampleShape::tiny(), 1);
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("first run: block 0"));
    EXPECT_TRUE(stage.headless.shows("second run: block 0"));
    for (const std::string& words : stage.headless.words()) EXPECT_FALSE(words.ends_with(" ·")) << words;
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
                                       line_of(4, "sum += in[i * 2];", 4)};
    const std::vector<CodeLine> after{line_of(1, "a", 0), line_of(2, "b", 4), line_of(3, "c", 8),
                                      line_of(4, "sum += in[i * 3];", 5), line_of(5, "more", 0)};
    const std::vector<CodeLine> lines = difference(before, after);
    ASSERT_EQ(lines.size(), 6u);
    EXPECT_EQ(lines[0].heat[0].text, "");
    EXPECT_EQ(lines[1].heat[0].text, "−28");
    EXPECT_LT(lines[1].heat[0].cost, 0);
    EXPECT_EQ(lines[2].heat[0].text, "0");
    EXPECT_EQ(lines[3].text, "sum += in[i * 2];");
    EXPECT_EQ(lines[3].number, 0u);
    EXPECT_EQ(lines[3].change, CodeLine::Change::removed);
    EXPECT_EQ(lines[3].heat[0].text, "") << "the rewritten line has the difference";
    EXPECT_EQ(lines[4].heat[0].text, "+1") << "compared with the line that it rewrites";
    EXPECT_EQ(lines[4].change, CodeLine::Change::added);
    EXPECT_EQ(lines[5].change, CodeLine::Change::added);
}

TEST(two_runs, a_line_of_one_text_alone_keeps_its_own_cost_and_is_not_compared_with_its_neighbour) {
    CodeLine slow = line_of(2, "sum += A[row * N + k] * B[k * N + column];", 2);
    slow.heat[exposed_column] = {1, "129k", 0, 129'000};
    CodeLine quick = line_of(2, "const int A_column = tile * TILE + threadIdx.x;", 0);
    quick.heat[exposed_column] = {0.1, "45", 0, 45};
    const std::vector<CodeLine> lines =
        difference({line_of(1, "{", 0), slow}, {line_of(1, "{", 0), quick, line_of(3, "x = 1;", 4)});
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[1].change, CodeLine::Change::removed);
    EXPECT_EQ(lines[1].heat[exposed_column].text, "−129k");
    EXPECT_LT(lines[1].heat[exposed_column].cost, 0);
    EXPECT_EQ(lines[1].heat[0].text, "x") << "a mean is the removed line's own";
    EXPECT_EQ(lines[2].heat[exposed_column].text, "+45");
    EXPECT_GT(lines[2].heat[exposed_column].cost, 0);
    EXPECT_EQ(lines[3].heat[0].text, "x") << "no sign: there is nothing to subtract";
}

TEST(two_runs, a_line_that_is_among_the_most_expensive_in_both_runs_has_the_colour_of_its_difference) {
    // Both leave more than half of the issue slots empty, where the cost of a line ends.
    CodeLine was = line_of(2, "sum += x[k];", 0), is = was;
    was.heat[exposed_column] = {1, "8.5k", 0, 8'500};
    is.heat[exposed_column] = {1, "23k", 0, 22'700};
    const std::vector<CodeLine> grown = difference({was}, {is}), shrunk = difference({is}, {was});
    EXPECT_NEAR(grown.at(0).heat[exposed_column].cost, 14.2 / 22.7, 1e-9);
    EXPECT_NEAR(shrunk.at(0).heat[exposed_column].cost, -14.2 / 22.7, 1e-9);
    is.heat[exposed_column].value = 8'764.2;
    EXPECT_EQ(difference({was}, {is}).at(0).heat[exposed_column].text, "+264") << "a column is narrow";
}

TEST(two_runs, rewritten_lines_are_paired_by_their_words_in_order) {
    using Pairs = std::vector<RewrittenLine>;
    EXPECT_EQ(rewritten_lines({"for (int k = 0; k < N; ++k) {", "  sum += A[row] * B[k];"},
                              {"// staged", "for (int k = 0; k < M; ++k) {", "x;", "sum += A[row] * B[k];"}),
              (Pairs{{0, 1}, {1, 3}}));
    EXPECT_EQ(rewritten_lines({"alpha beta"}, {"gamma delta"}), Pairs{});
    EXPECT_EQ(rewritten_lines({"}"}, {"{"}), Pairs{}) << "without words nothing is alike";
    EXPECT_EQ(rewritten_lines({"a b", "c d"}, {"c d", "a b"}).size(), 1u) << "pairs do not cross";
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
    EXPECT_EQ(changed.find("cycles ("), std::string::npos) << "the verdict is said beside it: " << changed;
}

TEST(two_runs, the_launch_is_explained_by_the_state_in_which_its_warps_saved_most) {
    const auto before = scheduled_scene(trace::ExampleShape::tiny(), 1);
    auto after = scheduled_scene(trace::ExampleShape::tiny(), 2);
    auto timing = std::make_shared<SceneTiming>(*after->timing);
    auto faster = std::make_shared<trace::Schedule>(*timing->schedule);
    auto slower = std::make_shared<trace::Schedule>(*timing->schedule);
    faster->launch.cycles = 0.5 * slower->launch.cycles;
    for (auto* schedule : {&*faster, &*slower})
        schedule->launch.blocks_on_sm = schedule->launch.blocks_modelled = 1;
    slower->totals.states[WarpState::long_scoreboard] += 3'000'000;
    slower->totals.states[WarpState::barrier] += 1'000;
    const auto with = [](const Scene& scene, const std::shared_ptr<trace::Schedule>& schedule) {
        Scene copy = scene;
        auto times = std::make_shared<SceneTiming>(*scene.timing);
        times->schedule = schedule;
        copy.timing = times;
        return copy;
    };
    const Scene slow = with(*before, slower), fast = with(*after, faster);
    const std::string saved = launch_change(slow, fast, Level::ptx);
    EXPECT_NE(
        saved.find("The warps of an SM saved most while waiting for data from L1, L2 or DRAM: 3.0 M → "),
        std::string::npos)
        << saved;
    const std::string lost = launch_change(fast, slow, Level::ptx);
    EXPECT_NE(lost.find("lost most while waiting for data"), std::string::npos) << lost;
    EXPECT_EQ(launch_change(slow, slow, Level::ptx), "");
}

}  // namespace
}  // namespace warplens::app
