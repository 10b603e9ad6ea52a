#include "app/lesson/lesson_parser.h"

#include <algorithm>
#include <filesystem>

#include "app/lesson/lesson_names.h"
#include "app/lesson/lesson_sections.h"
#include "app/lesson/own_kernels.h"
#include "app/lesson/question_parser.h"

namespace warplens::app {
namespace {

using instrumentation::HeaderNode;

Status read_runs(const HeaderNode& header, LessonFields& fields, Lesson& lesson) {
    const HeaderNode* const runs = LessonFields::member(header, "runs");
    if (runs == nullptr) return {};
    if (!runs->table()) return fields.error_at(*runs, "`runs` is a table: [runs.padded]");
    for (const auto& [name, node] : *runs->table()) {
        if (!instrumentation::is_identifier(name) || name == "main" || is_number_group(name))
            return fields.error_at(node, "a run cannot be called `{}`; choose another name", name);
        LessonRun run = lesson.runs.front();
        run.name = name;
        run.line = node.line;
        if (auto status = fields.known_keys(
                node, "a run", {"kernel", "set", "gpu", "engine", "at", "blocks", "block", "thread"});
            !status)
            return status;
        if (LessonFields::member(node, "kernel") != nullptr) run.set.clear();
        WARPLENS_TRY(fields.read_run(node, run));
        lesson.runs.push_back(std::move(run));
    }
    return {};
}

/// Files of the teacher's own are next to the lesson, wherever the program was started.
void find_own_kernels(Lesson& lesson) {
    const auto folder = std::filesystem::path(lesson.path).parent_path();
    for (LessonRun& run : lesson.runs)
        if (is_own_kernel(run.kernel)) run.kernel = (folder / run.kernel).lexically_normal().string();
}

Status read_values(const HeaderNode& header, LessonFields& fields, Lesson& lesson) {
    const HeaderNode* const values = LessonFields::member(header, "values");
    if (values == nullptr) return {};
    if (!values->table()) return fields.error_at(*values, "`values` is a table: [values]");
    for (const auto& [name, node] : *values->table()) {
        if (!instrumentation::is_identifier(name) || name == "truth" || name == "answer")
            return fields.error_at(node, "a value cannot be called `{}`; choose another name", name);
        LessonText text;
        WARPLENS_TRY(fields.as_expression(node, name, text));
        lesson.values.emplace(name, std::move(text));
    }
    return {};
}

Status read_header(const LessonSections& cut, Lesson& lesson) {
    WARPLENS_TRY(const auto tree,
                 instrumentation::parse_header_tree(cut.header, lesson.path, cut.header_line));
    LessonFields fields(lesson.path);
    if (auto status = fields.known_keys(tree, "a lesson's header",
                                        {"title", "subject", "about", "order", "kernel", "set", "gpu",
                                         "engine", "at", "blocks", "block", "thread", "runs", "values"});
        !status)
        return status;
    for (const auto& [key, into] : {std::pair{"title", &lesson.title}, std::pair{"subject", &lesson.subject},
                                    std::pair{"about", &lesson.about}})
        WARPLENS_TRY(fields.read_text(tree, key, *into));
    if (const HeaderNode* const order = LessonFields::member(tree, "order")) {
        const auto* number = std::get_if<std::int64_t>(&order->value);
        if (number == nullptr) return fields.error_at(*order, "`order` is an integer");
        lesson.order = *number;
    }
    LessonRun main;
    main.name = "main";
    main.line = cut.header_line;
    WARPLENS_TRY(fields.read_run(tree, main));
    for (const auto& [key, text] : {std::pair{"title", &lesson.title}, std::pair{"subject", &lesson.subject},
                                    std::pair{"kernel", &main.kernel}})
        if (text->empty()) return fail("{}:1: the header needs `{}`", lesson.path, key);
    lesson.runs.push_back(std::move(main));
    return read_runs(tree, fields, lesson).and_then([&] { return read_values(tree, fields, lesson); });
}

Result<LessonStep> read_step(const LessonSection& section, const Lesson& lesson) {
    LessonStep step;
    step.title = section.heading;
    step.prose = {section.prose, section.prose_line};
    step.line = section.line;
    for (const FencedBlock& block : section.blocks) {
        const bool second = block.kind == "picture" ? step.picture.has_value()
                            : block.kind == "notes" ? step.notes.line != 0
                                                    : step.question.has_value();
        if (second)
            return fail("{}:{}: this step has {} already; begin a new step with a heading `## `", lesson.path,
                        block.line - 1, block.kind == "notes" ? "notes" : "a " + block.kind);
        if (block.kind == "notes") {
            step.notes = {block.text, block.line};
            continue;
        }
        WARPLENS_TRY(const auto tree,
                     instrumentation::parse_header_tree(block.text, lesson.path, block.line));
        LessonFields fields(lesson.path);
        if (block.kind == "picture") {
            WARPLENS_TRY(step.picture, fields.picture(tree, block.line));
        } else {
            WARPLENS_TRY(step.question, fields.question(tree, block.line));
        }
    }
    return step;
}

}  // namespace

Result<Lesson> parse_lesson(std::string_view text, const std::string& path) {
    WARPLENS_TRY(const auto cut, cut_lesson(text, path));
    Lesson lesson;
    lesson.path = path;
    lesson.name = std::filesystem::path(path).stem().string();
    WARPLENS_TRY(read_header(cut, lesson));
    find_own_kernels(lesson);
    for (const LessonSection& section : cut.sections) {
        WARPLENS_TRY(auto step, read_step(section, lesson));
        if (std::ranges::count(lesson.steps, step.title, &LessonStep::title) > 0)
            return fail("{}:{}: there is a step with this heading already; progress is kept by heading", path,
                        section.line);
        lesson.steps.push_back(std::move(step));
    }
    if (lesson.steps.empty()) return fail("{}: a lesson needs a step; write some prose", path);
    WARPLENS_TRY(check_names(lesson));
    return lesson;
}

}  // namespace warplens::app
