// `warplens lesson`: lists lessons, computes every answer of them, and prints them as handouts.
#include <fmt/format.h>

#include <filesystem>

#include "app/command_line/commands.h"
#include "app/command_line/lesson_pictures.h"
#include "app/command_line/named_lesson.h"
#include "app/command_line/output.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/lesson/handout.h"
#include "app/lesson/lesson_check.h"
#include "core/whole_file.h"

namespace warplens::app {
namespace {

Result<std::vector<Lesson>> lessons_named(const std::vector<std::string>& names) {
    if (names.empty()) return own_lessons();
    std::vector<Lesson> lessons;
    for (const std::string& name : names) {
        WARPLENS_TRY(auto lesson, lesson_named(name));
        lessons.push_back(std::move(lesson));
    }
    return lessons;
}

/// What computes the numbers of lessons, and draws their pictures.
struct Means {
    explicit Means(std::vector<instrumentation::KernelFile> kernels)
        : pipeline(make_pipeline()),
          numbers(pipeline, std::move(kernels), recordings_folder()),
          pictures(pipeline, numbers) {
        numbers.set_cancelled(should_stop);
    }
    std::shared_ptr<Pipeline> pipeline;
    LessonNumbers numbers;
    LessonPictures pictures;
};

void print_check(const Lesson& lesson, const LessonCheck& found) {
    print_result(fmt::format("{}: {} question{}, {}\n", lesson.name, lesson.questions(),
                             lesson.questions() == 1 ? "" : "s",
                             found.held() ? "all computed" : "with faults"));
    for (const CheckedQuestion& question : found.questions)
        print_result(fmt::format("  {}: {}\n", question.step, question.truth));
    for (const std::string& fault : found.faults) print_result(fmt::format("  {}\n", fault));
}

}  // namespace

Result<int> list_lessons() {
    WARPLENS_TRY(const auto lessons, own_lessons());
    std::size_t name = 0, subject = 0;
    for (const Lesson& lesson : lessons) {
        name = std::max(name, lesson.name.size());
        subject = std::max(subject, lesson.subject.size());
    }
    for (const Lesson& lesson : lessons)
        print_result(fmt::format("{:<{}}  {:<{}}  {} questions  {}\n", lesson.name, name, lesson.subject,
                                 subject, lesson.questions(), lesson.title));
    return exit_success;
}

Result<int> check_lessons(const std::vector<std::string>& names) {
    WARPLENS_TRY(const auto lessons, lessons_named(names));
    WARPLENS_TRY(auto kernels, catalogue());
    Means means(std::move(kernels));
    bool held = true;
    for (const Lesson& lesson : lessons) {
        const LessonCheck found =
            check_lesson(lesson, means.numbers, [&](const Lesson& of, const LessonPicture& picture) {
                return means.pictures.try_picture(of, picture);
            });
        if (should_stop()) return fail("{} was not checked to its end", lesson.name);
        print_check(lesson, found);
        held = held && found.held();
    }
    return held ? exit_success : exit_kernel_problems;
}

Result<int> lesson_handout(const std::string& name, const std::string& output, bool notes) {
    if (!output.ends_with(".html")) return fail("-o {}: a handout's name ends in .html", output);
    WARPLENS_TRY(can_be_written(output));
    WARPLENS_TRY(const auto lesson, lesson_named(name));
    WARPLENS_TRY(auto kernels, catalogue());
    Means means(std::move(kernels));
    const auto draw = [&](const Lesson& of, const LessonPicture& picture) {
        return means.pictures.draw(of, picture);
    };
    WARPLENS_TRY(const auto html,
                 handout_html(lesson, means.numbers, draw, notes ? Edition::teacher : Edition::student));
    WARPLENS_TRY(write_whole_file(output, html));
    return exit_success;
}

}  // namespace warplens::app
