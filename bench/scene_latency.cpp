// From a changed knob to the new picture's data, for every kernel of the catalogue at its default size: the
// window's own path, Pipeline::run_scene and then the timing model. `warm` has the compiled kernel in memory
// (a run-time parameter changed), `compile` compiles again each time (a compile-time parameter changed to a
// value never seen; the disk cache is off); `model` is what timing adds to either; `what_if` is a turned
// what-if knob; `questions` are all standard questions, which are answered in the background.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "app/pipeline/pipeline.h"
#include "app/scene/default_selection.h"
#include "app/scene/time_scene.h"
#include "app/session/session.h"
#include "bench/each_kernel.h"
#include "instrumentation/compile/compiler.h"

namespace {

using warplens::app::Pipeline;
using warplens::app::RunRequest;
using warplens::bench::Kernel;

std::shared_ptr<Pipeline> uncached_pipeline() {
    warplens::instrumentation::CompilerOptions options;
    if (auto folders = warplens::instrumentation::installed_folders())
        options.assets_folder = folders->assets;
    return std::make_shared<Pipeline>(warplens::instrumentation::make_compiler(options));
}

warplens::Result<warplens::app::Scene> scene_of(Pipeline& pipeline, const Kernel& kernel) {
    RunRequest request;
    request.kernel = kernel;
    return pipeline.run_scene(request, [] { return false; });
}

/// A table of `--benchmark_format=csv` has the same counters in each row, also in those of benchmarks that
/// end with an error; what a benchmark does not count is 0.
void begin_counters(benchmark::State& state) {
    for (const char* name :
         {"blocks", "steps", "blocks_modelled", "blocks_on_sm", "resident", "sm_cycles", "cycles"})
        state.counters[name] = 0;
}

void run(benchmark::State& state, Pipeline& pipeline, const Kernel& kernel) {
    auto scene = scene_of(pipeline, kernel);
    if (!scene) {
        state.SkipWithError(scene.error().message.c_str());
        return;
    }
    const std::string view = kernel->views.empty() ? "banks" : kernel->views.front();
    benchmark::DoNotOptimize(warplens::app::default_selection(*scene, view));
    state.counters["blocks"] = static_cast<double>(scene->blocks_executed);
    state.counters["steps"] = static_cast<double>(scene->report->steps);
}

void warm(benchmark::State& state, const Kernel& kernel) {
    begin_counters(state);
    static const auto pipeline = warplens::app::make_pipeline();
    for (auto _ : state) run(state, *pipeline, kernel);
}

void compile(benchmark::State& state, const Kernel& kernel) {
    begin_counters(state);
    for (auto _ : state) {
        state.PauseTiming();
        const auto pipeline = uncached_pipeline();
        state.ResumeTiming();
        run(state, *pipeline, kernel);
    }
}

/// Runs `body(scene)` on the kernel's Scene, timed as the GPU is when `timed`.
template <class Body>
void with_scene(benchmark::State& state, const Kernel& kernel, bool timed, Body&& body) {
    begin_counters(state);
    static const auto pipeline = warplens::app::make_pipeline();
    auto scene = scene_of(*pipeline, kernel);
    if (!scene) {
        state.SkipWithError(scene.error().message.c_str());
        return;
    }
    const auto timing = warplens::app::time_scene(*scene, {}, [] { return false; });
    if (!timing->schedule) {
        state.SkipWithError(timing->absent.c_str());
        return;
    }
    if (timed) scene->timing = timing;
    for (auto _ : state) body(*scene);
    const auto& launch = timing->schedule->launch;
    state.counters["blocks_modelled"] = static_cast<double>(launch.blocks_modelled);
    state.counters["blocks_on_sm"] = static_cast<double>(launch.blocks_on_sm);
    state.counters["resident"] = static_cast<double>(timing->schedule->resident_blocks);
    state.counters["sm_cycles"] = static_cast<double>(timing->schedule->totals.cycles);
    state.counters["cycles"] = launch.cycles;
}

void model(benchmark::State& state, const Kernel& kernel) {
    with_scene(state, kernel, false, [](const warplens::app::Scene& scene) {
        benchmark::DoNotOptimize(warplens::app::time_scene(scene, {}, [] { return false; }));
    });
}

void what_if(benchmark::State& state, const Kernel& kernel) {
    warplens::TimingOptions options;
    options.no_bank_conflicts = options.perfect_coalescing = true;
    with_scene(state, kernel, true, [&](const warplens::app::Scene& scene) {
        benchmark::DoNotOptimize(warplens::app::time_scene(scene, options, [] { return false; }));
    });
}

void questions(benchmark::State& state, const Kernel& kernel) {
    with_scene(state, kernel, true, [](const warplens::app::Scene& scene) {
        benchmark::DoNotOptimize(warplens::app::answer_questions(scene, {}));
    });
}

}  // namespace

int main(int argument_count, char** arguments) {
    return warplens::bench::run_each_kernel(argument_count, arguments,
                                            {{"warm", warm},
                                             {"compile", compile},
                                             {"model", model},
                                             {"what_if", what_if},
                                             {"questions", questions}});
}
