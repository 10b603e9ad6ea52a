#include "app/lesson/lesson_task.h"

#include <exception>

#include "app/lesson/expression.h"

namespace warplens::app {
namespace {

std::string blanked(const LessonText& prose) {
    return fill_in(prose.text, [](const std::string&) -> Result<std::string> { return "…"; })
        .value_or(prose.text);
}

class Step {
  public:
    Step(const StepRequest& request, LessonNumbers& numbers)
        : request_(request),
          lesson_(*request.lesson),
          step_(lesson_.steps[request.step]),
          numbers_(numbers),
          outcome_{request, unprepared(step_), std::nullopt} {}

    StepOutcome carry_out() {
        words(step_.prose, "main", outcome_.prepared.prose);
        words(step_.notes, "main", outcome_.prepared.notes);
        if (step_.question) question(*step_.question);
        return std::move(outcome_);
    }

  private:
    void fault(const Error& error) {
        if (outcome_.prepared.fault.empty()) outcome_.prepared.fault = error.message;
    }

    void words(const LessonText& prose, const std::string& run, std::string& into) {
        auto text = filled(lesson_, run, prose, numbers_);
        if (text) into = std::move(*text);
        else fault(text.error());
    }

    void question(const LessonQuestion& asked) {
        words(asked.ask, asked.run, outcome_.prepared.ask);
        auto truth = truth_of(lesson_, asked, numbers_);
        if (!truth) return fault(truth.error());
        outcome_.prepared.truth = std::move(*truth);
        if (!request_.answer && !request_.reveal) return;
        const Truth& known = *outcome_.prepared.truth;
        const Answer right{known.number.value_or(0), known.right_option, known.line};
        outcome_.request.answer = request_.reveal ? right : *request_.answer;
        auto verdict = judge(lesson_, asked, known, *outcome_.request.answer, numbers_);
        if (!verdict) return fault(verdict.error());
        outcome_.verdict = std::move(*verdict);
    }

    const StepRequest& request_;
    const Lesson& lesson_;
    const LessonStep& step_;
    LessonNumbers& numbers_;
    StepOutcome outcome_;
};

StepOutcome failed(const StepRequest& request, std::string why) {
    StepOutcome outcome{request, unprepared(request.lesson->steps[request.step]), std::nullopt};
    outcome.prepared.fault = std::move(why);
    return outcome;
}

}  // namespace

PreparedStep unprepared(const LessonStep& step) {
    PreparedStep words;
    words.prose = blanked(step.prose);
    words.notes = blanked(step.notes);
    if (step.question) words.ask = blanked(step.question->ask);
    return words;
}

LessonTask::LessonTask(std::shared_ptr<LessonNumbers> numbers, std::function<void()> wake)
    : numbers_(std::move(numbers)), task_(std::move(wake)) {}

void LessonTask::start(StepRequest request) {
    task_.start([numbers = numbers_, request = std::move(request)](const auto& turn) {
        numbers->set_cancelled([&turn] { return turn.cancelled(); });
        try {
            turn.deliver(Step(request, *numbers).carry_out());
        } catch (const std::exception& error) {
            turn.deliver(failed(request, fmt::format("This step cannot be computed: {}.", error.what())));
        }
        numbers->set_cancelled({});
    });
}

}  // namespace warplens::app
