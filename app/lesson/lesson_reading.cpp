#include "app/lesson/lesson_reading.h"

#include <algorithm>

namespace warplens::app {

LessonReading::LessonReading(std::shared_ptr<LessonNumbers> numbers, const std::function<void()>& wake,
                             std::string progress_path)
    : task_(std::move(numbers), wake),
      progress_path_(std::move(progress_path)),
      progress_(progress_path_.empty() ? LessonProgress{} : load_progress(progress_path_)) {}

void LessonReading::open(std::shared_ptr<const Lesson> lesson, bool resumed) {
    close();
    lesson_ = std::move(lesson);
    for (const LessonStep& step : lesson_->steps) steps_.push_back({unprepared(step), false, {}, {}});
    const auto answered = progress_.answered.find(lesson_->name);
    if (resumed && answered != progress_.answered.end() && !progress_.finished(*lesson_)) {
        const auto next = std::ranges::find_if(lesson_->steps, [&](const LessonStep& step) {
            return step.question && !answered->second.contains(step.title);
        });
        at_ = static_cast<std::size_t>(next - lesson_->steps.begin());
    }
    compute();
}

void LessonReading::close() {
    task_.cancel();
    under_way_.reset();
    wanted_.reset();
    lesson_.reset();
    steps_.clear();
    at_ = 0;
}

void LessonReading::forget_answers() {
    wanted_.reset();
    for (StepReading& reading : steps_) {
        reading.answer.reset();
        reading.verdict.reset();
    }
    compute();
}

void LessonReading::go_to(std::size_t step) {
    if (step >= steps_.size() || step == at_) return;
    at_ = step;
    compute();
}

void LessonReading::answer(const Answer& answer) {
    StepReading& reading = steps_[at_];
    if (!step().question || reading.answer) return;
    reading.answer = answer;
    wanted_ = StepRequest{lesson_, at_, answer, false};
    compute();
}

void LessonReading::reveal() {
    if (!step().question || steps_[at_].verdict) return;
    wanted_ = StepRequest{lesson_, at_, std::nullopt, true};
    compute();
}

/// An answer first, then the open step, then those that come next.
void LessonReading::compute() {
    if (wanted_) return start(*wanted_);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const std::size_t step = (at_ + i) % steps_.size();
        if (!steps_[step].computed) return start({lesson_, step, std::nullopt, false});
    }
}

void LessonReading::start(const StepRequest& request) {
    if (under_way_ && request.step == under_way_->step && request.reveal == under_way_->reveal &&
        request.answer.has_value() == under_way_->answer.has_value())
        return;
    under_way_ = request;
    task_.start(request);
}

void LessonReading::keep(const StepOutcome& outcome) {
    StepReading& reading = steps_[outcome.request.step];
    reading.prepared = outcome.prepared;
    reading.computed = true;
    if (!wanted_ || wanted_->step != outcome.request.step) return;
    if (!wanted_->reveal && !outcome.request.answer) return;  // computed before the answer was given
    if (wanted_->reveal && !outcome.request.reveal) return;
    const bool counts = !wanted_->reveal;
    wanted_.reset();
    reading.verdict = outcome.verdict;
    if (!outcome.verdict) return;
    reading.answer = outcome.request.answer;
    if (!counts) return;
    progress_.set(*lesson_, lesson_->steps[outcome.request.step], outcome.verdict->right);
    const Status saved = save_progress(progress_, progress_path_);
    save_fault_ = saved ? "" : saved.error().message;
}

bool LessonReading::poll() {
    auto outcome = task_.take();
    if (!outcome) return false;
    under_way_.reset();
    keep(*outcome);
    compute();
    return true;
}

bool LessonReading::busy() const { return lesson_ && (wanted_ || !steps_[at_].computed); }

}  // namespace warplens::app
