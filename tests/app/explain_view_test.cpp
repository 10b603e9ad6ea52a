// Explain offers the changes that were tried, with their results, and explains the launch if the open view
// does.
#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "app/scene/default_selection.h"
#include "app/session/advice_task.h"
#include "catalogue_stage.h"
#include "example_scene.h"
#include "scripted_model.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_explain_view();

namespace {

AdviceState tried_state() {
    Advice advice;
    advice.now.cycles = 1000;
    TriedChange pad;
    pad.change = {"PAD", "8", {}, {}};
    pad.effect = {"line 9: 32 → 4 wavefronts", "−18 % cycles"};
    advice.helpful.push_back(pad);
    advice.tried = 3;
    return {1, false, std::make_shared<const Advice>(std::move(advice))};
}

TEST(explain_view, the_button_shows_the_result_and_makes_the_setting) {
    const AdviceState state = tried_state();
    ViewStage stage(make_explain_view(), stage_scene(trace::ExampleShape::tiny()));
    stage.advice = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("PAD 8: line 9: 32 → 4 wavefronts, −18 % cycles"));
    EXPECT_TRUE(stage.headless.shows("3 changes run"));
    stage.headless.click("try");
    ASSERT_EQ(stage.commands.set_parameters.size(), 1u);
    EXPECT_EQ(stage.commands.set_parameters[0].name, "PAD");
    EXPECT_EQ(stage.commands.set_parameters[0].value, "8");
}

TEST(explain_view, a_picture_with_much_room_has_larger_type) {
    const AdviceState state = tried_state();
    const auto height_of = [&](bool interactive) {
        ViewStage stage(make_explain_view(), stage_scene(trace::ExampleShape::tiny()), {1920, 1080});
        stage.advice = &state;
        stage.interactive = interactive;
        stage.headless.frame(3);
        for (const DrawnText& text : stage.headless.texts())
            if (text.words.starts_with("Tried: 3 changes")) return text.max.y - text.min.y;
        ADD_FAILURE() << "the advice is missing";
        return 0.0f;
    };
    EXPECT_GT(height_of(false), height_of(true));
}

TEST(explain_view, a_picture_with_room_shows_the_selected_line_among_the_dearest) {
    auto scene = std::make_shared<Scene>(*timed_kernel("transpose_tiled"));
    ViewStage stage(make_explain_view(), scene, {1232, 650});
    stage.selection.chosen = default_selection(*scene, "banks");
    stage.headless.frame(3);
    EXPECT_FALSE(stage.headless.shows("Issue slots of one SM")) << "the window's Source view has it";
    ViewStage picture(make_explain_view(), scene, {1232, 650});
    picture.selection.chosen = default_selection(*scene, "banks");
    picture.interactive = false;
    picture.headless.frame(3);
    EXPECT_TRUE(picture.headless.shows("Issue slots of one SM"));
    EXPECT_TRUE(picture.headless.shows("tile[threadIdx.x][threadIdx.y];"));
    ViewStage low(make_explain_view(), scene, {1232, 300});
    low.selection.chosen = default_selection(*scene, "banks");
    low.interactive = false;
    low.headless.frame(3);
    EXPECT_FALSE(low.headless.shows("Issue slots of one SM"));
}

TEST(explain_view, nothing_is_offered_until_it_was_tried) {
    AdviceState state{1, true, nullptr};
    ViewStage stage(make_explain_view(), stage_scene(trace::ExampleShape::tiny()));
    stage.advice = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Trying changes …"));
    Advice nothing;
    nothing.tried = 4;
    state = {1, false, std::make_shared<const Advice>(nothing)};
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("No change that was tried helps"));
    state.generation = 7;  // of another Scene
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("What to try"));
}

TEST(explain_view, a_button_leads_to_the_line_that_costs_far_more) {
    auto scene = std::make_shared<Scene>(*timed_kernel("attention_naive"));
    ViewStage stage(make_explain_view(), scene);
    stage.selection.chosen = default_selection(*scene, "sectors");
    const std::uint32_t before = stage.selection.chosen.source_line;
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.shows("costs far more"));
    stage.headless.click("dearer line");
    EXPECT_NE(stage.selection.chosen.source_line, before);
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("costs far more"));
}

TEST(explain_view, a_view_of_the_launch_is_explained_until_something_is_selected) {
    const auto scene = scheduled_scene(trace::ExampleShape::tiny());
    ViewStage stage(make_explain_view(), scene);
    stage.selection.chosen.access = find_request(*scene->trace, Space::shared, 8);
    stage.selection.chosen.site = scene->trace->accesses[stage.selection.chosen.access].site;
    stage.open_view = "roofline";
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("The launch"));
    EXPECT_FALSE(stage.headless.shows("wavefronts"));
    stage.open_view = {};
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("32 wavefronts"));
}

struct AdvisedSession {
    ScriptedRun script;
    std::vector<AdviceRequest> requests;
    Session session{example_catalogue(), script.run(), script.wake()};

    void advise_at_once() {
        session.set_adviser(
            [this](const AdviceRequest& request, const Cancelled&) {
                requests.push_back(request);
                Advice advice;
                advice.tried = 5;
                return advice;
            },
            std::chrono::milliseconds{0});
    }
};

TEST(advice_task, begins_when_the_scene_is_complete_and_belongs_to_it) {
    AdvisedSession advised;
    advised.advise_at_once();
    Session& session = advised.session;
    session.open_kernel("transpose_tiled");
    advised.script.wait();
    EXPECT_EQ(session.advice().generation, 0u);
    session.poll();
    EXPECT_EQ(session.advice().generation, session.scene()->generation);
    advised.script.wait();
    session.poll();
    ASSERT_TRUE(session.advice().advice);
    EXPECT_EQ(session.advice().advice->tried, 5u);
    EXPECT_FALSE(session.advice().running);
    ASSERT_EQ(advised.requests.size(), 1u);
    EXPECT_EQ(advised.requests[0].kernel->name, "transpose_tiled");
}

TEST(advice_task, a_changed_knob_ends_the_trial) {
    AdvisedSession advised;
    std::latch started{1}, ended{1};
    advised.session.set_adviser(
        [&](const AdviceRequest&, const Cancelled& cancelled) {
            started.count_down();
            while (!cancelled()) std::this_thread::yield();
            ended.count_down();
            return Advice{};
        },
        std::chrono::milliseconds{0});
    Session& session = advised.session;
    session.open_kernel("transpose_tiled");
    advised.script.wait();
    session.poll();
    started.wait();
    advised.session.set_adviser({});
    session.set_parameter("PAD", "1");
    ended.wait();
    EXPECT_FALSE(session.advice().running);
    EXPECT_FALSE(session.advice().advice);
}

TEST(session, a_view_selects_its_own_worst_until_a_person_selects) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    session.open_kernel("transpose_tiled");
    script.wait();
    session.poll();
    const trace::Trace& trace = *session.scene()->trace;
    ASSERT_EQ(trace.accesses[session.selection.chosen.access].space, Space::shared);
    session.select_default("sectors");
    EXPECT_EQ(trace.accesses[session.selection.chosen.access].space, Space::global);
    session.select_default("banks");
    EXPECT_EQ(trace.accesses[session.selection.chosen.access].space, Space::shared);
    session.selection.chosen.lane = 3;
    const Spot mine = session.selection.chosen;
    session.select_default("sectors");
    EXPECT_EQ(session.selection.chosen, mine);
}

}  // namespace
}  // namespace warplens::app
