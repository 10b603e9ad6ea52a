// SweepTask: the one sweep that a window works on. A newer one cancels the older; the last complete sweep
// stays until a new one is complete. See app/session/latest_task.h for its threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "app/pipeline/sweep.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// What a view draws of it.
struct SweepState {
    bool possible = false;  // there is a RunSweep
    bool running = false;
    std::size_t done = 0, points = 0;    // of the sweep that runs
    std::shared_ptr<const Sweep> sweep;  // the last complete one; null: none yet
    std::string failure;                 // why the last one failed
};

class SweepTask {
  public:
    /// `wake` is called from the thread when a point is done, and at the end.
    explicit SweepTask(std::function<void()> wake = {}) : task_(std::move(wake)) {}
    void set_runner(RunSweep run);
    void start(SweepRequest request);
    void cancel();
    /// Takes what the thread has done since; true when there is something new to draw.
    bool poll();
    const SweepState& state() const { return state_; }

  private:
    RunSweep run_;
    SweepState state_;
    std::atomic<std::size_t> done_ = 0;
    LatestTask<Result<Sweep>> task_;  // last: it must end before what it uses
};

}  // namespace warplens::app
