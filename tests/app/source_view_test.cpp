#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "analysis/report/source_map.h"
#include "app/ui/number.h"
#include "app/views/source/columns.h"
#include "app/views/source/layout.h"
#include "app/views/source/listing.h"
#include "app/views/source/title.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_explain_view();
std::unique_ptr<View> make_problems_view();
std::unique_ptr<View> make_source_view();

namespace {

constexpr std::uint32_t source_row_store = 6, source_column_load = 8;  // lines of the synthetic kernel

TEST(code_pane, of_the_chosen_lines_the_dearest_is_in_sight) {
    CodeListing listing;
    for (std::uint32_t number = 1; number <= 200; ++number) {
        listing.lines.push_back({});
        listing.lines.back().number = number;
        listing.lines.back().text = fmt::format("instruction {};", number);
    }
    listing.lines[119].heat[exposed_column] = {0.9, "42k"};
    listing.lines[120].heat[exposed_column] = {0.1, "19"};
    CodePaneState state;
    Headless ui(
        [&](const Theme& theme) {
            ImGui::Begin("code");
            code_pane(theme, "ptx", {600, 400}, listing, heat_titles, {10, 120, 121}, {}, false, state);
            ImGui::End();
        },
        {640, 480});
    ui.frame(3);
    EXPECT_TRUE(ui.shows("instruction 120;"));
    EXPECT_FALSE(ui.shows("instruction 10;"));
}

/// The sites of both lines wait equally long; only the column load's wait is exposed.
std::shared_ptr<Scene> scene_with_costs() {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    SceneTiming timing;
    timing.schedule = timing.baseline = std::make_shared<const trace::Schedule>();
    timing.cost.sites.resize(scene->trace->program.sites.size());
    timing.cost.issue_slots = 12'000;
    for (const auto& line : analysis::source_lines(*scene->report, scene->trace->program)) {
        if (line.line != source_row_store && line.line != source_column_load) continue;
        timing.cost.sites[line.sites.front()].waited = 41'200;
        if (line.line == source_column_load) timing.cost.sites[line.sites.front()].exposed = 3'100;
    }
    timing.cost.empty_slots = 3'100;
    scene->timing = std::make_shared<const SceneTiming>(timing);
    scene->timing_generation = 1;
    return scene;
}

TEST(code_lines, tabs_end_at_the_next_multiple_of_their_columns) {
    EXPECT_EQ(code_lines("\ta;\tb\r\nab\tc\n").front().text, "    a;  b");
    EXPECT_EQ(code_lines("\ta;\tb\nab\tc\n").back().text, "ab  c");
    EXPECT_EQ(code_lines("\tadd.s64 \t%rd1, %rd2;", ptx_tab_columns).front().text, "  add.s64   %rd1, %rd2;");
}

TEST(source_layout, columns_that_say_least_are_left_out_before_code_is_cut) {
    const Headless headless([](const Theme&) {}, {100, 100});
    const Theme& theme = headless.theme();
    CodeListing listing;
    listing.lines = code_lines("mad.lo.s32 %r23, %r32, %r17, %r31;\nadd.s32 %r33, %r23, %r3;\n");
    for (CodeLine& line : listing.lines)
        line.heat[lanes_column].text = line.heat[waited_column].text = line.heat[exposed_column].text = "32";
    const float all = code_pane_width(theme, listing, all_columns(CodeLevel::ptx));
    EXPECT_NE(columns_in(theme, listing, CodeLevel::ptx, all)[waited_column], nullptr);
    const HeatTitles narrow = columns_in(theme, listing, CodeLevel::ptx, all - 1);
    EXPECT_EQ(narrow[waited_column], nullptr);
    EXPECT_NE(narrow[lanes_column], nullptr) << "one column is enough";
    const HeatTitles fewest = fewest_columns(theme, listing, CodeLevel::ptx);
    EXPECT_EQ(fewest[lanes_column], nullptr);
    EXPECT_NE(fewest[exposed_column], nullptr);
    listing.lines.front().heat[lanes_column].text = "16";
    EXPECT_NE(fewest_columns(theme, listing, CodeLevel::ptx)[lanes_column], nullptr) << "lanes differ";
    listing.lines.front().heat[sectors_column].text = "4";
    EXPECT_EQ(fewest_columns(theme, listing, CodeLevel::ptx)[sectors_column], nullptr)
        << "as few as possible";
    listing.lines.front().heat[sectors_column].cost = 0.5;
    EXPECT_NE(fewest_columns(theme, listing, CodeLevel::ptx)[sectors_column], nullptr);
}

TEST(source_layout, panes_that_want_less_than_their_share_leave_the_rest_to_the_others) {
    const Headless headless([](const Theme&) {}, {100, 100});
    const Theme& theme = headless.theme();
    const auto widths = [&](float room, const std::vector<float>& wanted) {
        std::vector<float> found;
        for (const ImVec2 size : pane_sizes(theme, {room, 500}, wanted)) found.push_back(size.x);
        return found;
    };
    const float gap = pane_gap(theme);
    const auto narrow = widths(1200 + gap, {900, 500});
    EXPECT_FLOAT_EQ(narrow[1], 500) << "the second one is not cut";
    EXPECT_FLOAT_EQ(narrow[0], 700);
    const auto both = widths(1200 + gap, {900, 800});
    EXPECT_FLOAT_EQ(both[0], 600);
    EXPECT_FLOAT_EQ(both[1], 600);
    const auto wide = widths(1900 + gap, {900, 500});
    EXPECT_FLOAT_EQ(wide[0], 900);
    EXPECT_FLOAT_EQ(wide[1], 1000) << "what none wants is the last one's";
    const auto three = widths(1500 + 2 * gap, {900, 300, 800});
    EXPECT_FLOAT_EQ(three[1], 300);
    EXPECT_FLOAT_EQ(three[0], 600);
    EXPECT_FLOAT_EQ(three[2], 600);
}

std::string box(std::uint32_t line, const char* column) {
    return "cuda line " + std::to_string(line) + " " + column;
}

TEST(source_view, shows_what_warps_waited_for_a_line_and_what_nobody_covered) {
    ViewStage stage(make_source_view(), scene_with_costs(), {1800, 900});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("waited"));
    EXPECT_TRUE(stage.headless.shows("exposed"));
    EXPECT_TRUE(stage.headless.shows("41k"));
    EXPECT_TRUE(stage.headless.shows("3.1k"));
    EXPECT_TRUE(stage.headless.shows("modelled"));
}

