// BaselineTask: executes runs again that an earlier session kept as baselines, and reads their recorded
// traces. BaselineQuestions: asks the model the standard what-if questions about one of them, once it is
// compared with. See app/session/latest_task.h for their threads.
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

/// Opens a .wltrace as a Scene, on a worker thread.
using ReadTrace = std::function<Result<Scene>(const std::string& path)>;

/// A run that was kept, and its name; empty: what it is called by itself.
struct KeptRun {
    RunRequest request;
    std::string name = {};
    std::string file = {};  // of a recorded trace, which is read instead
};

struct BaselineRuns {
    RunScene run;
    ReadTrace read;  // empty: recorded traces are left out
    Model model;
    TimingOptions timing;
    std::vector<KeptRun> kept;
    std::optional<std::size_t> compared;  // index into them
};

/// What came out: runs that failed are missing.
struct FoundBaselines {
    std::vector<Scene> scenes;
    std::vector<std::string> names;       // of `scenes`
    std::vector<std::string> files;       // likewise
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

struct AnsweredBaseline {
    std::shared_ptr<const Scene> of;
    std::shared_ptr<const WhatIf> what_if;
};

class BaselineQuestions {
  public:
    explicit BaselineQuestions(std::function<void()> wake = {}) : task_(std::move(wake)) {}
    /// Once for each Scene; nothing happens when it is answered already or cannot be.
    void ask(const Model& model, const std::shared_ptr<const Scene>& scene);
    void cancel();
    std::optional<AnsweredBaseline> take() { return task_.take(); }

  private:
    std::shared_ptr<const Scene> asked_;
    LatestTask<AnsweredBaseline> task_;
};

}  // namespace warplens::app
