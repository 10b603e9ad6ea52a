#include "app/lesson/answers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/report/metrics.h"
#include "core/number_text.h"

namespace warplens::app {
namespace {

/// A number, or words that stand for an answer that is not a number.
struct Filling {
    std::optional<double> number;
    std::string words;
};
using Fillings = std::map<std::string, Filling>;  // "truth", "answer"

/// Looks a name up in the values filled in here, then in the lesson.
ReadNumber with(const Fillings& fillings, ReadNumber read) {
    return [&fillings, read = std::move(read)](const std::string& name) -> Result<double> {
        const auto found = fillings.find(name);
        if (found == fillings.end()) return read(name);
        if (found->second.number) return *found->second.number;
        return fail("`{}` is not a number here", name);
    };
}

/// Three digits are enough to read, or four where three look like a whole number, which keeps all of its own.
std::string in_prose(double value) {
    constexpr double whole_from = 1000;
    if (value == std::floor(value) || std::abs(value) >= whole_from) return analysis::metric_value(value);
    const std::string three = fmt::format("{:.3g}", value);
    return three.find('.') == std::string::npos ? fmt::format("{:.4g}", value) : three;
}

Result<std::string> fill_prose(const LessonText& prose, const Fillings& fillings, const ReadNumber& read,
                               const std::string& path) {
    return fill_in(prose.text, [&](const std::string& expression) -> Result<std::string> {
        if (const auto found = fillings.find(expression); found != fillings.end()) return found->second.words;
        const auto value = evaluate(expression, with(fillings, read));
        if (!value) return fail("{}:{}: {}", path, prose.line, value.error().message);
        return in_prose(*value);
    });
}

std::string in_unit(double value, const std::string& unit) {
    const std::string number = analysis::metric_value(value);
    if (unit.empty()) return number;
    // "1 wavefront", but "1 times".
    const bool one_of_many =
        value == 1 && unit.size() > 3 && unit.ends_with("s") && !unit.starts_with("times");
    return number + " " + (one_of_many ? unit.substr(0, unit.size() - 1) : unit);
}

/// The same number, apart from rounding in the last digits.
bool equal(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

class Question {
  public:
    Question(const Lesson& lesson, const LessonQuestion& question, LessonNumbers& numbers)
        : lesson_(lesson),
          question_(question),
          numbers_(numbers),
          run_(*lesson.run(question.run)),
          read_(numbers.reader(lesson, run_)) {}

    Result<Truth> truth() {
        Truth truth;
        if (question_.kind == QuestionKind::line) return truth_line();
        if (!question_.truth.text.empty()) {
            const auto value = evaluate(question_.truth.text, read_);
            if (!value) return at(question_.truth, value.error());
            truth.number = *value;
            truth.words = in_unit(*value, question_.unit);
        }
        if (question_.kind == QuestionKind::choice) WARPLENS_TRY(choose_option(truth));
        return truth;
    }

    Result<Verdict> judge(const Truth& truth, const Answer& answer) {
        Verdict verdict;
        const bool number = truth.number && question_.kind != QuestionKind::line;
        const std::string truth_words = number ? analysis::metric_value(*truth.number) : truth.words;
        Fillings fillings{{"truth", {truth.number, truth_words}}};
        const LessonText* says = &question_.wrong;
        if (question_.kind == QuestionKind::choice) {
            verdict.right = answer.option == truth.right_option;
            if (answer.option >= question_.options.size()) return fail("there is no such option");
            fillings["answer"] = {std::nullopt, truth.options[answer.option]};
            const LessonOption& option = question_.options[answer.option];
            if (!option.says.text.empty()) says = &option.says;
        } else if (question_.kind == QuestionKind::line) {
            verdict.right = answer.line == truth.line;
            fillings["answer"] = {std::nullopt, fmt::format("line {}", answer.line)};
            for (const LessonOption& mistake : question_.mistakes) {
                const auto line = numbers_.line_with(run_.kernel, mistake.at);
                if (!line) return at(mistake.says, line.error());
                if (*line == answer.line) says = &mistake.says;
            }
        } else {
            const double slack = question_.tolerance * std::abs(*truth.number);
            verdict.right =
                std::abs(answer.number - *truth.number) <= slack || equal(answer.number, *truth.number);
            fillings["answer"] = {answer.number, analysis::metric_value(answer.number)};
            for (const LessonOption& mistake : question_.mistakes) {
                const auto value = evaluate(mistake.is.text, with(fillings, read_));
                if (!value) return at(mistake.is, value.error());
                if (equal(answer.number, *value)) says = &mistake.says;
            }
        }
        WARPLENS_TRY(const auto words,
                     fill_prose(verdict.right ? question_.right : *says, fillings, read_, lesson_.path));
        verdict.explanation = words;
        return verdict;
    }

  private:
    tl::unexpected<Error> at(const LessonText& text, const Error& error) const {
        return fail("{}:{}: {}", lesson_.path, text.line, error.message);
    }

    Status choose_option(Truth& truth) {
        std::size_t right = 0;
        const Fillings fillings{{"truth", {truth.number, truth.words}}};
        const ReadNumber read = with(fillings, read_);
        for (const LessonOption& option : question_.options) {
            bool is_right = false;
            if (!option.is.text.empty()) {
                const auto value = evaluate(option.is.text, read);
                if (!value) return at(option.is, value.error());
                is_right = equal(*value, *truth.number);
                truth.options.push_back(in_unit(*value, question_.unit));
            } else {
                const auto value = holds(option.when.text, read);
                if (!value) return at(option.when, value.error());
                is_right = *value;
                WARPLENS_TRY(const auto words, fill_prose(option.text, {}, read_, lesson_.path));
                truth.options.push_back(words);
            }
            if (is_right) truth.right_option = truth.options.size() - 1;
            right += is_right;
        }
        std::vector<std::string> sorted = truth.options;
        std::ranges::sort(sorted);
        if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
            return fail("{}:{}: two options read \"{}\"", lesson_.path, question_.line, *twice);
        if (right != 1)
            return fail("{}:{}: {} of the {} options are right; exactly one must be{}", lesson_.path,
                        question_.line, right, truth.options.size(),
                        truth.number ? fmt::format(" (the truth is {})", truth.words) : std::string());
        truth.words = truth.options[truth.right_option];
        return {};
    }

    /// The line of the kernel's file that is worst by the metric; no other may be as bad.
    Result<Truth> truth_line() {
        const analysis::Metric& metric = *analysis::find_metric(question_.truth.text);
        LessonRun whole = run_;
        whole.at.clear();
        const auto launch = numbers_.launch(whole, {.times = metric.needs_timing});
        if (!launch) return at(question_.truth, launch.error());
        std::map<std::uint32_t, std::vector<SiteId>> lines;
        for (const SiteId site : launch->sites)
            if (const std::uint32_t line = launch->program->sites[site].line; line > 0)
                lines[line].push_back(site);
        Truth truth;
        std::optional<double> worst;
        bool tie = false;
        for (const auto& [line, sites] : lines) {
            const auto value = metric.read(analysis::of_sites(*launch->report, sites));
            if (!value) continue;
            const bool worse =
                !worst || (metric.better == analysis::Better::more ? *value < *worst : *value > *worst);
            tie = worse ? false : tie || equal(*value, *worst);
            if (!worse) continue;
            worst = *value;
            truth.line = line;
        }
        if (!worst) return fail("{}:{}: no line has {}", lesson_.path, question_.truth.line, metric.name);
        if (tie)
            return fail("{}:{}: more than one line has the worst {}", lesson_.path, question_.truth.line,
                        metric.name);
        truth.number = *worst;
        truth.words = fmt::format("line {}", truth.line);
        return truth;
    }

    const Lesson& lesson_;
    const LessonQuestion& question_;
    LessonNumbers& numbers_;
    const LessonRun& run_;
    ReadNumber read_;
};

}  // namespace

Result<Truth> truth_of(const Lesson& lesson, const LessonQuestion& question, LessonNumbers& numbers) {
    return Question(lesson, question, numbers).truth();
}

Result<Verdict> judge(const Lesson& lesson, const LessonQuestion& question, const Truth& truth,
                      const Answer& answer, LessonNumbers& numbers) {
    return Question(lesson, question, numbers).judge(truth, answer);
}

Result<double> parse_answer(std::string_view text) {
    std::string digits;
    for (const char c : text)
        if (c != ',' && c != ' ') digits += c;
    std::string_view left = digits;  // a unit may follow
    const auto value = take_number<double>(left);
    if (!value || !std::isfinite(*value)) return fail("\"{}\" is not a number", text);
    return *value;
}

Result<std::string> filled(const Lesson& lesson, const std::string& run_name, const LessonText& prose,
                           LessonNumbers& numbers) {
    return fill_prose(prose, {}, numbers.reader(lesson, *lesson.run(run_name)), lesson.path);
}

}  // namespace warplens::app
