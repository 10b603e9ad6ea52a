// From a selected step to its values, for every kernel of the catalogue at its default size: the window's own
// path, app::values_of_scene. `last` is the last step of the last warp of the picture's last block, for which
// the whole block is executed twice; `worst` is the worst request, which the window selects.
#include <benchmark/benchmark.h>

#include "app/pipeline/values/step_values.h"
#include "app/scene/default_selection.h"
#include "app/scene/index_scene.h"
#include "app/scene/step_spot.h"
#include "bench/each_kernel.h"

namespace {

using warplens::app::Scene;
using warplens::app::Spot;
using warplens::bench::Kernel;

template <class Choose>
void measure(benchmark::State& state, const Kernel& kernel, Choose&& choose) {
    static const auto pipeline = warplens::app::make_pipeline();
    auto scene = pipeline->run_scene({kernel, {}, "", 0, warplens::app::Engine::simt}, [] { return false; });
    if (!scene) return state.SkipWithError(scene.error().message.c_str());
    warplens::app::index_scene(*scene);
    const auto question = warplens::app::question_of_spot(*scene->trace, choose(*scene));
    std::uint64_t before = 0, steps = 0;
    for (auto _ : state) {
        const auto values = warplens::app::values_of_scene(*pipeline, *scene, question, [] { return false; });
        if (!values) return state.SkipWithError(values.error().message.c_str());
        before = values->blocks_before;
        steps = values->steps;
    }
    state.counters["step"] = static_cast<double>(question.at.step);
    state.counters["blocks_before"] = static_cast<double>(before);
    state.counters["steps_again"] = static_cast<double>(steps);
}

void last(benchmark::State& state, const Kernel& kernel) {
    measure(state, kernel, [](const Scene& scene) {
        Spot spot;
        spot.warp_record = static_cast<std::uint32_t>(scene.trace->warps.size() - 1);
        const auto steps = warplens::app::steps_of_warp(*scene.trace, spot.warp_record);
        spot.step = static_cast<std::uint32_t>(steps == 0 ? 0 : steps - 1);
        return spot;
    });
}

void worst(benchmark::State& state, const Kernel& kernel) {
    measure(state, kernel, [](const Scene& scene) { return warplens::app::default_selection(scene); });
}

}  // namespace

int main(int argument_count, char** arguments) {
    return warplens::bench::run_each_kernel(argument_count, arguments, {{"last", last}, {"worst", worst}});
}
