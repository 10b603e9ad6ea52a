#include "app/lesson/question_parser.h"

#include <algorithm>

namespace warplens::app {

using instrumentation::HeaderFields;
using instrumentation::HeaderNode;

namespace {

/// Reads a number that counts something, from 0.
Status read_count(const HeaderFields& fields, const HeaderNode& node, const char* key,
                  std::optional<std::uint64_t>& into) {
    const HeaderNode* const count = HeaderFields::member(node, key);
    if (count == nullptr) return {};
    const auto* number = std::get_if<std::int64_t>(&count->value);
    if (number == nullptr || *number < 0) return fields.error_at(*count, "`{}` is an integer from 0", key);
    into = static_cast<std::uint64_t>(*number);
    return {};
}

Status read_blocks(const HeaderFields& fields, const HeaderNode& node, std::vector<std::uint64_t>& into) {
    into.clear();
    if (!node.array() || node.array()->empty())
        return fields.error_at(node, "`blocks` is a list of blocks of the grid: [0, 255]");
    for (const HeaderNode& each : *node.array()) {
        const auto* number = std::get_if<std::int64_t>(&each.value);
        if (number == nullptr || *number < 0 ||
            (!into.empty() && static_cast<std::uint64_t>(*number) <= into.back()))
            return fields.error_at(each, "blocks are integers from 0, in ascending order");
        into.push_back(static_cast<std::uint64_t>(*number));
    }
    return {};
}

/// Of a picture, or of a question that reveals one.
Status read_picture(const HeaderFields& fields, const HeaderNode& node, LessonPicture& picture) {
    for (const auto& [key, into] :
         {std::pair{"run", &picture.run}, std::pair{"view", &picture.view}, std::pair{"at", &picture.at}})
        WARPLENS_TRY(fields.read_text(node, key, *into));
    std::string select;
    WARPLENS_TRY(fields.read_text(node, "select", select));
    const auto spot = parse_spot_request(select);
    if (!spot) return fields.error_at(*HeaderFields::member(node, "select"), "{}", spot.error().message);
    picture.select = *spot;
    return {};
}

}  // namespace

Status LessonFields::as_expression(const HeaderNode& node, const std::string& what, LessonText& into) {
    into.line = node.line;
    return HeaderFields::as_expression(node, what.c_str(), into.text);
}

Status LessonFields::read_run(const HeaderNode& node, LessonRun& run) {
    for (const auto& [key, into] : {std::pair{"kernel", &run.kernel}, std::pair{"gpu", &run.gpu},
                                    std::pair{"engine", &run.engine}, std::pair{"at", &run.at}})
        WARPLENS_TRY(read_text(node, key, *into));
    if (!run.engine.empty() && run.engine != "simt" && run.engine != "recorded")
        return error_at(*member(node, "engine"),
                        "`engine` is \"simt\", or \"recorded\" for a recording that comes with the program");
    if (const HeaderNode* const kernel = member(node, "kernel")) run.line = kernel->line;
    if (const HeaderNode* const set = member(node, "set")) {
        run.set_line = set->line;
        if (!set->table()) return error_at(*set, "`set` is a table: set = {{ TILE = 16, PAD = 1 }}");
        for (const auto& [name, value] : *set->table()) {
            instrumentation::Value read;
            WARPLENS_TRY(as_value(value, name.c_str(), read));
            run.set[name] = instrumentation::to_string(read);
        }
    }
    if (const HeaderNode* const blocks = member(node, "blocks"))
        WARPLENS_TRY(read_blocks(*this, *blocks, run.blocks));
    return read_count(*this, node, "block", run.block).and_then([&] {
        return read_count(*this, node, "thread", run.thread);
    });
}

Result<LessonPicture> LessonFields::picture(const HeaderNode& node, int line) const {
    LessonPicture picture;
    picture.line = line;
    WARPLENS_TRY(known_keys(node, "a picture", {"view", "run", "at", "select"}));
    WARPLENS_TRY(read_picture(*this, node, picture));
    if (picture.view.empty()) return error_at(node, "a picture needs `view`");
    return picture;
}

Status LessonFields::read_prose(const HeaderNode& node, const char* key, LessonText& into) const {
    if (const HeaderNode* const text = member(node, key)) into.line = text->line;
    return read_text(node, key, into.text);
}

Status LessonFields::read_truth(const HeaderNode& node, LessonQuestion& question) {
    std::string kind;
    WARPLENS_TRY(read_choice(node, "kind", {"number", "choice", "line"}, kind));
    question.kind = kind == "choice" ? QuestionKind::choice
                    : kind == "line" ? QuestionKind::line
                                     : QuestionKind::number;
    if (const HeaderNode* const truth = member(node, "truth")) {
        WARPLENS_TRY(as_expression(*truth, "truth", question.truth));
    }
    std::optional<double> tolerance;
    WARPLENS_TRY(read_number(node, "tolerance", tolerance));
    question.tolerance = tolerance.value_or(0);
    if (question.tolerance < 0 || question.tolerance >= 1)
        return error_at(*member(node, "tolerance"),
                        "`tolerance` is a share of the truth, at least 0 and below 1: 0.05");
    return read_text(node, "unit", question.unit);
}

Result<LessonOption> LessonFields::option(const HeaderNode& node) {
    LessonOption option;
    if (!node.table()) {
        WARPLENS_TRY(as_expression(node, "an option", option.is));
        return option;
    }
    Status status = known_keys(node, "an option", {"text", "is", "when", "at", "says"});
    if (status) status = read_prose(node, "text", option.text);
    if (status) status = read_prose(node, "says", option.says);
    if (status) status = read_text(node, "at", option.at);
    for (const auto& [key, into] : {std::pair{"is", &option.is}, std::pair{"when", &option.when}})
        if (const HeaderNode* const expression = member(node, key); expression != nullptr && status)
            status = as_expression(*expression, key, *into);
    if (!status) return tl::unexpected(status.error());
    return option;
}

Status LessonFields::read_options(const HeaderNode& node, const char* key, std::vector<LessonOption>& into) {
    const HeaderNode* const list = member(node, key);
    if (list == nullptr) return {};
    if (!list->array()) return error_at(*list, "`{}` is a list", key);
    for (const HeaderNode& one : *list->array()) {
        WARPLENS_TRY(auto read, option(one));
        into.push_back(std::move(read));
    }
    return {};
}

Status LessonFields::read_answers(const HeaderNode& node, LessonQuestion& question) {
    for (const auto& [key, into] : {std::pair{"ask", &question.ask}, std::pair{"right", &question.right},
                                    std::pair{"wrong", &question.wrong}}) {
        WARPLENS_TRY(read_prose(node, key, *into));
        if (into->text.empty()) return error_at(node, "a question needs `{}`", key);
    }
    return read_options(node, "options", question.options).and_then([&] {
        return read_options(node, "mistakes", question.mistakes);
    });
}

Status LessonFields::check_form(const HeaderNode& node, const LessonQuestion& question) const {
    const bool choice = question.kind == QuestionKind::choice;
    const bool line = question.kind == QuestionKind::line;
    if (choice ? question.options.size() < 2 : !question.options.empty())
        return error_at(node, "a choice needs two `options` or more, and other questions have none");
    if (choice && !question.mistakes.empty())
        return error_at(node, "a choice explains a mistake with its option's `says`, not with `mistakes`");
    if (!choice && question.truth.text.empty()) return error_at(node, "a question needs `truth`");
    for (const LessonOption& option : question.options) {
        const bool number = !option.is.text.empty();
        if (number == !option.when.text.empty() || (!number && option.text.text.empty()))
            return error_at(node, "an option has `is`, a number, or `text` and `when`, a condition");
        if (number && question.truth.text.empty())
            return error_at(node, "options that are numbers are compared with `truth`, which is missing");
    }
    for (const LessonOption& mistake : question.mistakes)
        if (mistake.says.text.empty() || (line ? mistake.at.empty() : mistake.is.text.empty()))
            return error_at(node, "a mistake has `{}` and `says`",
                            line ? "at` (part of the source line)" : "is` (a number)");
    return {};
}

Result<LessonQuestion> LessonFields::question(const HeaderNode& node, int line) {
    LessonQuestion question;
    question.line = line;
    Status status = known_keys(node, "a question",
                               {"kind", "ask", "run", "truth", "unit", "tolerance", "right", "wrong",
                                "options", "mistakes", "view", "at", "select"});
    if (status) status = read_text(node, "run", question.run);
    if (status) status = read_truth(node, question);
    if (status) status = read_answers(node, question);
    if (status) status = check_form(node, question);
    if (status && member(node, "view") != nullptr) {
        question.reveal.emplace();
        question.reveal->line = line;
        question.reveal->run = question.run;
        status = read_picture(*this, node, *question.reveal);
    }
    if (!status) return tl::unexpected(status.error());
    return question;
}

}  // namespace warplens::app