TEST(source_view, a_wait_that_others_cover_is_distinguished_from_one_that_costs) {
    ViewStage stage(make_source_view(), scene_with_costs());
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.hover(box(source_column_load, "exposed")));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("stalled 41,200 cycles on this line; for 3,100 issue slots"));
    EXPECT_TRUE(stage.headless.shows("3,100 of 12,000 issue slots = 25.8 %"));
    ASSERT_TRUE(stage.headless.hover(box(source_row_store, "exposed")));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("other warps hid all of it"));
}

TEST(source_view, names_a_file_by_its_path_from_the_working_folder) {
    const std::string here = std::filesystem::current_path().string();
    EXPECT_EQ(shown_path(here + "/kernels/mine.cu"), "kernels/mine.cu");
    EXPECT_EQ(shown_path("/elsewhere/of/somebody/mine.cu"), "mine.cu");
    EXPECT_EQ(shown_path("kernels/transpose_tiled.cu"), "kernels/transpose_tiled.cu");
}

TEST(source_view, without_a_schedule_there_is_no_column_of_time) {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_source_view(), scene);
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.find(box(source_column_load, "exposed")));
    // The model answers later, and the columns come without a new run.
    auto timed = std::make_shared<Scene>(*scene_with_costs());
    timed->generation = scene->generation;
    stage.scene = timed;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.find(box(source_column_load, "exposed")));
}

TEST(source_view, a_narrow_pane_keeps_what_is_exposed_and_leaves_out_what_was_waited) {
    ViewStage stage(make_source_view(), scene_with_costs(), {480, 760});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.find(box(source_column_load, "exposed")));
    EXPECT_FALSE(stage.headless.find(box(source_column_load, "waited")));
}

