// What the timeline costs: opening a schedule (its sums and its density) at 25 million spans, and building a
// frame at 10 million, from the whole down to single cycles, with no display (EGL). Only the view's own work
// is counted, the upload of its image included; drawing is the renderer's.
#include <benchmark/benchmark.h>

#include <time.h>

#include <cmath>
#include <memory>

#include "analysis/time/schedule_sums.h"
#include "app/capture/offscreen.h"
#include "app/scene/density_pyramid.h"
#include "app/ui/imgui_compat.h"
#include "app/views/view.h"
#include "tests/support/synthetic_schedule.h"

namespace warplens::app {

std::unique_ptr<View> make_timeline_view();

namespace {

struct Example {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const trace::Schedule> schedule;
};

/// Processor time of this thread alone: the renderer has threads of its own.
double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Made once a size, because making it takes longer than what is measured.
const Example& example(std::uint64_t spans) {
    static std::uint64_t made = 0;
    static Example kept;
    if (made != spans) {
        kept = {};
        kept.trace = std::make_shared<trace::Trace>(trace::make_example(trace::shape_for_spans(spans)));
        kept.schedule = std::make_shared<trace::Schedule>(trace::make_example_schedule(*kept.trace));
        made = spans;
    }
    return kept;
}

/// A table of `--benchmark_format=csv` has the same counters in each row; what a benchmark does not count is
/// 0.
void begin_counters(benchmark::State& state) {
    for (const char* name : {"spans", "bytes per span", "flight bytes per span"}) state.counters[name] = 0;
}

/// A frame of the view over a whole 1920 x 1080 picture, with this many cycles in sight (0: all).
void build_a_frame(benchmark::State& state) {
    begin_counters(state);
    const Example& from = example(10'000'000);
    Scene scene;
    scene.generation = 1;
    scene.gpu = &default_gpu();
    scene.trace = from.trace;
    auto timing = std::make_shared<SceneTiming>();
    timing->schedule = timing->baseline = from.schedule;
    timing->sums = std::make_shared<analysis::ScheduleSums>(from.schedule);
    timing->density = std::make_shared<DensityPyramid>(*timing->sums);
    scene.timing = timing;

    auto offscreen = Offscreen::open({1920, 1080});
    if (!offscreen) return state.SkipWithError(offscreen.error().message.c_str());
    const auto view = make_timeline_view();
    Selection selection;
    Commands commands;
    double taken = 0;
    const auto draw = [&](const Theme& theme) {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("bench", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
        ViewFrame frame{&scene, selection, commands, theme, true};
        const double begin = thread_seconds();
        view->draw(frame);
        taken = thread_seconds() - begin;
        ImGui::End();
    };
    (*offscreen)->render(draw);
    const auto whole = static_cast<double>(timing->sums->cycles());
    const double wanted = state.range(0) == 0 ? whole : static_cast<double>(state.range(0));
    // As a person does it: the mouse over the plot, Ctrl and the wheel. Each frame zooms a little, in and out
    // in turn, so that nothing can be kept from the last one.
    compat::feed_mouse_position({800, 500});
    (*offscreen)->render(draw, 2);
    const auto zoom = [&](double steps) {
        ImGui::GetIO().KeyCtrl = true;
        compat::feed_wheel(static_cast<float>(steps));
        (*offscreen)->render(draw, 1);
    };
    for (double left = std::log(whole / wanted) / std::log(1 / 0.75); left > 0; left -= 1)
        zoom(std::min(left, 1.0));
    double step = 0.01;
    for (auto _ : state) {
        zoom(step);
        state.SetIterationTime(taken);
        step = -step;
    }
    state.counters["spans"] = static_cast<double>(from.schedule->spans.size());
}

void open_a_schedule(benchmark::State& state) {
    begin_counters(state);
    const Example& from = example(static_cast<std::uint64_t>(state.range(0)));
    const analysis::ScheduleSums sums(from.schedule);
    std::size_t bytes = 0;
    for (auto _ : state) {
        if (state.range(1)) {
            const DensityPyramid density(sums);
            bytes = density.bytes();
        } else {
            const analysis::ScheduleSums again(from.schedule);
            bytes = again.bytes();
        }
        benchmark::ClobberMemory();
    }
    const auto spans = static_cast<double>(from.schedule->spans.size());
    state.counters["spans"] = spans;
    state.counters["bytes per span"] = static_cast<double>(bytes) / spans;
    state.counters["flight bytes per span"] =
        static_cast<double>(from.schedule->flights.size() * sizeof(trace::Flight)) / spans;
}

BENCHMARK(build_a_frame)
    ->ArgName("cycles in sight")
    ->Arg(0)
    ->Arg(2'000'000)
    ->Arg(400'000)
    ->Arg(200'000)
    ->Arg(100'000)
    ->Arg(20'000)
    ->Arg(2'000)
    ->Arg(100)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(open_a_schedule)
    ->ArgNames({"spans", "density"})
    ->Args({25'000'000, 0})
    ->Args({25'000'000, 1})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warplens::app

BENCHMARK_MAIN();
