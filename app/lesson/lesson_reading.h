// LessonReading: one person reading one lesson: the open step, what is known about each step, the
// answers given, and the progress over all lessons. It draws nothing and waits for nothing;
// app/window/lesson/ shows it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lesson/lesson_progress.h"
#include "app/lesson/lesson_task.h"

namespace warplens::app {

struct StepReading {
    PreparedStep prepared;
    bool computed = false;           // `prepared` has its numbers, or says why not
    std::optional<Answer> answer;    // that was given, or the right one after reveal()
    std::optional<Verdict> verdict;  // on it
    bool judging() const { return answer && !verdict && prepared.fault.empty(); }
};

class LessonReading {
  public:
    /// `wake` is called from a thread when there is something new. An empty `progress_path` keeps nothing.
    LessonReading(std::shared_ptr<LessonNumbers> numbers, const std::function<void()>& wake,
                  std::string progress_path);

    /// At the beginning or, when `resumed`, at the first question that was not answered yet.
    void open(std::shared_ptr<const Lesson> lesson, bool resumed);
    void close();
    const Lesson* lesson() const { return lesson_.get(); }

    std::size_t at() const { return at_; }
    const LessonStep& step() const { return lesson_->steps[at_]; }
    const StepReading& reading(std::size_t step) const { return steps_[step]; }
    const StepReading& reading() const { return steps_[at_]; }
    void go_to(std::size_t step);

    /// Of the open step's question, once; the verdict follows.
    void answer(const Answer& answer);
    /// Shows the truth without counting as an answer: for a presenter.
    void reveal();
    /// Every question is open again; the progress stays.
    void forget_answers();

    /// Takes what was computed; call it once a frame. True when there is something new to draw.
    bool poll();
    /// Something of the open step is being computed.
    bool busy() const;

    const LessonProgress& progress() const { return progress_; }
    /// Why the progress could not be saved; empty if it could.
    const std::string& save_fault() const { return save_fault_; }

  private:
    void compute();
    void start(const StepRequest& request);
    void keep(const StepOutcome& outcome);

    LessonTask task_;
    std::string progress_path_;
    LessonProgress progress_;
    std::string save_fault_;
    std::shared_ptr<const Lesson> lesson_;
    std::size_t at_ = 0;
    std::vector<StepReading> steps_;
    std::optional<StepRequest> under_way_;
    std::optional<StepRequest> wanted_;  // an answer that waits to be judged
};

}  // namespace warplens::app
