// Controls of the window, clicked: the layout of each size, presenting, text size, tabs, the failure banner,
// notices, what-if knobs, and when frames are drawn.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/scene/request_index.h"
#include "app/scene/view_relevance.h"
#include "app/ui/letter_keys.h"
#include "app/ui/view_keys.h"
#include "app/window/arrangement.h"
#include "app/window/frame.h"
#include "app/window/frame_pacer.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

struct Stage {
    explicit Stage(ImVec2 size = {1280, 720})
        : session(example_catalogue(), script.run(), script.wake()),
          frame(session, layout),
          ui([this](const Theme& theme) { frame.draw(theme); }, size) {}

    void open(std::string_view kernel) {
        session.open_kernel(kernel);
        settle();
    }
    void settle() {
        script.wait();
        ui.frame(3);
    }
    void press(compat::ViewKey key, bool with_ctrl) {
        compat::feed_ctrl(with_ctrl);
        compat::feed_view_key(key, true);
        ui.frame();
        compat::feed_view_key(key, false);
        compat::feed_ctrl(false);
        ui.frame(2);
    }
    float left_of(std::string_view box) const { return ui.find(box)->min.x; }
    float top_of(std::string_view box) const { return ui.find(box)->min.y; }

    ScriptedRun script;
    Session session;
    Layout layout;
    Frame frame;
    Headless ui;
};

TEST(arrangement, each_size_shows_all_panes_and_none_overlaps_another) {
    for (const ImVec2 size :
         {ImVec2(960, 1080), ImVec2(1280, 720), ImVec2(1366, 768), ImVec2(1920, 1080), ImVec2(3840, 2160)}) {
        const Box area{0, 0, size.x, size.y};
        const Arrangement made = arrange(area, 1, 8, {}, pane_order(size.x, size.y, false));
        const Box panes[] = {made.source, made.centre, made.bottom, made.explain};
        for (const Box& one : panes) {
            EXPECT_GE(one.width(), 280) << size.x;
            EXPECT_GE(one.height(), 140) << size.x;
            for (const Box& other : panes)
                if (&one != &other) {
                    EXPECT_TRUE(one.x1 <= other.x0 || other.x1 <= one.x0 || one.y1 <= other.y0 ||
                                other.y1 <= one.y0)
                        << size.x;
                }
        }
    }
}

TEST(arrangement, the_list_of_kernels_opens_with_a_click_where_the_window_is_narrow) {
    Stage stage;
    stage.open("transpose_tiled");
    EXPECT_EQ(stage.ui.find("kernel saxpy"), nullptr);
    ASSERT_TRUE(stage.ui.click("kernel list"));
    ASSERT_TRUE(stage.ui.click("kernel saxpy"));
    stage.settle();
    EXPECT_EQ(stage.session.kernel()->name, "saxpy");
    ASSERT_TRUE(stage.ui.click("kernel list"));
    EXPECT_EQ(stage.ui.find("kernel saxpy"), nullptr);
}

TEST(toolbar, nothing_overlaps_in_half_a_screen) {
    Stage stage({960, 1080});
    stage.open("transpose_tiled");
    const HitBox *gpu = stage.ui.find("choose gpu"), *run = stage.ui.find("run");
    ASSERT_TRUE(gpu && run);
    EXPECT_LE(gpu->max.x, run->min.x);
    ASSERT_NE(stage.ui.find("keys"), nullptr);
    EXPECT_LE(stage.ui.find("keys")->max.x, 960);
}

TEST(presentation, f5_shows_one_view_the_explanation_and_the_knobs) {
    Stage stage;
    stage.open("transpose_tiled");
    EXPECT_TRUE(stage.ui.find("source cuda"));
    stage.press(compat::ViewKey::present, false);
    EXPECT_TRUE(stage.frame.state.presenting);
    EXPECT_EQ(stage.ui.find("splitter bottom"), nullptr);
    EXPECT_EQ(stage.ui.find("source cuda"), nullptr);
    EXPECT_NE(stage.ui.find("tab explain"), nullptr);
    EXPECT_NE(stage.ui.find("tab banks"), nullptr);
    ASSERT_TRUE(stage.ui.click("knob PAD +"));
    stage.settle();
    EXPECT_EQ(stage.script.requests.back().overrides.at("PAD"), "1");
    stage.ui.press(compat::Key::escape);
    EXPECT_FALSE(stage.frame.state.presenting);
    ASSERT_TRUE(stage.ui.click("present"));
    EXPECT_TRUE(stage.frame.state.presenting);
}

