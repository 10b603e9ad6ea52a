#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/report/report_measured.h"
#include "app/command_line/reported.h"
#include "app/command_line/target.h"
#include "app/pipeline/machine_scene.h"
#include "app/scene/index_scene.h"
#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "app/scene/measured_index.h"
#include "app/scene/perturbation_words.h"
#include "app/scene/time_scene.h"
#include "app/ui/number.h"
#include "app/views/measured/drawing.h"
#include "app/window/frame.h"
#include "tests/app/example_scene.h"
#include "trace/light.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_measured_view();

namespace {

/// The example's recording, with a full one that went wrong in every way.
std::shared_ptr<Scene> disturbed_scene() {
    auto scene = measured_scene({12, 64, 2});
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    auto measured = std::make_shared<trace::Measured>(*trace->measured);
    trace::Perturbation& full = measured->perturbations.back();
    full.traced_blocks_per_sm = 1;
    full.dropped_records = 1234;
    full.enough_bytes = 96 << 20;
    full.identical_results = false;
    trace->measured = std::move(measured);
    scene->trace = std::move(trace);
    return scene;
}

TEST(measured_view, says_how_to_measure_when_nothing_was) {
    ViewStage stage(make_measured_view(), scheduled_scene(trace::ExampleShape::tiny()));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("No measured data"));
    EXPECT_TRUE(stage.headless.shows("--engine cuda"));
    EXPECT_TRUE(stage.headless.shows("warplens record"));
}

/// `warplens my.cu --engine cuda`: what a person copies has to name the file that is open.
TEST(measured_view, the_command_that_measures_names_an_own_file_and_a_kernel_of_the_catalogue_by_its_name) {
    const auto command_for = [](const std::string& file) {
        auto scene = scheduled_scene(trace::ExampleShape::tiny());
        auto trace = std::make_shared<trace::Trace>(*scene->trace);
        trace->launch.kernel = "blur";
        SourceFile source;
        source.name = file;
        source.text = "__global__ void blur() {}";
        trace->program.sources.assign(1, source);
        scene->trace = std::move(trace);
        ViewStage stage(make_measured_view(), scene);
        stage.headless.frame(2);
        std::string all;
        for (const std::string& words : stage.headless.words()) all += words + " ";
        return all;
    };
    EXPECT_THAT(command_for("kernels/blur.cu"), testing::HasSubstr("warplens blur --engine cuda"));
    EXPECT_THAT(command_for("work/filters.cu"), testing::HasSubstr("warplens work/filters.cu --engine cuda"));
    EXPECT_THAT(command_for("my filters.cu"), testing::HasSubstr("warplens 'my filters.cu' --engine cuda"))
        << "a shell would take it for two words";
}

TEST(measured_view, shows_what_recording_cost_and_each_metric_three_ways) {
    ViewStage stage(make_measured_view(), measured_scene({12, 64, 2}), {1500, 800});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Measured: "));
    EXPECT_TRUE(stage.headless.shows("while recording (× 1.25); modelled "));
    EXPECT_TRUE(stage.headless.shows("recorded")) << "in place of a difference";
    EXPECT_TRUE(stage.headless.shows("Recording overhead"));
    EXPECT_TRUE(stage.headless.shows("27 (+3)"));
    EXPECT_TRUE(stage.headless.shows("Exact, measured, modelled"));
    EXPECT_TRUE(stage.headless.shows("Block duration, cycles"));
    EXPECT_TRUE(stage.headless.shows("Cycles per block, by SM"));
    EXPECT_TRUE(stage.headless.shows("12 blocks, "));
    EXPECT_TRUE(stage.headless.shows(" at once ("));
    EXPECT_TRUE(stage.headless.shows("Addresses were recorded on the GPU."));
    EXPECT_TRUE(stage.headless.shows("caches warm, as in the recording"));
    EXPECT_TRUE(stage.headless.shows("Two events around the launch take 1.4 µs of its measured"));
    EXPECT_FALSE(stage.headless.shows("Warning"));
}

