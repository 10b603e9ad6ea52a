// MachineTask: the machine level of a Scene: executed, timed with the what-if knobs as they are set, and the
// standard questions answered. It begins when the Scene has not changed for a moment, so that nothing is
// executed twice while a knob moves; a newer Scene cancels it. See app/session/latest_task.h for its threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "app/scene/machine_code.h"
#include "app/scene/model.h"
#include "app/scene/scene.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// Executes a Scene's launch at the machine level; called on a thread of its own.
using RunMachine = std::function<std::shared_ptr<const MachineCode>(const Scene& scene,
                                                                    const std::function<bool()>& cancelled)>;

class MachineTask {
  public:
    struct Answer {
        std::uint64_t generation = 0;  // of the Scene that it is for
        std::shared_ptr<const Scene> of;
        std::shared_ptr<const MachineCode> code;
    };

    /// `wake` is called from the thread when there is an answer.
    explicit MachineTask(std::function<void()> wake = {}) : task_(std::move(wake)) {}
    void set_runner(RunMachine run, std::chrono::milliseconds delay);
    /// Nothing happens without a runner, or when the Scene has all of it. `model` may be empty.
    void start(std::shared_ptr<const Scene> scene, const Model& model, const TimingOptions& options);
    void cancel() { task_.cancel(); }
    /// The newest answer, once: the times come before the questions' answers.
    std::optional<Answer> take() { return task_.take(); }

  private:
    RunMachine run_;
    std::chrono::milliseconds delay_{};
    LatestTask<Answer> task_;  // last: it must end before what it uses
};

}  // namespace warplens::app
