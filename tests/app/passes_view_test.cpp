#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <thread>

#include "app/scene/passes.h"
#include "app/ui/number.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_passes_view();

namespace {

using LineKind = DiffLine::Kind;

/// Both texts, reconstructed from the diff.
std::pair<std::vector<std::string_view>, std::vector<std::string_view>> texts_of(
    const std::vector<DiffLine>& diff, const std::vector<std::string_view>& before,
    const std::vector<std::string_view>& after) {
    std::pair<std::vector<std::string_view>, std::vector<std::string_view>> texts;
    for (const DiffLine& line : diff) {
        if (line.kind != LineKind::added) texts.first.push_back(before[line.before]);
        if (line.kind != LineKind::removed) texts.second.push_back(after[line.after]);
        if (line.kind == LineKind::same) {
            EXPECT_EQ(before[line.before], after[line.after]);
        }
    }
    return texts;
}

TEST(line_diff, shows_both_texts_whole_and_in_order) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::string> lines;
        for (int i = 0; i < 12; ++i) lines.push_back("line " + std::to_string(i));
        std::vector<std::string_view> before, after;
        const auto length = [&] { return std::uniform_int_distribution(0, 30)(random); };
        for (int i = length(); i > 0; --i) before.push_back(lines[random() % lines.size()]);
        for (int i = length(); i > 0; --i) after.push_back(lines[random() % lines.size()]);
        const auto texts = texts_of(diff_lines(before, after), before, after);
        EXPECT_EQ(texts.first, before);
        EXPECT_EQ(texts.second, after);
    }
}

TEST(line_diff, keeps_what_both_have_and_finds_only_what_is_new) {
    const auto before = split_lines("a\nb\nc\n}\nd\n}\n");
    const auto after = split_lines("a\nx\nb\nc\n}\ny\nz\nd\n}\n");
    std::vector<std::string_view> added;
    for (const DiffLine& line : diff_lines(before, after)) {
        EXPECT_NE(line.kind, LineKind::removed);
        if (line.kind == LineKind::added) added.push_back(after[line.after]);
    }
    EXPECT_EQ(added, (std::vector<std::string_view>{"x", "y", "z"}));
    EXPECT_TRUE(diff_lines({}, {}).empty());
    const auto gone = diff_lines(before, {});
    EXPECT_EQ(gone.size(), 6u);
    EXPECT_TRUE(std::ranges::all_of(gone, [](const DiffLine& l) { return l.kind == LineKind::removed; }));
}

TEST(line_diff, repeated_lines_are_matched_as_often_as_both_have_them) {
    const auto before = split_lines("r\nr\nr\nr\n"), after = split_lines("r\nq\nr\nr\nr\nr\nq\n");
    int same = 0;
    for (const DiffLine& line : diff_lines(before, after)) same += line.kind == LineKind::same;
    EXPECT_EQ(same, 4);
}

LaunchGeometry example_geometry() { return trace::example_launch(trace::ExampleShape::tiny()).geometry; }

TEST(passes, a_kernel_is_reported_pass_by_pass_and_as_a_whole) {
    const Program program = trace::example_program();
    const KernelPasses made = make_passes(program.ptx, program.entry, example_geometry(), 1024);
    ASSERT_EQ(made.failure, "");
    const ModePasses& light = made.modes[0];
    ASSERT_EQ(light.failure, "");
    ASSERT_GT(light.passes.size(), 3u);
    EXPECT_EQ(light.passes.front().added, 0u);
    EXPECT_EQ(light.passes.back().name, "all passes");
    EXPECT_EQ(light.passes.back().before, light.passes.front().after);
    EXPECT_EQ(light.passes.back().after, light.passes[light.passes.size() - 2].after);
    EXPECT_GT(light.passes.back().added, 10u);
    for (std::size_t i = 1; i + 1 < light.passes.size(); ++i) {
        EXPECT_EQ(light.passes[i].before, light.passes[i - 1].after);
        EXPECT_FALSE(light.passes[i].help.empty());
    }
}

TEST(passes, what_is_not_ptx_is_an_error_that_says_so) {
    EXPECT_NE(make_passes("this is no PTX", "kernel", {}, 0).failure, "");
    const Program program = trace::example_program();
    EXPECT_NE(make_passes(program.ptx, "no_such_kernel", {}, 0).modes[0].failure, "");
}

