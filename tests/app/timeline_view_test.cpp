#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/scene/density_pyramid.h"
#include "app/ui/number.h"
#include "app/views/timeline/density.h"
#include "app/views/timeline/find.h"
#include "app/views/timeline/navigation.h"
#include "app/views/timeline/title.h"
#include "trace/query.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_timeline_view();

namespace {

/// Four blocks of two warps, two blocks at a time, in a view that shows all rows.
class TimelineStage : public ViewStage {
  public:
    explicit TimelineStage(ImVec2 size = {1500, 700})
        : ViewStage(make_timeline_view(), scheduled_scene({4, 64, 2}, 1, {.slots_per_scheduler = 2}), size) {
        headless.frame(2);
    }

    const trace::Schedule& schedule() const { return *scene->timing->schedule; }
    HitBox plot() const { return *headless.find("timeline plot"); }
    /// Where a cycle of scheduler 0's first slot is, while all cycles are shown.
    ImVec2 place(double cycle) const {
        const HitBox box = plot();
        return {box.min.x +
                    static_cast<float>(cycle / double(schedule().totals.cycles)) * (box.max.x - box.min.x),
                box.min.y + 22};
    }
    /// A span of the first warp in a state, of some length.
    const trace::StateSpan& span_in(WarpState state, std::uint32_t least = 1) const {
        const trace::ScheduledWarp& warp = schedule().warps[0];
        for (const trace::StateSpan& span : trace::spans_of(schedule(), warp))
            if (span.state() == state && trace::end_of(schedule(), warp, span) - span.begin >= least)
                return span;
        ADD_FAILURE() << "no such span";
        return schedule().spans.front();
    }
    void type_key(const char* key) { headless.type(key); }
};

TEST(timeline, says_why_there_is_nothing_to_show) {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage waiting(make_timeline_view(), scene);
    waiting.headless.frame(2);
    EXPECT_TRUE(waiting.headless.shows("The timing model is running."));
    auto timing = std::make_shared<SceneTiming>();
    timing->absent = "The launch does not fit the GPU.";
    scene->timing = timing;
    waiting.headless.frame(2);
    EXPECT_TRUE(waiting.headless.shows("The launch does not fit the GPU."));
}

TEST(timeline, the_title_and_the_side_panel_say_how_the_time_was_spent) {
    TimelineStage stage({1700, 800});
    EXPECT_TRUE(stage.headless.shows("on one SM: " + counted(stage.schedule().totals.cycles, "cycle")));
    EXPECT_TRUE(stage.headless.shows("issue slots used"));
    EXPECT_TRUE(stage.headless.shows("modelled · one SM of 132, all 4 of its blocks"));
    EXPECT_TRUE(stage.headless.shows("What 8 warps did"));
    EXPECT_TRUE(stage.headless.shows("Issue slots used"));
    EXPECT_TRUE(stage.headless.shows("Eligible warps per scheduler"));
    EXPECT_TRUE(stage.headless.shows(stage.scene->timing->limiting.substr(0, 20)));
    TimelineStage narrow({700, 500});
    EXPECT_FALSE(narrow.headless.shows("Issue slots used")) << "the panel gives way";
    EXPECT_TRUE(narrow.headless.shows("Scheduler 0"));
}

TEST(timeline, the_title_names_the_wait_that_the_limiting_sentence_names) {
    auto scene = scheduled_scene({4, 64, 2});
    auto schedule = std::make_shared<trace::Schedule>(*scene->timing->schedule);
    trace::ScheduleTotals& totals = schedule->totals;
    totals.states = {};
    totals.warp_cycles = 1000;
    totals.issued = totals.states[WarpState::selected] = 20;
    totals.states[WarpState::long_scoreboard] = 400;  // the greatest single state
    totals.states[WarpState::short_scoreboard] = 300;
    totals.states[WarpState::mio_throttle] = 280;
    schedule->launch = {};
    auto timing = std::make_shared<SceneTiming>();
    timing->schedule = timing->baseline = schedule;
    timing->limiting = analysis::limiting_sentence(*schedule, default_gpu());
    scene->timing = timing;
    const TimelineIndex index(schedule, scene->trace, nullptr, nullptr);
    EXPECT_TRUE(
        timeline_titles(index, *scene)
            .front()
            .ends_with("in 58 % of its time a warp waits for shared memory, shuffles or special functions"));
    EXPECT_NE(timing->limiting.find("shared memory, shuffles and special functions take 58 %"),
              std::string::npos)
        << timing->limiting;
}

TEST(timeline, hovering_shows_the_state_why_and_since_when) {
    TimelineStage stage;
    const trace::StateSpan& wait = stage.span_in(WarpState::long_scoreboard, 30);
    stage.headless.move_mouse(stage.place(wait.begin + 20.5));
    stage.headless.frame(3);
    EXPECT_TRUE(
        stage.headless.shows("Warp 0 of block 0 waits for data from L1, L2 or DRAM: `ld.global.f32`"));
    EXPECT_TRUE(stage.headless.shows("of line 6, issued"));
    EXPECT_TRUE(stage.headless.shows("cycles ago, served by "));
    EXPECT_TRUE(stage.headless.shows("next: "));
    EXPECT_TRUE(stage.headless.shows("long_scoreboard · cycles "));
    EXPECT_EQ(stage.hovered().warp_record, 0u);
    EXPECT_EQ(stage.hovered().step, wait.step);
}

TEST(timeline, a_click_selects_the_warp_its_instruction_and_the_cycle) {
    TimelineStage stage;
    const trace::StateSpan& wait = stage.span_in(WarpState::barrier, 30);
    stage.headless.click_at(stage.place(wait.begin + 10.5));
    const Spot& chosen = stage.selection.chosen;
    EXPECT_EQ(chosen.warp_record, 0u);
    EXPECT_EQ(chosen.step, wait.step);
    EXPECT_EQ(chosen.site, wait.site());
    EXPECT_NEAR(chosen.cycle, wait.begin + 10, 3);
    EXPECT_EQ(chosen.source_line, stage.scene->trace->program.sites[wait.site()].line);
    EXPECT_TRUE(stage.headless.shows("issues of " + stage.scene->trace->program.sites[wait.site()].opcode));
}

TEST(timeline, the_play_head_walks_cycle_by_cycle_and_the_access_follows) {
    TimelineStage stage;
    const trace::Trace& trace = *stage.scene->trace;
    const trace::RecordedSites recorded(trace.program);
    const trace::WarpSteps steps(trace, recorded, trace.warps[0]);
    // As the banks view selects it: an access, no cycle.
    stage.selection.chosen.warp_record = 0;
    stage.selection.chosen.access = find_request(trace, Space::shared, 8);
    stage.selection.chosen.site = trace.accesses[stage.selection.chosen.access].site;
    stage.headless.frame(2);
    const auto step = *steps.step_of_access(stage.selection.chosen.access);
    std::uint32_t issued = 0;
    for (const auto& span : trace::spans_of(stage.schedule(), stage.schedule().warps[0]))
        if (span.step == step && span.state() == WarpState::selected) issued = span.begin;
    stage.type_key(".");
    EXPECT_EQ(stage.selection.chosen.cycle, issued + 1);
    EXPECT_EQ(stage.selection.chosen.step, step + 1) << "it waits to issue the next instruction";
    stage.type_key(",");
    EXPECT_EQ(stage.selection.chosen.cycle, issued);
    EXPECT_EQ(stage.selection.chosen.step, step);
    EXPECT_EQ(stage.selection.chosen.access, find_request(trace, Space::shared, 8));
    stage.type_key(">");
    EXPECT_EQ(stage.selection.chosen.cycle, issued + 1);
    ASSERT_TRUE(stage.headless.click("timeline head on"));
    EXPECT_EQ(stage.selection.chosen.cycle, issued + 2);
    EXPECT_TRUE(stage.headless.shows(std::to_string(issued + 2)));
}

TEST(timeline, a_drag_over_the_axis_moves_the_play_head) {
    TimelineStage stage;
    stage.headless.click_at(stage.place(100.5));
    const HitBox axis = *stage.headless.find("timeline axis");
    const float y = axis.centre().y;
    stage.headless.drag({stage.place(200).x, y}, {stage.place(600.5).x, y});
    EXPECT_NEAR(stage.selection.chosen.cycle, 600, 3);
    EXPECT_EQ(stage.selection.chosen.warp_record, 0u);
}

TEST(timeline, a_drag_measures_and_a_click_ends_it) {
    TimelineStage stage;
    stage.headless.drag(stage.place(200), stage.place(700));
    EXPECT_TRUE(stage.headless.shows("Range, "));
    bool names_length = false;
    for (const std::string& words : stage.headless.words())
        if (words.ends_with(" cycles") && words.find_first_not_of("0123456789") == words.find(' '))
            names_length = names_length || std::abs(std::stoi(words) - 500) < 5;
    EXPECT_TRUE(names_length) << "the length of the range";
    EXPECT_EQ(stage.selection.chosen.cycle, no_index) << "a drag selects nothing";
    stage.headless.click_at(stage.place(300));
    EXPECT_FALSE(stage.headless.shows("Range, "));
}

TEST(timeline, ctrl_and_the_wheel_zoom_until_single_cycles_show_their_instructions) {
    TimelineStage stage;
    const trace::StateSpan& issue = stage.span_in(WarpState::selected);
    const std::string opcode = stage.scene->trace->program.sites[issue.site()].opcode;
    stage.headless.move_mouse(stage.place(issue.begin + 0.5));
    for (int i = 0; i < 30; ++i) {
        ImGui::GetIO().KeyCtrl = true;
        stage.headless.wheel(1);
    }
    ImGui::GetIO().KeyCtrl = false;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows(opcode));
    EXPECT_TRUE(stage.headless.shows("In sight, 7 cycles") || stage.headless.shows("In sight, 6 cycles"));
    EXPECT_NEAR(stage.hovered().cycle, issue.begin, 2) << "what was under the mouse still is";
    stage.type_key("d");
    EXPECT_FALSE(stage.headless.shows("In sight, 2,"));
    ASSERT_TRUE(stage.headless.click("timeline whole"));
    stage.headless.move_mouse({1, 1});
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("In sight"));
}

