// LessonTask: computes what a step of a lesson shows — its words with their numbers, the truth of its
// question, the verdict on an answer — on a thread of its own, from LessonNumbers. One step at a time; a
// newer one cancels the older. What has been computed is kept by app/lesson/lesson_reading.h.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/lesson/answers.h"
#include "app/session/latest_task.h"

namespace warplens::app {

/// A step's words as Markdown. What cannot be computed is "…" in them.
struct PreparedStep {
    std::string prose, ask, notes;
    std::optional<Truth> truth;
    std::string fault;  // why something is missing; empty: nothing is
};

struct StepRequest {
    std::shared_ptr<const Lesson> lesson;
    std::size_t step = 0;
    std::optional<Answer> answer;  // to be judged
    bool reveal = false;           // judge the right answer instead
};

struct StepOutcome {
    StepRequest request;
    PreparedStep prepared;
    std::optional<Verdict> verdict;
};

class LessonTask {
  public:
    /// `numbers` is used on the thread alone from now on.
    LessonTask(std::shared_ptr<LessonNumbers> numbers, std::function<void()> wake);
    void start(StepRequest request);
    void cancel() { task_.cancel(); }
    bool running() const { return task_.running(); }
    std::optional<StepOutcome> take() { return task_.take(); }

  private:
    std::shared_ptr<LessonNumbers> numbers_;
    LatestTask<StepOutcome> task_;  // last: its thread must end before what it uses
};

/// The words of a step before its numbers are known.
PreparedStep unprepared(const LessonStep& step);

}  // namespace warplens::app