TEST(measured_view, a_sentence_below_the_table_is_broken_and_not_cut) {
    ViewStage stage(make_measured_view(), measured_scene({12, 64, 2}), {1232, 660});
    stage.interactive = false;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("whose times these are"));
    EXPECT_TRUE(stage.headless.shows("with what starts and ends it."));
}

TEST(measured_view, names_the_condition_of_a_recording_with_cold_caches) {
    auto scene = measured_scene({12, 64, 2});
    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    auto measured = std::make_shared<trace::Measured>(*trace->measured);
    measured->caches = Caches::cold;
    trace->measured = std::move(measured);
    scene->trace = std::move(trace);
    ViewStage stage(make_measured_view(), scene, {1500, 800});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("caches cold, as in the recording"));
}

TEST(measured_view, a_metric_explains_itself_under_the_mouse) {
    ViewStage stage(make_measured_view(), measured_scene({12, 64, 2}), {1500, 800});
    stage.headless.frame(2);
    const auto metrics =
        analysis::measured_against_modelled(*stage.scene->trace, stage.scene->report.get(),
                                            stage.scene->timing->as_measured.get(), default_gpu());
    ASSERT_FALSE(metrics.empty());
    ASSERT_TRUE(stage.headless.hover("metric " + metrics.front().key));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows(metrics.front().help.substr(0, 20)));
}

TEST(measured_view, warns_of_what_makes_times_untrue) {
    ViewStage stage(make_measured_view(), disturbed_scene(), {1500, 800});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("1,234 records of full mode found no room"));
    EXPECT_TRUE(stage.headless.shows("96 MiB would have been enough"));
    EXPECT_TRUE(stage.headless.shows("an SM holds 1 block instead of 2"));
    EXPECT_TRUE(stage.headless.shows("differ from those after the original kernel"));
}

TEST(measured_view, a_light_recording_is_not_shown_as_a_kernel_without_requests) {
    auto scene = measured_scene({4, 64, 2});
    auto light = std::make_shared<trace::Trace>(*scene->trace);
    trace::drop_accesses(*light);
    scene->trace = light;
    for (const char* view : {"banks", "sectors"}) {
        ViewStage stage(find_view(view)->make(), scene);
        stage.headless.frame(2);
        EXPECT_TRUE(stage.headless.shows("This recording contains no addresses.")) << view;
        EXPECT_FALSE(stage.headless.shows("makes no")) << view;
    }
}

/// The next recording comes before its times do: those of the last one are gone by then.
TEST(measured_view, shows_no_times_of_the_recording_before) {
    const auto timed = measured_scene({12, 64, 2});
    ViewStage stage(make_measured_view(), timed, {1500, 800});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("modelled from"));
    const auto next = measured_scene({8, 64, 2});
    next->timing = nullptr;
    stage.scene = next;
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("modelled from"));
}

TEST(measured_view, uses_what_the_timing_carries) {
    auto scene = measured_scene({12, 64, 2});
    auto timing = std::make_shared<SceneTiming>(*scene->timing);
    analysis::ComparedMetric metric;
    metric.name = "A metric of this test";
    metric.key = "of_this_test";
    metric.unit = "cycles";
    metric.measured = 100;
    metric.modelled = 120;
    timing->compared = {metric};
    scene->timing = timing;
    ViewStage stage(make_measured_view(), scene, {1500, 800});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("A metric of this test, cycles"));
    EXPECT_TRUE(stage.headless.shows("+20 %"));
    EXPECT_FALSE(stage.headless.shows("Block duration"));
}

/// The recording of a catalogue kernel that comes with the program, with its machine level.
std::shared_ptr<Scene> recorded_scene(const char* kernel) {
    LaunchFlags flags;
    flags.target = kernel;
    flags.engine = "recorded";
    auto scene = load_scene(flags);
    if (!scene) throw std::runtime_error(scene.error().message);
    index_scene(*scene);
    scene->timing = time_scene(*scene, {}, [] { return false; });
    scene->machine = machine_code_of(*make_pipeline(), *scene, [] { return false; });
    return std::make_shared<Scene>(std::move(*scene));
}

