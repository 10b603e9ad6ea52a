// ValuesTask: the search for a step's values that a window works on. The views ask for what is selected; only
// the newest question counts. See app/session/latest_task.h for its threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/pipeline/values/step_values.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// Runs on a worker thread; values_of_scene on a pipeline.
using ReadValues = std::function<Result<StepValues>(const Scene& scene, const ValuesQuestion& question,
                                                    const std::function<bool()>& cancelled)>;

/// What a view draws. The values of the question before stay until the answer arrives.
struct ValuesState {
    std::uint64_t generation = 0;  // of the Scene that was asked about; 0: nothing was asked
    ValuesQuestion asked;
    bool running = false;
    std::chrono::steady_clock::time_point since;  // when the running question was asked
    std::shared_ptr<const StepValues> found;      // null until it is known
    std::string failure;                          // why there is none
};

/// The answer, on the caller's thread.
ValuesState read_values(const ReadValues& read, const Scene& scene, const ValuesQuestion& question,
                        const std::function<bool()>& cancelled);

class ValuesTask {
  public:
    /// `wake` is called from the thread when there is an answer.
    explicit ValuesTask(std::function<void()> wake = {}) : task_(std::move(wake)) {}
    void set_reader(ReadValues read) { read_ = std::move(read); }
    /// Nothing happens without a reader, or when this is what was asked last. A question that is being read
    /// is cancelled; `patient` finishes it first, so that questions asked in each frame get answers at all.
    void ask(std::shared_ptr<const Scene> scene, const ValuesQuestion& question, bool patient = false);
    /// Takes the answer; true when there is one.
    bool poll();
    const ValuesState& state() const { return state_; }

  private:
    struct Question {
        std::shared_ptr<const Scene> scene;
        ValuesQuestion question;
    };
    void start(Question question);

    ReadValues read_;
    std::optional<Question> next_;  // waits for the one that is being read
    ValuesState state_;
    LatestTask<ValuesState> task_;  // last: it must end before what it uses
};

}  // namespace warplens::app
