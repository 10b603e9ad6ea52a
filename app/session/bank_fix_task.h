// BankFixTask: the one search for a better layout of a shared array that a window works on, over the requests
// that the Scene's trace holds. Only the newest search counts. See app/session/latest_task.h for its threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "app/pipeline/bank_fix_run.h"
#include "app/scene/scene.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// What a view draws of it.
struct BankFixState {
    std::uint64_t generation = 0;  // of the Scene that was searched; 0: nothing was started
    std::string array;             // that was searched for
    bool running = false;
    std::shared_ptr<const BankFixRun> found;  // null until it is known
    std::string failure;                      // why there is none
};

/// The whole search, on the caller's thread. `array` empty: the one that wastes most wavefronts.
BankFixState bank_fixes_of(const Scene& scene, const std::string& array);

class BankFixTask {
  public:
    /// `wake` is called from the thread when there is an answer.
    explicit BankFixTask(std::function<void()> wake = {}) : task_(std::move(wake)) {}
    void start(std::shared_ptr<const Scene> scene, std::string array);
    /// Takes the answer; true when there is one.
    bool poll();
    const BankFixState& state() const { return state_; }

  private:
    BankFixState state_;
    LatestTask<BankFixState> task_;
};

}  // namespace warplens::app
