// The modelled timeline at the machine level: its instructions, and what is selected in it for the other
// views.
#include <gtest/gtest.h>

#include "app/scene/machine_code.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_timeline_view();

namespace {

/// The machine code is the PTX with other names, in blocks of its own trace.
std::shared_ptr<Scene> scene_of_two_levels() {
    auto scene = scheduled_scene({4, 64, 2}, 1, {.slots_per_scheduler = 2});
    auto code = std::make_shared<MachineCode>();
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    for (Site& site : trace->program.sites) site.opcode = "MACHINE";
    code->program = trace->program;
    code->trace = std::move(trace);
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->level = Level::machine;
    code->report = std::move(report);
    code->timing = scene->timing;
    scene->machine = std::move(code);
    return scene;
}

ImVec2 middle(const HitBox& box) { return {(box.min.x + box.max.x) / 2, box.min.y + 22}; }

TEST(timeline_machine, names_the_level_of_its_times) {
    const auto scene = scene_of_two_levels();
    ViewStage stage(make_timeline_view(), scene, {1500, 700});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("machine level"));
    EXPECT_FALSE(stage.headless.shows("PTX level"));
    auto without = std::make_shared<Scene>(*scene);
    without->machine = nullptr;
    stage.scene = without;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("PTX level"));
}

TEST(timeline_machine, what_if_questions_are_answered_at_the_ptx_level) {
    auto scene = scene_of_two_levels();
    auto timing = std::make_shared<SceneTiming>(*scene->timing);
    timing->options.no_bank_conflicts = true;
    scene->timing = std::move(timing);
    ViewStage stage(make_timeline_view(), scene, {1500, 700});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("PTX level"));
}

TEST(timeline_machine, a_click_selects_the_instruction_of_the_ptx_for_the_other_views) {
    const auto scene = scene_of_two_levels();
    ViewStage stage(make_timeline_view(), scene, {1500, 700});
    stage.headless.frame(2);
    const auto plot = stage.headless.find("timeline plot");
    ASSERT_TRUE(plot);
    stage.headless.click_at(middle(*plot));
    stage.headless.frame(2);
    const Spot& chosen = stage.selection.chosen;
    ASSERT_NE(chosen.warp_record, no_index);
    EXPECT_EQ(chosen.cycle, no_index) << "a cycle of the machine level is none of the PTX level's";
    ASSERT_LT(chosen.site, scene->trace->program.sites.size());
    EXPECT_TRUE(stage.headless.shows("issues of MACHINE"));
}

TEST(timeline_machine, of_the_instructions_made_of_one_the_one_that_does_its_work_is_marked) {
    const auto scene = scene_of_two_levels();
    // An access whose operand another instruction prepares: both are of its PTX line.
    const trace::Trace& ptx = *scene->trace;
    ASSERT_FALSE(ptx.accesses.empty());
    const SiteId access = ptx.accesses.front().site;
    auto code = std::make_shared<MachineCode>(*scene->machine);
    auto trace = std::make_shared<trace::Trace>(*code->trace);
    ASSERT_NE(access, 0u);
    Site& before = trace->program.sites[0];
    before.ptx_line = trace->program.sites[access].ptx_line;
    before.kind = SiteKind::lanewise;
    before.space = Space::none;
    before.operation = Operation::none;
    before.opcode = "PREPARE";
    trace->program.sites[access].opcode = "ACCESS";
    code->program = trace->program;
    code->trace = std::move(trace);
    scene->machine = std::move(code);
    ViewStage stage(make_timeline_view(), scene, {1500, 700});
    stage.selection.chosen.site = access;
    stage.selection.chosen.warp_record = 0;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("issues of ACCESS"));
    EXPECT_FALSE(stage.headless.shows("issues of PREPARE"));
}

}  // namespace
}  // namespace warplens::app
