#include "app/lesson/lesson_names.h"

#include <algorithm>

#include "analysis/report/metrics.h"
#include "app/lesson/expression.h"
#include "app/lesson/lesson_facts.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::app {
namespace {

std::string group_of(const std::string& name) { return name.substr(0, name.find('.')); }

std::vector<std::string> number_names() {
    std::vector<std::string> names = analysis::metric_names();
    for (const LessonFact& fact : lesson_facts()) names.push_back(fact.name);
    return names;
}

/// Where the name of one expression may come from.
class Names {
  public:
    explicit Names(const Lesson& lesson) : lesson_(lesson) {}

    /// `plain`: names without a dot that are known here besides the lesson's values.
    Status check(const LessonText& expression, const LessonRun& run,
                 const std::vector<std::string>& plain) const {
        if (expression.text.empty()) return {};
        if (auto status = check_syntax(expression.text); !status)
            return fail("{}:{}: {}", lesson_.path, expression.line, status.error().message);
        for (const ExpressionName& name : names_in(expression.text)) {
            if (std::ranges::count(plain, name.name) > 0 || lesson_.values.contains(name.name)) continue;
            const auto resolved = resolve_name(lesson_, run, name.name);
            if (!resolved) return fail("{}:{}: {}", lesson_.path, expression.line, resolved.error().message);
        }
        return {};
    }

    Status check_prose(const LessonText& prose, const LessonRun& run,
                       const std::vector<std::string>& plain) const {
        for (const std::string& expression : expressions_in(prose.text))
            WARPLENS_TRY(check({expression, prose.line}, run, plain));
        return {};
    }

    Result<const LessonRun*> run(const std::string& name, int line) const {
        if (const LessonRun* found = lesson_.run(name)) return found;
        std::vector<std::string> names;
        for (const LessonRun& one : lesson_.runs) names.push_back(one.name);
        return fail("{}:{}: there is no run `{}`{} (declare it as [runs.{}] in the header)", lesson_.path,
                    line, name, instrumentation::did_you_mean(name, names), name);
    }

    Status check(const LessonQuestion& question) const {
        WARPLENS_TRY(const auto of, run(question.run, question.line));
        Status status = check_truth(question, *of);
        const std::vector<std::string> truth{"truth"}, both{"truth", "answer"};
        for (const LessonText* text : {&question.right, &question.wrong})
            if (status) status = check_prose(*text, *of, both);
        if (status) status = check_prose(question.ask, *of, {});
        for (const auto* options : {&question.options, &question.mistakes})
            for (const LessonOption& option : *options) {
                if (status) status = check(option.is, *of, truth);
                if (status) status = check(option.when, *of, truth);
                if (status) status = check_prose(option.text, *of, {});
                if (status) status = check_prose(option.says, *of, both);
            }
        return status;
    }

  private:
    Status check_truth(const LessonQuestion& question, const LessonRun& of) const {
        if (question.kind != QuestionKind::line) return check(question.truth, of, {});
        const analysis::Metric* metric = analysis::find_metric(question.truth.text);
        if (metric != nullptr && metric->of_sites) return {};
        return fail(
            "{}:{}: the truth of a question for a line is one metric that docs/metrics.md marks as "
            "of lines, such as shared_load.conflict_ways",
            lesson_.path, question.truth.line);
    }

    const Lesson& lesson_;
};

}  // namespace

bool is_number_group(const std::string& word) {
    return word == "knob" ||
           std::ranges::any_of(number_names(), [&](const auto& name) { return group_of(name) == word; });
}

Result<NumberName> resolve_name(const Lesson& lesson, const LessonRun& run, const std::string& name) {
    NumberName found{&run, name};
    const auto dot = name.find('.');
    if (const LessonRun* named = lesson.run(group_of(name)); named != nullptr && dot != std::string::npos)
        found = {named, name.substr(dot + 1)};
    if (found.number.starts_with("knob.") || analysis::find_metric(found.number) != nullptr ||
        find_fact(found.number) != nullptr)
        return found;
    std::vector<std::string> known = number_names();
    for (const auto& [value, expression] : lesson.values) known.push_back(value);
    return fail("`{}` is neither a metric, nor a fact, nor a value of the lesson{}", name,
                instrumentation::did_you_mean(found.number, known));
}

Status check_names(const Lesson& lesson) {
    const Names names(lesson);
    const LessonRun& main = lesson.runs.front();
    for (const auto& [name, value] : lesson.values) {
        WARPLENS_TRY(names.check(value, main, {}));
        for (const ExpressionName& read : names_in(value.text))
            if (lesson.values.contains(read.name))
                return fail("{}:{}: a value is computed from metrics and facts, not from the value `{}`",
                            lesson.path, value.line, read.name);
    }
    for (const LessonStep& step : lesson.steps) {
        WARPLENS_TRY(names.check_prose(step.prose, main, {}));
        WARPLENS_TRY(names.check_prose(step.notes, main, {}));
        if (step.picture) {
            WARPLENS_TRY(names.run(step.picture->run, step.picture->line));
        }
        if (step.question) {
            WARPLENS_TRY(names.check(*step.question));
        }
    }
    return {};
}

}  // namespace warplens::app