TEST(measured_view, one_sm_has_reasons_in_the_place_of_a_chart_and_the_machine_code_is_compared_with) {
    const auto scene = recorded_scene("latency_hiding");
    if (const std::string why = why_not_machine_level(*scene); !why.empty()) GTEST_SKIP() << why;
    const trace::Schedule* modelled = scene->machine->timing->as_measured.get();
    ASSERT_TRUE(modelled);
    EXPECT_TRUE(scene->machine->timing->options == TimingOptions{});
    EXPECT_LT(modelled->launch.cycles, scene->machine->timing->schedule->launch.cycles)
        << "warm caches, as it was recorded";
    ViewStage stage(make_measured_view(), scene, {1280, 720});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("modelled from machine code: one SM, caches warm"));
    EXPECT_TRUE(stage.headless.shows("Why they may differ"));
    EXPECT_FALSE(stage.headless.shows("Cycles per block, by SM"));
    EXPECT_TRUE(stage.headless.shows(grouped(modelled->launch.sm_cycles)));
    // `report` states the same time under the same condition.
    LaunchFlags flags;
    flags.target = "latency_hiding";
    flags.engine = "recorded";
    const auto reported = report_of(flags);
    ASSERT_TRUE(reported) << reported.error().message;
    EXPECT_DOUBLE_EQ(reported->report->schedule->cycles_as_measured, modelled->launch.cycles);
    const auto lines = analysis::measured_lines(*reported->report);
    EXPECT_NE(lines.front().find("% (caches warm, as in the recording, with "), std::string::npos)
        << lines.front();
}

TEST(measured_view, perturbation_fits_into_a_line) {
    const auto scene = disturbed_scene();
    trace::Measured measured = *scene->trace->measured;
    EXPECT_TRUE(perturbation_words(measured).starts_with("clean "));
    EXPECT_TRUE(perturbation_words(measured).ends_with(
        " · light ×1.25 (+3 registers) · full ×3 (+8 registers) · 1,234 dropped"))
        << perturbation_words(measured);
    EXPECT_EQ(perturbation_warnings(measured).size(), 3u);
    measured.perturbations.resize(1);
    measured.perturbations[0].traced_registers = measured.perturbations[0].clean_registers + 1;
    EXPECT_TRUE(perturbation_words(measured).ends_with(" · light ×1.25 (+1 register) · 0 dropped"));
    EXPECT_TRUE(perturbation_warnings(measured).empty());
    EXPECT_EQ(microseconds_words(6.1), "6.1 µs");
    EXPECT_EQ(microseconds_words(1250), "1.25 ms");
    measured.perturbations.clear();
    EXPECT_EQ(perturbation_words(measured), "");
}

