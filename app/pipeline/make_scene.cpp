#include "app/pipeline/make_scene.h"

#include <utility>

#include "trace/query.h"

namespace warplens::app {

Result<Scene> make_scene(LoadedLaunch launch, Engine engine, const RunPicture& run) {
    Scene scene;
    scene.generation = 1;
    scene.engine = engine;
    scene.kernel = launch.kernel;
    scene.parameters = launch.prepared.parameters;
    scene.gpu = launch.gpu;
    scene.blocks_in_grid = launch.launch.geometry.blocks();
    scene.notice = launch.note;
    scene.doubt = launch.doubt;
    WARPLENS_TRY(auto made, run(std::move(launch)));
    scene.blocks_executed = made.report->blocks_executed;
    scene.report = std::move(made.report);
    scene.trace = std::move(made.trace);
    if (!made.notice.empty()) scene.notice = std::move(made.notice);
    return scene;
}

Scene scene_of_trace(std::shared_ptr<const trace::Trace> trace) {
    Scene scene;
    scene.generation = 1;
    const auto gpu = find_gpu(trace->launch.gpu);
    scene.gpu = gpu ? *gpu : &default_gpu();
    scene.blocks_in_grid = trace->launch.geometry.blocks();
    scene.blocks_executed = trace::recorded_blocks(*trace).size();
    for (const auto& [name, value] : trace->launch.parameters) scene.parameters[name] = value;
    scene.report = fold_trace(*trace);
    scene.engine = Engine::recorded;
    scene.trace = std::move(trace);
    return scene;
}

}  // namespace warplens::app
