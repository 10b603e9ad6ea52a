// From a turned knob to the new picture's data, for every kernel of the catalogue at its default size: the
// window's own path, Pipeline::run_scene. `warm` has the compiled kernel in memory (a run-time parameter
// changed), `compile` compiles anew each time (a compile-time parameter changed to a value never seen; the
// disk cache is off).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>

#include "app/command_line/target.h"
#include "app/pipeline.h"
#include "app/session.h"
#include "app/telling_spot.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/compile/compiler.h"

namespace {

using warplens::app::Pipeline;
using warplens::app::RunRequest;
using Kernel = std::shared_ptr<const warplens::instrumentation::KernelFile>;

std::shared_ptr<Pipeline> uncached_pipeline() {
    warplens::instrumentation::CompilerOptions options;
    if (auto folders = warplens::instrumentation::installed_folders())
        options.assets_folder = folders->assets;
    return std::make_shared<Pipeline>(warplens::instrumentation::make_compiler(options));
}

void run(benchmark::State& state, Pipeline& pipeline, const Kernel& kernel) {
    RunRequest request;
    request.kernel = kernel;
    auto scene = pipeline.run_scene(request, [] { return false; });
    if (!scene) {
        state.SkipWithError(scene.error().message.c_str());
        return;
    }
    const std::string view = kernel->views.empty() ? "banks" : kernel->views.front();
    benchmark::DoNotOptimize(warplens::app::telling_spot(*scene, view));
    state.counters["blocks"] = static_cast<double>(scene->blocks_executed);
    state.counters["steps"] = static_cast<double>(scene->report->steps);
}

void warm(benchmark::State& state, const Kernel& kernel) {
    static const auto pipeline = warplens::app::make_pipeline();
    for (auto _ : state) run(state, *pipeline, kernel);
}

void compile(benchmark::State& state, const Kernel& kernel) {
    for (auto _ : state) {
        state.PauseTiming();
        const auto pipeline = uncached_pipeline();
        state.ResumeTiming();
        run(state, *pipeline, kernel);
    }
}

}  // namespace

int main(int argument_count, char** arguments) {
    auto kernels = warplens::app::catalogue();
    if (!kernels) {
        std::fprintf(stderr, "%s\n", kernels.error().message.c_str());
        return 2;
    }
    for (const auto& each : *kernels) {
        const auto kernel = std::make_shared<const warplens::instrumentation::KernelFile>(each);
        const auto add = [&](const char* how, void (*body)(benchmark::State&, const Kernel&)) {
            benchmark::RegisterBenchmark((each.name + "/" + how).c_str(), body, kernel)
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
        };
        add("warm", warm);
        add("compile", compile);
    }
    benchmark::Initialize(&argument_count, arguments);
    benchmark::RunSpecifiedBenchmarks();
}
