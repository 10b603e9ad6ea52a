// ProgramTask: the user's program while it is built and run in the background for the inputs that it gives to
// a kernel (app/pipeline/program_inputs.h). It runs when somebody asks for it, and never by itself: host code
// may do whatever a program does.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/program_inputs.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// Set are the kernel, its entries, the entry wanted and the launch's number.
using RunProgram = std::function<Result<ProgramInputs>(ProgramInputsRequest request)>;

class ProgramTask {
  public:
    explicit ProgramTask(std::function<void()> wake) : task_(std::move(wake)) {}
    void set_runner(RunProgram run) { run_ = std::move(run); }
    /// There is a runner.
    bool possible() const { return run_ != nullptr; }
    void start(ProgramInputsRequest request);
    void cancel() { task_.cancel(); }
    bool running() const { return task_.running(); }
    /// Once, when it has ended.
    std::optional<Result<ProgramInputs>> take() { return task_.take(); }

  private:
    RunProgram run_;
    LatestTask<Result<ProgramInputs>> task_;  // last: it must end before what it uses
};

}  // namespace warplens::app
