// SweepDesk: the one sweep that a window works on, on a thread of its own. A newer one gives up the older;
// the last finished one stays until a new one is whole. All calls come from the UI thread, and none waits but
// for the destructor, which waits for the threads to notice that they are given up.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/pipeline/sweep.h"

namespace warplens::app {

/// What a view draws of it.
struct SweepState {
    bool possible = false;  // there is somebody who runs sweeps
    bool running = false;
    std::size_t done = 0, points = 0;    // of the one that runs
    std::shared_ptr<const Sweep> sweep;  // the last that finished; null: none yet
    std::string failure;                 // why the last gave none
};

class SweepDesk {
  public:
    ~SweepDesk();
    /// `wake` is called from the thread when something has happened.
    void employ(RunSweep run, std::function<void()> wake);
    void start(SweepRequest request);
    void cancel();
    /// Takes what the thread has done since; true when there is something new to draw.
    bool poll();
    const SweepState& state() const { return state_; }

  private:
    RunSweep run_;
    std::function<void()> wake_;
    SweepState state_;
    std::atomic<std::size_t> done_ = 0;
    std::mutex mutex_;
    std::optional<Result<Sweep>> finished_;  // guarded by mutex_
    std::shared_ptr<std::atomic<bool>> given_up_;
    std::vector<std::jthread> workers_;  // last: they must end before what they use
};

}  // namespace warplens::app
