// View stage: one view alone in a headless window, with a Selection that works as the frame's does. For tests
// of views.
#pragma once

#include <memory>
#include <utility>

#include "analysis/report/launch_report.h"
#include "app/views/view.h"
#include "tests/support/headless.h"
#include "tests/support/synthetic.h"
#include "tests/support/synthetic_measured.h"
#include "tests/support/synthetic_schedule.h"

namespace warplens::app {

class ViewStage {
  public:
    ViewStage(std::unique_ptr<View> view, std::shared_ptr<const Scene> scene, ImVec2 size = {1100, 760},
              ThemeName theme = ThemeName::dark, float scale = 1)
        : scene(std::move(scene)),
          headless([this](const Theme& drawn) { draw(drawn); }, size, theme, scale),
          view_(std::move(view)) {}

    /// What the view asked to hover in the last frame.
    Spot hovered() const { return selection.hover; }

    std::shared_ptr<const Scene> scene;  // null: no kernel has run yet
    bool interactive = true;
    bool motion = false;
    bool modelling = false;
    Level counts = Level::ptx;
    const SweepState* sweep = nullptr;
    const BankFixState* bank_fixes = nullptr;
    std::shared_ptr<const Scene> baseline;  // null: nothing is compared
    const AdviceState* advice = nullptr;
    const ValuesState *values = nullptr, *baseline_values = nullptr;
    std::string_view open_view = {};
    Selection selection;
    Commands commands;
    Headless headless;

  private:
    void draw(const Theme& theme) {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin(
            "stage", nullptr,
            ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
        ViewFrame frame{scene.get(), selection, commands, theme, interactive, motion};
        frame.modelling = modelling;
        frame.counts = counts;
        frame.sweep = sweep;
        frame.bank_fixes = bank_fixes;
        frame.baseline = baseline.get();
        frame.baseline_name = "first run";
        frame.scene_name = "second run";
        frame.advice = advice;
        frame.values = values;
        frame.baseline_values = baseline_values;
        frame.open_view = open_view;
        if (scene && scene->timing) frame.timing = scene->timing->options;
        view_->draw(frame);
        ImGui::End();
        selection.hover = selection.next_hover;
        selection.next_hover = {};
    }

    std::unique_ptr<View> view_;
};

/// tests/support/synthetic.h's example at some size, with its report.
inline std::shared_ptr<Scene> stage_scene(const trace::ExampleShape& shape, std::uint64_t generation = 1) {
    auto scene = std::make_shared<Scene>();
    auto recorded = std::make_shared<trace::Trace>(trace::make_example(shape));
    analysis::LaunchFold fold(recorded->program);
    trace::run_example(shape, fold);
    auto report = std::make_shared<analysis::LaunchReport>(fold.report());
    scene->generation = generation;
    scene->gpu = &default_gpu();
    scene->trace = std::move(recorded);
    scene->report = std::move(report);
    scene->blocks_executed = shape.blocks;
    scene->blocks_in_grid = 1024;
    return scene;
}

/// The same with tests/support/synthetic_schedule.h's times.
inline std::shared_ptr<Scene> scheduled_scene(const trace::ExampleShape& shape, std::uint64_t generation = 1,
                                              const trace::ExampleSm& sm = {}) {
    auto scene = stage_scene(shape, generation);
    auto timing = std::make_shared<SceneTiming>();
    timing->schedule = std::make_shared<trace::Schedule>(trace::make_example_schedule(*scene->trace, sm));
    timing->baseline = timing->schedule;
    timing->limiting = analysis::limiting_sentence(*timing->schedule, default_gpu());
    scene->timing = std::move(timing);
    return scene;
}

/// The same with tests/support/synthetic_measured.h's clocks in addition to the schedule.
inline std::shared_ptr<Scene> measured_scene(const trace::ExampleShape& shape, std::uint64_t generation = 1,
                                             const trace::ExampleGpu& gpu = {}) {
    auto scene = scheduled_scene(shape, generation);
    auto measured = std::make_shared<trace::Trace>(*scene->trace);
    measured->launch.provenance = Provenance::measured;
    measured->measured =
        std::make_shared<const trace::Measured>(trace::make_example_measured(*scene->trace, gpu));
    scene->trace = std::move(measured);
    auto timing = std::make_shared<SceneTiming>(*scene->timing);
    timing->as_measured = timing->schedule;
    scene->timing = std::move(timing);
    return scene;
}

/// Index into Trace::accesses of the n-th request (0 first) of a source line in a space; no_access when there
/// is none.
inline std::uint64_t find_request(const trace::Trace& trace, Space space, std::uint32_t line,
                                  std::size_t nth = 0) {
    for (std::uint64_t at = 0; at < trace.accesses.size(); ++at)
        if (trace.accesses[at].space == space && trace.program.sites[trace.accesses[at].site].line == line &&
            nth-- == 0)
            return at;
    return no_access;
}

}  // namespace warplens::app
