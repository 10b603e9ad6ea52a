// The lessons that come with the program, read in the window from their first step to their last.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/lesson/reader.h"
#include "tests/support/folders.h"

namespace warplens::app {
namespace {

/// Submits the right answer as a person would.
bool answer_rightly(LessonReader& open) {
    const LessonQuestion& asked = *open.page.reading().step().question;
    const Truth& truth = *open.page.reading().reading().prepared.truth;
    if (asked.kind == QuestionKind::choice) {
        if (!open.ui.click("lesson option " + std::string(1, static_cast<char>('A' + truth.right_option))))
            return false;
    } else if (asked.kind == QuestionKind::line) {
        if (!open.ui.click(fmt::format("lesson code line {}", truth.line))) return false;
    } else {
        open.ui.type(fmt::format("{}", *truth.number));
    }
    open.ui.press(compat::Key::enter);
    return open.settle();
}

/// Not as the end of another number: "4 sectors" is not in "24 sectors".
bool shows_alone(const Headless& ui, const std::string& words) {
    for (const std::string& drawn : ui.words())
        for (auto at = drawn.find(words); at != std::string::npos; at = drawn.find(words, at + 1))
            if (at == 0 || drawn[at - 1] == ' ') return true;
    return false;
}

void walk(LessonReader& open, const Lesson& lesson) {
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        open.page.go_to(i);
        const std::string where = fmt::format("{}, step {}: {}", lesson.name, i + 1, lesson.steps[i].title);
        ASSERT_TRUE(open.settle()) << where;
        const StepReading& reading = open.page.reading().reading();
        EXPECT_EQ(reading.prepared.fault, "") << where;
        EXPECT_EQ(reading.prepared.prose.find("…"), lesson.steps[i].prose.text.find("…")) << where;
        EXPECT_FALSE(open.ui.shows("cannot be shown")) << where;
        EXPECT_FALSE(open.ui.shows("Executing ")) << where;
        if (!lesson.steps[i].question) continue;
        ASSERT_TRUE(reading.prepared.truth) << where;
        // Options are visible anyway, and the prose may contain the same number from another run; a view must
        // not show it.
        const std::string& truth = reading.prepared.truth->words;
        const std::string words = reading.prepared.prose + reading.prepared.ask;
        if (lesson.steps[i].question->kind == QuestionKind::number &&
            words.find(truth) == std::string::npos && !lesson.steps[i].question->unit.empty()) {
            EXPECT_FALSE(shows_alone(open.ui, truth)) << where << " shows " << truth << " before the answer";
        }
        ASSERT_TRUE(answer_rightly(open)) << where;
        ASSERT_TRUE(reading.verdict) << where;
        EXPECT_TRUE(reading.verdict->right) << where << ": " << reading.verdict->explanation;
        EXPECT_FALSE(open.ui.shows("cannot be shown")) << where;
        EXPECT_FALSE(open.ui.shows("run for this picture failed")) << where;
        EXPECT_FALSE(open.ui.shows("The timing model is running")) << where;
        EXPECT_FALSE(open.ui.shows("Executing ")) << where;
    }
    EXPECT_TRUE(open.page.reading().progress().finished(lesson)) << lesson.name;
}

void walk_all(const std::function<bool(const std::string&)>& wanted, std::size_t least) {
    const std::string progress =
        testing::TempDir() + "warplens_every_lesson_" + std::to_string(getpid()) + ".json";
    std::filesystem::remove(progress);
    const auto files = lesson_files(source_folder() + "/lessons");
    ASSERT_TRUE(files) << files.error().message;
    LessonReader open(source_folder() + "/lessons", progress, {1280, 1440});
    std::size_t walked = 0;
    for (const LessonFile& file : *files) {
        ASSERT_TRUE(file.lesson) << file.lesson.error().message;
        if (!wanted((*file.lesson)->name)) continue;
        open.page.open((*file.lesson)->name);
        ++walked;
        walk(open, **file.lesson);
    }
    EXPECT_GE(walked, least);
    std::filesystem::remove(progress);
}

TEST(every_lesson, of_banks_is_walked_through_in_the_window) {
    walk_all([](const std::string& name) { return name == "banks"; }, 1);
}

TEST(every_lesson_long, is_walked_through_in_the_window) {
    walk_all([](const std::string&) { return true; }, 20);
}

}  // namespace
}  // namespace warplens::app