TEST(text_size, ctrl_plus_and_minus_change_what_is_remembered) {
    Stage stage;
    stage.ui.frame(2);
    stage.press(compat::ViewKey::larger, true);
    stage.press(compat::ViewKey::larger, true);
    EXPECT_FLOAT_EQ(stage.layout.text_scale, 1.2f);
    EXPECT_FLOAT_EQ(read_layout(to_text(stage.layout)).text_scale, 1.2f);
    stage.press(compat::ViewKey::smaller, true);
    EXPECT_FLOAT_EQ(stage.layout.text_scale, 1.1f);
    stage.press(compat::ViewKey::larger, false);
    EXPECT_FLOAT_EQ(stage.layout.text_scale, 1.1f) << "without Ctrl";
    stage.press(compat::ViewKey::natural_size, true);
    EXPECT_FLOAT_EQ(stage.layout.text_scale, 1);
    for (int i = 0; i < 40; ++i) stage.press(compat::ViewKey::larger, true);
    EXPECT_FLOAT_EQ(stage.layout.text_scale, greatest_text_scale);
}

TEST(tabs, what_has_nothing_to_show_comes_last) {
    Stage stage({3840, 1080});
    stage.open("transpose_tiled");
    ASSERT_TRUE(stage.ui.find("tab banks") && stage.ui.find("tab streams"));
    EXPECT_LT(stage.left_of("tab banks"), stage.left_of("tab sectors"));
    EXPECT_LT(stage.left_of("tab occupancy"), stage.left_of("tab streams"));
    EXPECT_LT(stage.left_of("tab occupancy"), stage.left_of("tab fragments"));
    EXPECT_LT(stage.left_of("tab sweep"), stage.left_of("tab atomics"));
    ASSERT_TRUE(stage.ui.hover("tab fragments"));
    EXPECT_TRUE(stage.ui.shows("Nothing to show of this kernel."));
    stage.open("saxpy");
    EXPECT_LT(stage.left_of("tab sectors"), stage.left_of("tab banks")) << "the kernel's own first";
}

TEST(tabs, of_memories_without_excess_the_busier_one_comes_first) {
    Scene scene = example_scene({}, example_catalogue().front());
    auto kernel = std::make_shared<instrumentation::KernelFile>(*scene.kernel);
    kernel->views.clear();
    scene.kernel = kernel;
    const auto place = [&](std::string_view name) {
        const auto views = views_by_relevance(&scene, ViewPlace::centre);
        return std::ranges::find_if(views, [&](const RelevantView& one) { return one.view->name == name; }) -
               views.begin();
    };
    const auto with = [&](MemoryKind kind, std::uint64_t cost, std::uint64_t ideal) {
        auto index = std::make_shared<RequestIndexes>();
        for (const MemoryKind each : {MemoryKind::shared, MemoryKind::global_or_local}) {
            RequestIndex& of = index->of_kind[static_cast<std::size_t>(each)];
            of.requests = 1;
            of.sites.push_back({0, {}, no_access, 100, 100, 1});
        }
        auto& site = index->of_kind[static_cast<std::size_t>(kind)].sites.front();
        site.cost = cost;
        site.ideal = ideal;
        scene.requests = std::move(index);
    };
    with(MemoryKind::global_or_local, 4000, 4000);
    EXPECT_LT(place("sectors"), place("banks"));
    with(MemoryKind::shared, 4000, 4000);
    EXPECT_LT(place("banks"), place("sectors"));
    with(MemoryKind::shared, 64, 32);
    EXPECT_LT(place("banks"), place("sectors")) << "excess counts before cost";
}

TEST(tabs, lanes_come_first_where_many_are_inactive_and_not_for_a_last_block) {
    Scene scene = example_scene({}, example_catalogue().front());
    auto kernel = std::make_shared<instrumentation::KernelFile>(*scene.kernel);
    kernel->views.clear();
    scene.kernel = kernel;
    scene.requests = std::make_shared<RequestIndexes>();
    const auto first_with = [&](std::uint64_t active) {
        auto report = std::make_shared<analysis::LaunchReport>(*scene.report);
        report->problems.clear();
        report->steps = 1000;
        report->active_lanes = active;
        scene.report = report;
        return std::string(views_by_relevance(&scene, ViewPlace::centre).front().view->name);
    };
    EXPECT_EQ(first_with(12 * 1000), "lanes");
    EXPECT_NE(first_with(31 * 1000), "lanes");
}

TEST(tabs, problems_stand_before_what_only_costs) {
    Scene scene = example_scene({}, example_catalogue().front());
    auto report = std::make_shared<analysis::LaunchReport>(*scene.report);
    EXPECT_FALSE(has_content(scene, *find_view_row("problems")));
    report->problems.emplace_back();
    scene.report = report;
    EXPECT_TRUE(has_content(scene, *find_view_row("problems")));
    const auto views = views_by_relevance(&scene, ViewPlace::centre);
    EXPECT_STREQ(views[0].view->name, "sectors");
    EXPECT_STREQ(views[1].view->name, "problems");
}

