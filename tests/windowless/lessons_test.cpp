// The lessons that come with the program: all are read, their answers are computed, and no subject is left
// out.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "app/lesson/lesson_check.h"
#include "app/lesson/lesson_facts.h"
#include "app/lesson/lesson_folder.h"
#include "tests/support/folders.h"
#include "tests/windowless/lesson_text.h"

namespace warplens::app {
namespace {

using testing::IsEmpty;

std::vector<Lesson> all_lessons() {
    auto lessons = read_lessons(source_folder() + "/lessons");
    EXPECT_TRUE(lessons) << (lessons ? "" : lessons.error().message);
    return lessons ? std::move(*lessons) : std::vector<Lesson>{};
}

/// Views are checked by `warplens lesson check`, which knows them.
Status any_picture(const Lesson&, const LessonPicture&) { return {}; }

void expect_held(const Lesson& lesson, LessonNumbers& numbers) {
    const LessonCheck found = check_lesson(lesson, numbers, any_picture);
    EXPECT_THAT(found.faults, IsEmpty()) << lesson.name;
    EXPECT_EQ(found.questions.size(), lesson.questions()) << lesson.name;
}

TEST(lessons, have_three_questions_or_more_for_every_subject_of_the_catalogue) {
    std::map<std::string, std::size_t> questions;
    std::set<std::string> titles;
    for (const Lesson& lesson : all_lessons()) {
        EXPECT_GE(lesson.questions(), 3u) << lesson.name;
        EXPECT_TRUE(titles.insert(lesson.title).second) << lesson.title;
        EXPECT_FALSE(lesson.about.empty()) << lesson.name;
        questions[lesson.subject] += lesson.questions();
    }
    EXPECT_GE(titles.size(), 18u);
    const auto kernels = catalogue();
    ASSERT_TRUE(kernels) << kernels.error().message;
    for (const auto& kernel : *kernels) EXPECT_GE(questions[kernel.subject], 3u) << kernel.subject;
}

/// Small launches; the rest is every_answer_can_be_computed.
TEST(lessons, of_threads_banks_and_barriers_hold) {
    LessonNumbers numbers = make_numbers();
    for (const Lesson& lesson : all_lessons())
        if (lesson.name == "threads" || lesson.name == "banks" || lesson.name == "barriers")
            expect_held(lesson, numbers);
}

TEST(lessons_long, every_answer_can_be_computed) {
    LessonNumbers numbers = make_numbers();
    for (const Lesson& lesson : all_lessons()) expect_held(lesson, numbers);
}

TEST(lesson_facts, are_all_in_the_document) {
    std::ifstream file(source_folder() + "/docs/lesson_format.md");
    const std::string document(std::istreambuf_iterator<char>(file), {});
    for (const LessonFact& fact : lesson_facts())
        EXPECT_THAT(document, testing::HasSubstr("`" + fact.name + "`"));
}

}  // namespace
}  // namespace warplens::app
