// BaselineTask: executes runs again that an earlier session kept as baselines. See app/session/latest_task.h
// for its threads.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/run_request.h"
#include "app/scene/model.h"
#include "app/scene/scene.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// A run that was kept, and its name; empty: what it is called by itself.
struct KeptRun {
    RunRequest request;
    std::string name = {};
};

struct BaselineRuns {
    RunScene run;
    Model model;
    TimingOptions timing;
    std::vector<KeptRun> kept;
    std::optional<std::size_t> compared;  // index into them
};

/// What came out: runs that failed are missing.
struct FoundBaselines {
    std::vector<Scene> scenes;
    std::vector<std::string> names;       // of `scenes`
    std::optional<std::size_t> compared;  // index into `scenes`
};

class BaselineTask {
  public:
    explicit BaselineTask(std::function<void()> wake = {}) : task_(std::move(wake)) {}
    void start(BaselineRuns runs);
    std::optional<FoundBaselines> take() { return task_.take(); }

  private:
    LatestTask<FoundBaselines> task_;
};

}  // namespace warplens::app