TEST(measured_view, says_which_repeat_the_times_are_from_where_it_is_no_usual_one) {
    trace::Measured measured;
    trace::Perturbation light;
    light.mode = "light";
    light.traced_us = 32.1;
    light.repeats = 5;
    measured.perturbations = {light};
    EXPECT_EQ(
        repeat_words(measured, 53'900),
        "Times of blocks are from the last of 5 light recordings, which ran 53.9 µs; the median of the 5 is "
        "32.1 µs.");
    EXPECT_EQ(repeat_words(measured, 33'000), "") << "close to the median";
    EXPECT_THAT(repeat_words(measured, 961),
                testing::HasSubstr("blocks ran for 961 ns; the median launch takes"));
    EXPECT_THAT(repeat_words(measured, 961), testing::HasSubstr("with what starts and ends it"))
        << "the two are not the same time";
    measured.perturbations[0].repeats = 1;
    EXPECT_EQ(repeat_words(measured, 53'900), "") << "there is one only";
}

TEST(measured_view, the_status_line_always_names_the_perturbation_while_data_is_measured) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    Layout layout;
    Frame frame(session, layout);
    Headless ui([&](const Theme& theme) { frame.draw(theme); }, {1280, 720});
    session.show(*scheduled_scene({12, 64, 2}));
    ui.frame(2);
    EXPECT_FALSE(ui.find("perturbation"));
    session.show(*disturbed_scene());
    ui.frame(2);
    ASSERT_TRUE(ui.find("perturbation"));
    EXPECT_TRUE(ui.shows("warning · measured · clean "));
    EXPECT_TRUE(ui.shows("1,234 dropped"));
    ASSERT_TRUE(ui.hover("perturbation"));
    ui.frame(2);
    EXPECT_TRUE(ui.shows("Recording overhead, measured on synthetic"));
}

TEST(measured_view, every_view_is_reached_in_a_narrow_window) {
    ScriptedRun script;
    Session session(example_catalogue(), script.run(), script.wake());
    Layout layout;
    Frame frame(session, layout);
    Headless ui([&](const Theme& theme) { frame.draw(theme); }, {1100, 700});
    session.show(*measured_scene({12, 64, 2}));
    ui.frame(2);
    for (const ViewEntry& entry : view_entries()) {
        if (entry.place != ViewPlace::centre) continue;
        const std::string tab = std::string("tab ") + entry.name;
        if (ui.find(tab)) {
            EXPECT_LE(ui.find(tab)->max.x, 1100) << tab;
            ASSERT_TRUE(ui.click(tab));
        } else {
            ASSERT_TRUE(ui.click("tabs more")) << tab;
            ui.frame(2);
            ASSERT_TRUE(ui.find(entry.name)) << tab;
            EXPECT_LE(ui.find(entry.name)->max.x, 1100) << tab;
            ASSERT_TRUE(ui.click(entry.name)) << tab;
        }
        ui.frame(2);
        EXPECT_EQ(frame.state.centre_view, entry.name);
        EXPECT_TRUE(ui.find(tab)) << "the open one has its tab";
    }
}

TEST(measured_view, the_baseline_s_measurements_are_a_ghost) {
    trace::ExampleGpu slower;
    slower.clock_hz = 0.75e9;
    const auto compared = [](std::shared_ptr<Scene> scene) {
        auto timing = std::make_shared<SceneTiming>(*scene->timing);
        timing->compared = analysis::measured_against_modelled(*scene->trace, scene->report.get(),
                                                               timing->as_measured.get(), *scene->gpu);
        scene->timing = timing;
        scene->measured = index_measured(scene->trace);
        return scene;
    };
    ViewStage stage(make_measured_view(), compared(measured_scene({12, 64, 2}, 2)), {1500, 800});
    stage.baseline = compared(measured_scene({12, 64, 6}, 1, slower));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("; first run takes "));
    EXPECT_TRUE(stage.headless.shows("Measured in both runs; outlined: first run"));
    EXPECT_TRUE(stage.headless.find("measured change block_cycles"));
    EXPECT_TRUE(stage.headless.shows("outlined and dashed: the baseline"));
    stage.baseline = scheduled_scene({12, 64, 2}, 3);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run was not measured on a GPU"));
    EXPECT_TRUE(stage.headless.shows("Exact, measured, modelled"));
}

TEST(measured_view, a_name_that_begins_with_its_unit_does_not_repeat_it) {
    analysis::ComparedMetric metric;
    metric.name = "Blocks on an SM";
    metric.unit = "blocks";
    EXPECT_EQ(name_with_unit(metric), "Blocks on an SM");
    metric.name = "Launch time";
    metric.unit = "µs";
    EXPECT_EQ(name_with_unit(metric), "Launch time, µs");
    metric.unit = "";
    EXPECT_EQ(name_with_unit(metric), "Launch time");
}

TEST(measured_view, pairs_only_what_both_runs_measured) {
    analysis::ComparedMetric time, blocks, exact;
    time.key = "time";
    time.measured = 12.0;
    blocks.key = "blocks";
    blocks.measured = 3.0;
    exact.key = "exact";
    exact.exact = 5.0;
    const std::vector<analysis::ComparedMetric> before{exact, time}, after{time, blocks, exact};
    const auto changes = measured_changes(before, after);
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].after->key, "time");
}

}  // namespace
}  // namespace warplens::app
