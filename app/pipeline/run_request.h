// RunRequest: the input of one run of a kernel, and RunScene: the function that runs it. The session posts
// requests to a worker thread; app/pipeline/engines.h is the real RunScene, and tests inject others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/scene/engine.h"
#include "app/scene/scene.h"
#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

struct RunRequest {
    std::shared_ptr<const instrumentation::KernelFile> kernel;
    std::map<std::string, std::string> overrides;  // by parameter name; parameters absent keep their default
    std::string gpu;                               // GpuSpec name; empty: default_gpu()
    std::uint64_t block_limit = 0;  // limit of executed blocks; 0: as many as a picture's time allows
    Engine engine = Engine::simt;
    bool trees = true;  // whether reductions and scans are searched for
};

/// Runs on a worker thread. `cancelled` is asked now and then; once it returns true the result is discarded,
/// so any error may be returned then.
using RunScene =
    std::function<Result<Scene>(const RunRequest& request, const std::function<bool()>& cancelled)>;

}  // namespace warplens::app