TEST(timeline, finding_goes_from_match_to_match_and_back) {
    TimelineStage stage;
    stage.type_key("f");
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.find("timeline find field"));
    stage.headless.type(":8");
    stage.headless.press(compat::Key::enter);
    const Spot first = stage.selection.chosen;
    EXPECT_EQ(first.source_line, 8u);
    stage.headless.press(compat::Key::enter);
    const Spot second = stage.selection.chosen;
    EXPECT_EQ(second.source_line, 8u);
    EXPECT_GE(second.cycle, first.cycle);
    EXPECT_NE(second, first);
    ASSERT_TRUE(stage.headless.click("timeline find previous"));
    EXPECT_EQ(stage.selection.chosen.cycle, first.cycle);
    EXPECT_EQ(stage.selection.chosen.warp_record, first.warp_record);
}

TEST(timeline, the_search_leaves_a_small_pane_its_rows) {
    for (const float width : {620.0f, 680.0f, 760.0f}) {
        TimelineStage stage({width, 230});
        const float rows = stage.plot().max.y - stage.plot().min.y;
        stage.type_key("f");
        stage.headless.frame(2);
        ASSERT_TRUE(stage.headless.find("timeline find field"));
        EXPECT_GE(stage.plot().max.y - stage.plot().min.y, rows - 4) << width << ": the title has one line";
    }
}