/// The column load races with the row store.
std::shared_ptr<Scene> scene_with_a_race() {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    Problem problem;
    problem.kind = ProblemKind::shared_race;
    problem.message = "reads tile[32], which another thread writes";
    const auto site_at = [&](std::uint32_t line) {
        return scene->trace->accesses[find_request(*scene->trace, Space::shared, line)].site;
    };
    problem.site = site_at(source_column_load);
    problem.line = source_column_load;
    problem.other = OtherParty{site_at(source_row_store), "", source_row_store, {0, 0, 0}, {1, 0, 0}};
    report->problems = {problem, problem};
    scene->report = std::move(report);
    return scene;
}

TEST(source_view, says_what_went_wrong_before_what_it_cost) {
    ViewStage stage(make_source_view(), scene_with_a_race());
    stage.interactive = false;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("shared race between lines 6 and 8, and 1 problem more"));
    EXPECT_FALSE(stage.headless.shows("no excess sectors or wavefronts"));
    EXPECT_FALSE(stage.headless.shows("costs most"));
}

TEST(explain_view, says_what_is_wrong_first_and_whether_the_selection_has_a_part_in_it) {
    const auto scene = scene_with_a_race();
    ViewStage stage(make_explain_view(), scene);
    stage.selection.chosen.access = find_request(*scene->trace, Space::shared, source_row_store);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("What is wrong"));
    EXPECT_TRUE(stage.headless.shows("Shared race between lines 6 and 8"));
    EXPECT_FALSE(stage.headless.shows("Why it happens"));
    EXPECT_FALSE(stage.headless.shows("does not involve the selection"));
    stage.selection.chosen = {};
    const auto& sites = scene->trace->program.sites;
    const auto elsewhere = std::ranges::find_if(sites, [](const Site& site) {
        return site.line != source_row_store && site.line != source_column_load;
    });
    ASSERT_NE(elsewhere, sites.end());
    stage.selection.chosen.site = static_cast<SiteId>(elsewhere - sites.begin());
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("does not involve the selection"));
}

TEST(explain_view, gives_the_cost_of_the_line_as_source_does) {
    auto scene = scene_with_costs();
    auto program = std::make_shared<trace::Trace>(*scene->trace);
    const SiteId load = program->accesses[find_request(*program, Space::shared, source_column_load)].site;
    const SiteId other = load == 0 ? 1 : 0;  // made a second instruction of the load's line
    program->program.sites[other].line = program->program.sites[load].line;
    program->program.sites[other].file = program->program.sites[load].file;
    scene->trace = program;
    auto timing = std::make_shared<SceneTiming>(*scene->timing);
    timing->cost.sites[load] = {1, 1'000, 40};
    timing->cost.sites[other] = {1, 500, 2};
    for (SiteId site = 0; site < timing->cost.sites.size(); ++site)
        if (site != load && site != other) timing->cost.sites[site] = {};
    scene->timing = timing;
    ViewStage stage(make_explain_view(), scene);
    stage.selection.chosen.access = find_request(*scene->trace, Space::shared, source_column_load);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("waited 1,500 cycles for line 8 and left 42 issue slots empty"));
}

/// The row store and the column load rely on lockstep.
std::shared_ptr<Scene> scene_with_notes() {
    auto scene = scene_with_a_race();
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->notes = report->problems;
    report->problems.clear();
    for (Problem& note : report->notes) note.kind = ProblemKind::lockstep;
    scene->report = std::move(report);
    return scene;
}

TEST(source_view, marks_the_lines_of_a_note) {
    ViewStage stage(make_source_view(), scene_with_notes());
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.find("cuda mark 6"));
    EXPECT_TRUE(stage.headless.find("cuda mark 8"));
}

TEST(explain_view, shows_notes_of_one_cause_as_one) {
    ViewStage stage(make_explain_view(), scene_with_notes());
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Note"));
    EXPECT_TRUE(stage.headless.shows("Lines 6 and 8: these rely on lanes that run in lockstep"));
}

TEST(problems_view, shows_notes_and_a_click_goes_to_the_line) {
    ViewStage stage(make_problems_view(), scene_with_notes());
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("no problems, 1 note"));
    stage.headless.click("note 0");
    EXPECT_EQ(stage.selection.chosen.source_line, source_column_load);
}

}  // namespace
}  // namespace warplens::app
