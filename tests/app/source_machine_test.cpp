// The machine code in the source view: linked lines, columns, arcs, merges, and what is shown without it.
#include <gtest/gtest.h>

#include "app/scene/machine_code.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_source_view();

namespace {

/// One machine instruction per PTX instruction, with its counts; the second waits for the first.
std::shared_ptr<Scene> scene_with_machine_code() {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    auto code = std::make_shared<MachineCode>();
    code->target = "sm_90";
    code->registers_per_thread = 24;
    code->program = scene->trace->program;
    for (std::size_t i = 0; i < code->program.sites.size(); ++i) {
        Site& site = code->program.sites[i];
        site.opcode = "MACHINE" + std::to_string(i);
        site.text = site.opcode + " R0, R1";
        code->stall_counts.push_back(7);
        code->live_registers.push_back(9);
    }
    code->report = scene->report;
    code->arcs = {{0, 1, 2, false}};
    scene->machine = std::move(code);
    return scene;
}

TEST(source_view, shows_the_machine_code_when_it_is_asked_for) {
    ViewStage stage(make_source_view(), scene_with_machine_code(), {1500, 800});
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("MACHINE0"));
    ASSERT_TRUE(stage.headless.click("source machine"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("MACHINE0"));
    EXPECT_TRUE(stage.headless.shows("24 registers"));
    EXPECT_TRUE(stage.headless.shows("machine level"));
    // The others stay beside it, until they are taken away.
    EXPECT_TRUE(stage.headless.find("cuda line 6"));
    ASSERT_TRUE(stage.headless.click("source cuda"));
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.find("cuda line 6"));
}

TEST(source_view, says_whole_what_its_numbers_are_also_where_lines_and_machine_code_are_shown) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{3840, 2160}}) {
        ViewStage stage(make_source_view(), scene_with_machine_code(), size);
        stage.interactive = false;
        stage.selection.wanted_code = ShownCode{true, false, true};
        stage.headless.frame(2);
        const bool wide = size.x > 2000;
        EXPECT_EQ(stage.headless.shows("of machine instructions: exact"), wide);
        EXPECT_EQ(stage.headless.shows("instructions, machine level: counts exact, times modelled"), !wide);
    }
}

TEST(source_view, a_machine_instruction_selects_the_ptx_and_the_line_that_it_was_made_of) {
    const auto scene = scene_with_machine_code();
    ViewStage stage(make_source_view(), scene, {1500, 800});
    stage.selection.wanted_code = ShownCode{true, true, true};
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("machine line 1"));
    stage.headless.frame(2);
    const Site& first = scene->trace->program.sites[0];
    ASSERT_NE(stage.selection.chosen.site, no_index);
    EXPECT_EQ(scene->trace->program.sites[stage.selection.chosen.site].ptx_line, first.ptx_line);
}

TEST(source_view, says_what_an_instruction_waits_for) {
    ViewStage stage(make_source_view(), scene_with_machine_code(), {1500, 800});
    stage.selection.wanted_code = ShownCode{false, false, true};
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.hover("machine line 2 stall"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("waits at least 7 cycles"));
    EXPECT_TRUE(stage.headless.shows("waits for scoreboard 2: result of MACHINE0 at 0000"));
}

/// The same with times: the first instruction waits for nothing, the second for memory and its stall count.
std::shared_ptr<Scene> scene_with_machine_times() {
    auto scene = scene_with_machine_code();
    auto code = std::make_shared<MachineCode>(*scene->machine);
    trace::Schedule schedule;
    schedule.site_states.resize(code->program.sites.size());
    schedule.site_states[1][WarpState::long_scoreboard] = 300;
    schedule.site_states[1][WarpState::wait] = 100;
    schedule.site_states[1][WarpState::selected] = 7;
    SceneTiming timing;
    timing.schedule = std::make_shared<const trace::Schedule>(std::move(schedule));
    timing.cost.sites.resize(code->program.sites.size());
    timing.cost.sites[1].exposed = 50;
    timing.cost.issue_slots = 1000;
    code->timing = std::make_shared<const SceneTiming>(std::move(timing));
    scene->machine = std::move(code);
    return scene;
}

TEST(source_view, shows_what_each_machine_instruction_waited_for) {
    ViewStage stage(make_source_view(), scene_with_machine_times(), {1500, 800});
    stage.selection.wanted_code = ShownCode{false, false, true};
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("waits"));
    EXPECT_FALSE(stage.headless.find("machine line 1 waits")) << "it waited for nothing";
    ASSERT_TRUE(stage.headless.hover("machine line 2 waits"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Warps waited 400 warp-cycles to issue"));
    EXPECT_TRUE(stage.headless.shows("300 warp-cycles (75 %)"));
    EXPECT_TRUE(stage.headless.shows("50 issue slots empty"));
    EXPECT_TRUE(stage.headless.shows("modelled, machine level"));
    ASSERT_TRUE(stage.headless.hover("machine line 2 exposed"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("50 issue slots empty"));
}

TEST(source_view, has_no_columns_of_times_before_the_model_has_answered) {
    ViewStage stage(make_source_view(), scene_with_machine_code(), {1500, 800});
    stage.selection.wanted_code = ShownCode{false, false, true};
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.find("machine line 2 waits"));
    EXPECT_FALSE(stage.headless.find("machine line 2 exposed"));
}

TEST(source_view, says_why_there_is_no_machine_code) {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_source_view(), scene, {1500, 800});
    stage.selection.wanted_code = ShownCode{true, false, true};
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("appears here once it was executed"));
    auto code = std::make_shared<MachineCode>();
    code->absent = "Nothing made machine code here.";
    auto answered = std::make_shared<Scene>(*scene);
    answered->machine = std::move(code);
    stage.scene = answered;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Nothing made machine code here."));
}

}  // namespace
}  // namespace warplens::app
