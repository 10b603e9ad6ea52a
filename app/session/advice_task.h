// AdviceTask: the trial of changes for the Scene that a window shows. It begins when the Scene has not
// changed for a moment, so that nothing is tried while a knob moves; a newer trial cancels it. See
// app/session/latest_task.h for its threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "app/pipeline/advice/advise.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// What a view draws.
struct AdviceState {
    std::uint64_t generation = 0;  // of the Scene that it is for; 0: nothing was started
    bool running = false;
    std::shared_ptr<const Advice> advice;  // null until it is known
};

class AdviceTask {
  public:
    /// `wake` is called from the thread when there is an answer.
    explicit AdviceTask(std::function<void()> wake = {}) : task_(std::move(wake)) {}
    void set_adviser(Advise advise, std::chrono::milliseconds delay);
    /// Nothing happens without an adviser, or when the generation has its advice.
    void start(AdviceRequest request, std::uint64_t generation);
    /// The same again with more time, for advice that is not complete; what was found stays until then.
    void go_on(AdviceRequest request);
    void show(std::shared_ptr<const Advice> advice, std::uint64_t generation);
    void cancel();
    /// Takes the answer; true when there is one.
    bool poll();
    const AdviceState& state() const { return state_; }

  private:
    void run(AdviceRequest request, std::chrono::milliseconds delay);

    Advise advise_;
    std::chrono::milliseconds delay_{};
    AdviceState state_;
    int patience_ = 1;         // of the last trial
    LatestTask<Advice> task_;  // last: it must end before what it uses
};

}  // namespace warplens::app
