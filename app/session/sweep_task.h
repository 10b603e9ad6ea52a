// SweepTask: the one sweep that a window works on. A newer one cancels the older; the last complete sweep
// stays until a new one is complete. See app/session/latest_task.h for its threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/pipeline/sweep.h"
#include "app/scene/scene.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// What a view draws of it.
struct SweepState {
    bool possible = false;  // there is a RunSweep
    bool running = false;
    std::size_t done = 0, points = 0;    // of the sweep that runs
    std::shared_ptr<const Sweep> sweep;  // the last complete one; null: none yet
    /// The same sweep of the baseline's kernel and parameters, and that kernel; null: none was asked for, or
    /// it failed.
    std::shared_ptr<const Sweep> before;
    std::shared_ptr<const instrumentation::KernelFile> before_kernel;
    std::string failure;  // why the last one failed
};

/// The sweep of a run over these values; nothing if its kernel lacks one of the parameters.
std::optional<SweepRequest> sweep_of_run(const Scene& scene, const SweepPlan& plan);
/// Both runs are points of one sweep: they differ in the swept parameters alone.
bool on_one_sweep(const Scene& a, const Scene& b, const SweepPlan& plan);

class SweepTask {
  public:
    /// `wake` is called from the thread when a point is done, and at the end.
    explicit SweepTask(std::function<void()> wake = {}) : task_(std::move(wake)) {}
    void set_runner(RunSweep run);
    /// `before`: of the baseline, run after the other.
    void start(SweepRequest request, std::optional<SweepRequest> before = {});
    void cancel();
    /// Takes what the thread has done since; true when there is something new to draw.
    bool poll();
    const SweepState& state() const { return state_; }

  private:
    RunSweep run_;
    SweepState state_;
    std::atomic<std::size_t> done_ = 0;
    struct Swept {
        Result<Sweep> sweep;
        std::shared_ptr<const Sweep> before;
        std::shared_ptr<const instrumentation::KernelFile> before_kernel;
    };
    LatestTask<Swept> task_;  // last: it must end before what it uses
};

}  // namespace warplens::app
