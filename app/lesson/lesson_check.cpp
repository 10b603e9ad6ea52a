#include "app/lesson/lesson_check.h"

#include <cmath>
#include <set>

#include "app/lesson/answers.h"

namespace warplens::app {
namespace {

class Checking {
  public:
    Checking(const Lesson& lesson, LessonNumbers& numbers, const TryPicture& try_picture, LessonCheck& found)
        : lesson_(lesson), numbers_(numbers), try_picture_(try_picture), found_(found) {}

    void all() {
        for (const LessonRun& run : lesson_.runs) launchable(run);
        // Whatever else such a run would make wrong has the same reason.
        if (!found_.faults.empty()) return;
        for (const auto& [name, value] : lesson_.values) {
            const auto number = evaluate(value.text, numbers_.reader(lesson_, lesson_.runs.front()));
            if (!number) fault(value.line, number.error());
        }
        for (const LessonStep& step : lesson_.steps) {
            prose(step.prose, "main");
            prose(step.notes, "main");
            if (step.picture) picture(*step.picture);
            if (step.question) question(step, *step.question);
        }
    }

  private:
    void fault(int line, const Error& error) {
        const std::string place = lesson_.path + ":";
        found_.faults.push_back(error.message.starts_with(place)
                                    ? error.message
                                    : fmt::format("{}{}: {}", place, line, error.message));
    }

    /// A run that takes the fault over from the header's does not repeat it.
    void launchable(const LessonRun& run) {
        const auto kernel = numbers_.kernel(run.kernel);
        const Status status = kernel ? numbers_.can_launch(run) : tl::unexpected(kernel.error());
        if (status || !said_.insert(status.error().message).second) return;
        fault(kernel ? run.set_line : run.line, status.error());
    }

    void prose(const LessonText& text, const std::string& run) {
        if (const auto words = filled(lesson_, run, text, numbers_); !words) fault(text.line, words.error());
    }

    void picture(const LessonPicture& picture) {
        if (auto status = try_picture_(lesson_, picture); !status) fault(picture.line, status.error());
    }

    void question(const LessonStep& step, const LessonQuestion& asked) {
        const auto truth = truth_of(lesson_, asked, numbers_);
        if (!truth) return fault(asked.line, truth.error());
        found_.questions.push_back({step.title, asked.ask.text, truth->words});
        prose(asked.ask, asked.run);
        if (asked.reveal) picture(*asked.reveal);
        for (const Answer& answer : answers(asked, *truth)) {
            const auto verdict = judge(lesson_, asked, *truth, answer, numbers_);
            if (!verdict) fault(asked.line, verdict.error());
        }
        mistakes(asked, *truth);
    }

    /// One right answer and one for each explanation there is.
    std::vector<Answer> answers(const LessonQuestion& asked, const Truth& truth) {
        std::vector<Answer> answers;
        for (std::size_t option = 0; option < truth.options.size(); ++option)
            answers.push_back({0, option, 0});
        if (asked.kind == QuestionKind::choice) return answers;
        const double number = truth.number.value_or(0);
        return {{number, 0, truth.line}, {number + 1 + std::abs(number), 0, truth.line + 1}};
    }

    /// A mistake that is the right answer, or that nobody can make, is a fault of the lesson.
    void mistakes(const LessonQuestion& asked, const Truth& truth) {
        for (const LessonOption& mistake : asked.mistakes) {
            Answer answer;
            if (asked.kind == QuestionKind::line) {
                const auto line = numbers_.line_with(lesson_.run(asked.run)->kernel, mistake.at);
                if (!line) return fault(mistake.says.line, line.error());
                answer.line = *line;
            } else {
                const auto read = numbers_.reader(lesson_, *lesson_.run(asked.run));
                const auto value = evaluate(mistake.is.text, [&](const std::string& name) {
                    return name == "truth" ? Result<double>(*truth.number) : read(name);
                });
                if (!value) return fault(mistake.is.line, value.error());
                answer.number = *value;
            }
            const auto verdict = judge(lesson_, asked, truth, answer, numbers_);
            if (!verdict) fault(mistake.says.line, verdict.error());
            else if (verdict->right)
                fault(mistake.says.line,
                      Error{fmt::format("this mistake is the right answer, {}", truth.words)});
        }
    }

    const Lesson& lesson_;
    LessonNumbers& numbers_;
    const TryPicture& try_picture_;
    LessonCheck& found_;
    std::set<std::string> said_;  // why runs cannot be launched
};

}  // namespace

LessonCheck check_lesson(const Lesson& lesson, LessonNumbers& numbers, const TryPicture& try_picture) {
    LessonCheck found;
    Checking(lesson, numbers, try_picture, found).all();
    return found;
}

}  // namespace warplens::app