class PassesStage : public ViewStage {
  public:
    PassesStage() : ViewStage(make_passes_view(), scheduled_scene(trace::ExampleShape::tiny()), {1200, 700}) {
        for (int i = 0; i < 2000 && !headless.find("passes light"); ++i) {
            headless.frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        headless.frame();
    }
};

TEST(passes_view, shows_what_recording_adds_and_steps_through_the_passes) {
    PassesStage stage;
    ASSERT_TRUE(stage.headless.find("passes light"));
    EXPECT_TRUE(stage.headless.shows("in light mode adds "));
    EXPECT_TRUE(stage.headless.shows("all passes"));
    EXPECT_TRUE(stage.headless.shows("warplens_"));
    EXPECT_TRUE(stage.headless.shows("+"));
    const Program program = trace::example_program();
    const ModePasses light = make_passes(program.ptx, program.entry, example_geometry(), 1024).modes[0];
    for (std::size_t i = light.passes.size() - 1; i-- > 0;) {
        ASSERT_TRUE(stage.headless.click("passes pass -"));
        stage.headless.frame();
        EXPECT_TRUE(stage.headless.shows(light.passes[i].name));
    }
    EXPECT_TRUE(stage.headless.shows("0 lines added, 0 removed"));
    ASSERT_TRUE(stage.headless.click("passes pass +"));
    EXPECT_TRUE(stage.headless.shows("1 of "));
}

TEST(passes_view, folds_what_a_pass_left_alone) {
    PassesStage stage;
    stage.headless.click("passes pass -");
    stage.headless.frame();
    ASSERT_TRUE(stage.headless.shows("lines unchanged"));
    ASSERT_TRUE(stage.headless.click("passes fold"));
    EXPECT_FALSE(stage.headless.shows("lines unchanged"));
}

TEST(passes_view, a_picture_waits_for_the_passes) {
    ViewStage stage(make_passes_view(), scheduled_scene(trace::ExampleShape::tiny()), {1200, 700});
    stage.interactive = false;
    stage.headless.frame();
    EXPECT_TRUE(stage.headless.shows("in light mode adds "));
}

/// The example with its PTX edited.
std::shared_ptr<Scene> scene_with_ptx(std::uint64_t generation,
                                      const std::function<void(std::string&)>& edit) {
    auto scene = scheduled_scene(trace::ExampleShape::tiny(), generation);
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    edit(trace->program.ptx);
    scene->trace = trace;
    return scene;
}

/// One instruction less: its memory request, and what recording adds for it.
void without_a_store(std::string& ptx) {
    const std::size_t at = ptx.find("st.global");
    ASSERT_NE(at, std::string::npos);
    const std::size_t line = ptx.rfind('\n', at);
    ptx.erase(line, ptx.find('\n', at) - line);
}

TEST(passes_view, of_two_runs_pairs_the_lines_that_each_pass_adds) {
    const auto before = scene_with_ptx(1, without_a_store);
    const auto after = scene_with_ptx(2, [](std::string&) {});
    const auto passes_of = [](const Scene& scene) {
        const trace::Trace& trace = *scene.trace;
        const auto shared =
            trace.launch.resources.shared_static_bytes + trace.launch.geometry.dynamic_shared_bytes;
        return make_passes(trace.program.ptx, trace.program.entry, trace.launch.geometry,
                           static_cast<std::uint32_t>(shared))
            .modes[1];
    };
    const ModePasses was = passes_of(*before), now = passes_of(*after);
    ASSERT_EQ(was.failure + now.failure, "");
    ASSERT_NE(was.passes.back().added, now.passes.back().added);
    ViewStage stage(make_passes_view(), after, {1400, 900});
    stage.baseline = before;
    // The passes of the two runs arrive one after the other.
    const auto arrived = [&] {
        return stage.headless.find("passes full") && !stage.headless.shows("Running the passes");
    };
    for (int i = 0; i < 2000 && !arrived(); ++i) {
        stage.headless.frame();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_TRUE(stage.headless.click("passes full"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows(
        fmt::format("adds {} to the PTX of first run and {} to that of second run",
                    counted(was.passes.back().added, "line"), grouped(now.passes.back().added))));
    int pairs = 0;
    for (std::size_t i = 1; i + 1 < now.passes.size(); ++i) {
        const PassText& pass = now.passes[i];
        const auto other = std::ranges::find(was.passes, pass.name, &PassText::name);
        if (other == was.passes.end() || other->added == pass.added) continue;
        EXPECT_TRUE(stage.headless.shows(fmt::format("+{} ", other->added))) << pass.name;
        EXPECT_TRUE(stage.headless.shows(fmt::format(" → +{}", pass.added))) << pass.name;
        ++pairs;
    }
    EXPECT_GT(pairs, 0);
    EXPECT_TRUE(stage.headless.shows("second run, all passes: "));
}

TEST(passes_view, says_why_two_runs_are_not_compared) {
    const auto same = [](std::string&) {};
    ViewStage stage(make_passes_view(), scene_with_ptx(2, same), {1200, 700});
    stage.interactive = false;
    stage.baseline = scene_with_ptx(1, same);
    stage.headless.frame();
    EXPECT_TRUE(
        stage.headless.shows("first run has no other PTX and no other launch: recording adds the same"));
    EXPECT_TRUE(stage.headless.shows("in light mode adds "));
    stage.baseline = scene_with_ptx(3, [](std::string& ptx) { ptx.clear(); });
    stage.headless.frame();
    EXPECT_TRUE(stage.headless.shows("first run has no PTX in its trace."));
    stage.baseline = scene_with_ptx(4, [](std::string& ptx) { ptx = "this is no PTX"; });
    stage.headless.frame();
    EXPECT_TRUE(stage.headless.shows("first run has no PTX that can be recorded in light mode: "));
}

TEST(passes_view, says_why_a_mode_cannot_be_had) {
    auto scene = scheduled_scene(trace::ExampleShape::tiny());
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    trace->program.entry = "no_such_kernel";
    scene->trace = trace;
    ViewStage stage(make_passes_view(), scene, {1200, 700});
    stage.interactive = false;
    stage.headless.frame();
    EXPECT_TRUE(stage.headless.shows("cannot be recorded in light mode"));
    auto silent = std::make_shared<trace::Trace>(*trace);
    silent->program.ptx.clear();
    scene->trace = silent;
    stage.headless.frame();
    EXPECT_TRUE(stage.headless.shows("does not contain the kernel's PTX"));
}

}  // namespace
}  // namespace warplens::app
