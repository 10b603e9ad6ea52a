// BankFixDesk: the one search for a better layout of a shared array that a window works on, on a thread of
// its own, over the requests that the Scene's trace holds. A newer one gives up the older. All calls come
// from the UI thread, and none waits but for the destructor, which waits for the threads to end.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/pipeline/bank_fix_run.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// What a view draws of it.
struct BankFixState {
    std::uint64_t generation = 0;  // of the Scene that was asked about; 0: nothing was asked
    std::string array;             // that was asked about
    bool running = false;
    std::shared_ptr<const BankFixRun> found;  // null until it is known
    std::string failure;                      // why there is none
};

/// The whole question, on the caller's thread. `array` empty: the one that wastes most wavefronts.
BankFixState bank_fixes_of(const Scene& scene, const std::string& array);

class BankFixDesk {
  public:
    /// `wake` is called from the thread when there is an answer.
    explicit BankFixDesk(std::function<void()> wake = {}) : wake_(std::move(wake)) {}
    ~BankFixDesk();
    BankFixDesk(const BankFixDesk&) = delete;
    BankFixDesk& operator=(const BankFixDesk&) = delete;

    void start(std::shared_ptr<const Scene> scene, std::string array);
    /// Takes the answer; true when there is one.
    bool poll();
    const BankFixState& state() const { return state_; }

  private:
    std::function<void()> wake_;
    BankFixState state_;
    std::uint64_t asked_ = 0;  // UI thread only
    std::mutex mutex_;
    std::uint64_t wanted_ = 0;              // guarded by mutex_: the newest question
    std::optional<BankFixState> finished_;  // guarded by mutex_
    struct Worker {
        std::shared_ptr<std::atomic<bool>> done;
        std::jthread thread;
    };
    std::vector<Worker> workers_;  // last: they must end before what they use
};

}  // namespace warplens::app