class FailureBanner : public testing::Test {
  protected:
    void fail_at_line_12() {
        stage.open("transpose_tiled");
        stage.script.answer = [](const RunRequest&, const std::function<bool()>&) -> Result<Scene> {
            return fail("kernels/transpose_tiled.cu:12: error: identifier \"x\" is undefined");
        };
        ASSERT_TRUE(stage.ui.click("knob PAD +"));
        stage.settle();
    }
    Stage stage;
};

TEST_F(FailureBanner, it_covers_no_pane) {
    fail_at_line_12();
    const HitBox* banner = stage.ui.find("failure banner");
    ASSERT_NE(banner, nullptr);
    EXPECT_TRUE(stage.ui.shows("identifier \"x\" is undefined"));
    for (const char* tab : {"source cuda", "tab banks"}) EXPECT_GE(stage.top_of(tab), banner->max.y) << tab;
}

TEST_F(FailureBanner, escape_and_its_button_close_it_until_another_run_fails) {
    fail_at_line_12();
    stage.ui.press(compat::Key::escape);
    EXPECT_EQ(stage.ui.find("failure banner"), nullptr);
    EXPECT_FALSE(stage.session.failure().empty());
    stage.script.answer = [](const RunRequest&, const std::function<bool()>&) -> Result<Scene> {
        return fail("another reason");
    };
    ASSERT_TRUE(stage.ui.click("knob PAD +"));
    stage.settle();
    ASSERT_TRUE(stage.ui.click("close failure"));
    EXPECT_EQ(stage.ui.find("failure banner"), nullptr);
}

TEST(notices, leave_after_a_few_seconds) {
    Stage stage;
    stage.open("transpose_tiled");
    stage.frame.state.notice = "Image saved as x.png.";
    stage.ui.frame(2);
    EXPECT_TRUE(stage.ui.shows("Image saved as x.png."));
    EXPECT_GT(stage.frame.state.due_in, 0) << "the window wakes up for it";
    stage.ui.frame(10 * 60);
    EXPECT_FALSE(stage.ui.shows("Image saved as x.png."));
    EXPECT_EQ(stage.frame.state.due_in, 0);
}

TEST(window_title, names_the_kernel) {
    Stage stage;
    EXPECT_EQ(stage.frame.title(), "Warplens");
    stage.open("saxpy");
    EXPECT_EQ(stage.frame.title(), "saxpy – Warplens");
}

TEST(what_if, knobs_of_the_model_are_marked_in_the_toolbar_and_reset_with_a_click) {
    Stage stage;
    stage.open("transpose_tiled");
    EXPECT_EQ(stage.ui.find("reset what if"), nullptr);
    TimingOptions options;
    options.no_bank_conflicts = true;
    stage.session.set_timing(options);
    stage.ui.frame(2);
    EXPECT_TRUE(stage.ui.shows("what if: no bank conflicts"));
    ASSERT_TRUE(stage.ui.click("reset what if"));
    EXPECT_EQ(stage.session.timing(), TimingOptions{});
    EXPECT_EQ(stage.ui.find("reset what if"), nullptr);
}

TEST(frame_pacer, what_a_released_button_opens_is_drawn_without_another_event) {
    FramePacer pacer;
    while (!pacer.next({}).until_event) pacer.drawn(false);
    // The button goes down and is held still.
    for (int i = 0; i < 10; ++i) {
        pacer.next({.item_active = true});
        pacer.drawn(false);
    }
    EXPECT_FALSE(pacer.next({.item_active = true}).until_event);
    pacer.drawn(false);
    int frames = 0;
    for (; !pacer.next({}).until_event && frames < 100; ++frames) pacer.drawn(false);
    EXPECT_GE(frames, 2) << "a menu is invisible in its first frame";
    EXPECT_LT(frames, 10) << "then it sleeps";
}

TEST(frame_pacer, sleeps_when_nothing_happens_and_wakes_for_what_is_due) {
    FramePacer pacer;
    while (!pacer.next({}).until_event) pacer.drawn(false);
    for (int i = 0; i < 4; ++i) pacer.drawn(false);
    EXPECT_DOUBLE_EQ(pacer.next({.due_in = 0.1}).seconds, 0.1);
    pacer.drawn(true);
    EXPECT_FALSE(pacer.next({}).until_event) << "something moves";
}

}  // namespace
}  // namespace warplens::app
