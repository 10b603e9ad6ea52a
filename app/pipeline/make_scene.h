// make_scene: what the window shows of a launch, from the launch itself and what an engine made of it. The
// same for every engine. The Scene is not timed: see app/scene/time_scene.h.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "analysis/report/launch_report.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/scene.h"
#include "trace/trace.h"

namespace warplens::app {

/// What an engine makes of a launch for a picture.
struct PictureRun {
    std::shared_ptr<const analysis::LaunchReport> report;
    std::shared_ptr<const trace::Trace> trace;
    std::string notice;  // for Scene::notice; empty: the launch's own note
};
using RunPicture = std::function<Result<PictureRun>(LoadedLaunch launch)>;

/// Runs a loaded launch with `run` and assembles the Scene.
Result<Scene> make_scene(LoadedLaunch launch, Engine engine, const RunPicture& run);

/// A recorded launch as the window shows it.
Scene scene_of_trace(std::shared_ptr<const trace::Trace> trace);

}  // namespace warplens::app