TEST(timeline, a_query_names_instructions_lines_or_states) {
    const Program program = trace::example_program();
    const auto named = [&](std::string_view text) {
        const TimelineQuery query = parse_query(text, program);
        unsigned sites = 0, states = 0;
        for (const bool site : query.sites) sites += site;
        for (const bool state : query.states) states += state;
        EXPECT_EQ(query.finds_something, sites + states > 0);
        return std::pair(sites, states);
    };
    EXPECT_EQ(named("ld.global"), std::pair(2u, 0u));
    EXPECT_EQ(named("LD.shared"), std::pair(1u, 0u));
    EXPECT_EQ(named("line 7"), std::pair(1u, 0u));
    EXPECT_EQ(named(":7"), named("line 7"));
    EXPECT_EQ(named("barrier"), std::pair(0u, 1u));
    EXPECT_EQ(named("long_score"), std::pair(0u, 1u));
    EXPECT_EQ(named(""), std::pair(0u, 0u));
    EXPECT_EQ(named("no such thing"), std::pair(0u, 0u));
}

TEST(timeline, all_matches_are_met_once_in_order_of_time_both_ways) {
    const trace::Trace trace = trace::make_example({4, 96, 3});
    const trace::Schedule schedule = trace::make_example_schedule(trace, {.slots_per_scheduler = 2});
    const TimelineQuery query = parse_query("ld.global", trace.program);
    std::vector<TimelinePoint> forward, backward;
    std::optional<TimelinePoint> at = TimelinePoint{no_index, 0};
    while ((at = find_match(schedule, query, *at, true))) {
        forward.push_back(*at);
        EXPECT_GE(at->cycle, forward[forward.size() - (forward.size() > 1 ? 2 : 1)].cycle);
    }
    EXPECT_EQ(forward.size(), count_matches(schedule, query));
    at = TimelinePoint{no_index, 1'000'000};
    while ((at = find_match(schedule, query, *at, false))) backward.push_back(*at);
    std::ranges::reverse(backward);
    EXPECT_EQ(backward, forward);
}

TEST(timeline, few_warps_fill_a_large_picture) {
    const std::vector<TimelineGroup> groups{{0, 0, 2}, {1, 2, 2}, {2, 4, 2}, {3, 6, 2}};
    const Box plot{0, 100, 1500, 800};
    const auto lines = TimelineNavigation().lay_out(groups, plot, 1, false);
    ASSERT_EQ(lines.size(), 12u);
    EXPECT_GT(lines.back().y1, plot.y1 - 20);
    EXPECT_LE(lines.back().y1, plot.y1);
    const auto on_screen = TimelineNavigation().lay_out(groups, plot, 1, true);
    EXPECT_EQ(on_screen[1].y1 - on_screen[1].y0, 20) << "a pane keeps comfortable rows";
}

TEST(timeline, zooming_keeps_the_cycle_under_the_mouse_and_never_leaves_the_schedule) {
    TimelineNavigation navigation;
    navigation.follow(10'000);
    EXPECT_TRUE(navigation.shows_all());
    navigation.zoom(2500, 0.5);
    EXPECT_NEAR((2500 - navigation.view().first) / navigation.view().size(), 0.25, 1e-9);
    for (int i = 0; i < 100; ++i) navigation.zoom(2500, 0.5);
    EXPECT_NEAR(navigation.view().size(), 6, 1e-9);
    navigation.pan(-1e6);
    EXPECT_EQ(navigation.view().first, 0);
    navigation.pan(1e6);
    EXPECT_EQ(navigation.view().last, 10'000);
    navigation.reveal(17);
    EXPECT_LE(navigation.view().first, 17);
    EXPECT_GT(navigation.view().last, 17);
    navigation.follow(5'000);
    EXPECT_LE(navigation.view().last, 5'000) << "a shorter schedule";
}

TEST(timeline, what_the_timing_carries_is_drawn_and_nothing_built) {
    const auto scene = scheduled_scene({64, 256, 12}, 1, {.slots_per_scheduler = 4});
    const auto& schedule = scene->timing->schedule;
    // Of the same warps, but as if they issued all the time, so that it differs from one that was built.
    auto busy = std::make_shared<trace::Schedule>(*schedule);
    for (trace::StateSpan& span : busy->spans)
        span.packed = trace::StateSpan::pack(span.site(), WarpState::selected);
    const auto sums = std::make_shared<const analysis::ScheduleSums>(schedule);
    const auto carried = std::make_shared<const DensityPyramid>(analysis::ScheduleSums(busy));
    const TimelineIndex index(schedule, scene->trace, sums, carried);
    EXPECT_EQ(&index.sums(), sums.get());
    EXPECT_EQ(&index.density(), carried.get());

    Selection selection;
    Commands commands;
    for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
        const Theme theme = make_theme(name, {});
        ViewFrame frame{scene.get(), selection, commands, theme, false};
        const Ink ink{nullptr, theme};
        const TimelineCanvas canvas{
            {frame, ink, {0, static_cast<double>(sums->cycles())}, {0, 0, 20, 20}, {}, {}}, index};
        TimelineDensity density;
        density.update(canvas, true);
        ASSERT_EQ(density.issued(0).size(), 20u);
        EXPECT_GT(density.issued(0)[10], 3) << "four warps at once, as no scheduler can";
    }
}

TEST(timeline, the_view_holds_on_to_what_the_timing_carries) {
    auto scene = scheduled_scene({4, 64, 2});
    auto timing = std::make_shared<SceneTiming>(*scene->timing);
    timing->sums = std::make_shared<analysis::ScheduleSums>(timing->schedule);
    timing->density = std::make_shared<DensityPyramid>(*timing->sums);
    scene->timing = timing;
    ViewStage stage(make_timeline_view(), scene);
    stage.headless.frame(2);
    EXPECT_EQ(timing->density.use_count(), 2);
    EXPECT_EQ(timing->sums.use_count(), 2);
}

TEST(timeline, the_pyramid_mixes_the_states_that_a_column_holds) {
    const auto schedule = std::make_shared<trace::Schedule>(
        trace::make_example_schedule(trace::make_example({64, 256, 12}), {.slots_per_scheduler = 4}));
    const analysis::ScheduleSums sums(schedule, 8);
    const DensityPyramid pyramid(sums);
    constexpr std::size_t columns = 37;
    const double width = 8.0 * sums.bin_cycles();
    ASSERT_LT(width * columns, sums.cycles());
    for (std::size_t row = 0; row < sums.rows().size(); ++row) {
        std::vector<StateShares> cells(columns);
        pyramid.columns(row, 0, width * columns, cells);
        for (std::size_t i = 0; i < columns; ++i) {  // columns of whole bins: only rounding is lost
            const auto begin = static_cast<std::uint32_t>(width * static_cast<double>(i));
            const auto states = sums.states(row, {begin, begin + static_cast<std::uint32_t>(width)});
            for (const WarpStateInfo& info : warp_states)
                EXPECT_NEAR(cells[i][info.state], 255 * states[info.state] / width, 1.5) << info.name;
        }
    }
}

TEST(timeline, states_mix_as_light_does_and_a_pure_one_has_its_own_colour) {
    const auto channels = [](ImU32 colour) {
        std::array<int, 3> of{};
        for (std::size_t i = 0; const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT})
            of[i++] = static_cast<int>((colour >> shift) & 255);
        return of;
    };
    for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
        const Theme theme = make_theme(name, {});
        const StateLight light(theme);
        ByWarpState<float> all, half;
        all[WarpState::barrier] = 1;
        half[WarpState::barrier] = half[WarpState::selected] = 0.5f;
        const auto pure = channels(StateLight::colour(light.mixed(all)));
        const auto mixed = channels(StateLight::colour(light.mixed(half)));
        const auto barrier = channels(theme.state(WarpState::barrier)),
                   selected = channels(theme.state(WarpState::selected));
        StateShares shares, halves;
        shares.of[static_cast<std::size_t>(WarpState::barrier)] = 255;
        halves.of[static_cast<std::size_t>(WarpState::barrier)] = 128;
        halves.of[static_cast<std::size_t>(WarpState::selected)] = 127;
        const auto stored = channels(StateLight::colour(light.mixed(shares)));
        const auto stored_mixed = channels(StateLight::colour(light.mixed(halves)));
        const auto empty = channels(StateLight::colour(light.mixed(StateShares{})));
        const auto background = channels(theme.background);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(pure[i], barrier[i], 1);
            EXPECT_NEAR(stored[i], barrier[i], 1);
            EXPECT_NEAR(mixed[i], std::sqrt((std::pow(barrier[i], 2) + std::pow(selected[i], 2)) / 2), 1.5);
            EXPECT_NEAR(stored_mixed[i], mixed[i], 1);
            EXPECT_NEAR(empty[i], background[i], 1);
        }
    }
}

}  // namespace
}  // namespace warplens::app
