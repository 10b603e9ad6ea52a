#include "app/lesson/lesson_parser.h"

#include <gmock/gmock.h>

#include "tests/windowless/lesson_text.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(const std::string& text) {
    const auto lesson = parse_lesson(text, "a.md");
    return lesson ? "" : lesson.error().message;
}

const std::string answers = "right = \"r\"\nwrong = \"w\"\n";
const std::string asks_number =
    "ask = \"How many?\"\ntruth = \"shared_load.wavefronts_per_request\"\n" + answers;

TEST(lesson_parser, reads_header_steps_pictures_and_questions) {
    const auto lesson = parse_lesson(
        lesson_head +
            "\nBefore {times}.\n\n## One\n\n```cuda\n## not a heading\n```\n\n```picture\nview = \"banks\"\n"
            "run = \"far\"\nselect = \"warp=1,lane=3\"\n```\n\n```question\n" +
            asks_number + "unit = \"wavefronts\"\nview = \"banks\"\n```\n\n## Two\n\nAfter.\n",
        "folder/a.md");
    ASSERT_TRUE(lesson) << lesson.error().message;
    EXPECT_EQ(lesson->name, "a");
    EXPECT_EQ(lesson->runs[1].kernel, "shared_stride");
    EXPECT_EQ(lesson->runs[1].set.at("stride"), "32");
    ASSERT_EQ(lesson->steps.size(), 3u);
    EXPECT_EQ(lesson->steps[0].prose.text, "Before {times}.");
    EXPECT_EQ(lesson->steps[1].title, "One");
    EXPECT_THAT(lesson->steps[1].prose.text, HasSubstr("## not a heading"));
    EXPECT_EQ(lesson->steps[1].picture->run, "far");
    EXPECT_EQ(lesson->steps[1].picture->select.lane, 3u);
    EXPECT_EQ(lesson->steps[1].question->reveal->view, "banks");
    EXPECT_EQ(lesson->questions(), 1u);
}

TEST(lesson_parser, reads_notes_and_checks_the_names_in_them) {
    const auto lesson = parse_lesson(
        lesson_head + "\n## One\n\nProse.\n\n```notes\nSay *{times}* slowly.\n## not a heading\n```\n",
        "a.md");
    ASSERT_TRUE(lesson) << lesson.error().message;
    ASSERT_EQ(lesson->steps.size(), 1u);
    EXPECT_EQ(lesson->steps[0].prose.text, "Prose.");
    EXPECT_THAT(lesson->steps[0].notes.text, HasSubstr("Say *{times}* slowly.\n## not a heading"));
    EXPECT_THAT(error_of(lesson_head + "A\n```notes\nOne.\n\n{near.steps}\n```\n"),
                testing::AllOf(StartsWith("a.md:"), HasSubstr("`near.steps` is neither")));
    EXPECT_THAT(error_of(lesson_head + "A\n```notes\n1\n```\n```notes\n2\n```\n"),
                HasSubstr("this step has notes already"));
}

TEST(lesson_parser, merges_settings_with_the_header_only_for_the_same_kernel) {
    const auto lesson = parse_lesson(
        "+++\ntitle = \"t\"\nsubject = \"s\"\nkernel = \"transpose_tiled\"\nset = { TILE = 16, PAD = 0 }\n"
        "[runs.padded]\nset = { PAD = 1 }\n[runs.other]\nkernel = \"transpose_naive\"\n+++\nProse.\n",
        "a.md");
    ASSERT_TRUE(lesson) << lesson.error().message;
    EXPECT_EQ(lesson->run("padded")->set, (std::map<std::string, std::string>{{"TILE", "16"}, {"PAD", "1"}}));
    EXPECT_TRUE(lesson->run("other")->set.empty());
}

TEST(lesson_parser, names_file_and_line_of_what_is_wrong) {
    EXPECT_THAT(error_of("title = \"t\"\n"), StartsWith("a.md:1: a lesson begins with a header"));
    EXPECT_THAT(error_of("+++\ntitle = \"t\"\n"), HasSubstr("no closing line +++"));
    EXPECT_THAT(error_of("+++\ntitle = \"t\"\nkernal = \"x\"\n+++\nP\n"),
                testing::AllOf(StartsWith("a.md:3: "), HasSubstr("did you mean `kernel`?")));
    EXPECT_THAT(error_of("+++\ntitle = \"t\"\nsubject = \"s\"\n+++\nP\n"), HasSubstr("needs `kernel`"));
    EXPECT_THAT(error_of(lesson_head), HasSubstr("needs a step"));
    EXPECT_THAT(error_of(lesson_head + "```question\nask = 1\n"), HasSubstr("no closing ```"));
    EXPECT_THAT(error_of(lesson_with("ask = 3\n" + answers)),
                testing::AllOf(StartsWith("a.md:17: "), HasSubstr("text in quotes")));
    EXPECT_THAT(error_of(lesson_with("kind = \"essay\"\n" + asks_number)),
                HasSubstr("known: number, choice, line"));
    EXPECT_THAT(error_of(lesson_with(asks_number) + "## A question\n"), HasSubstr("this heading already"));
}

TEST(lesson_parser, refuses_names_that_mean_nothing) {
    EXPECT_THAT(error_of(lesson_with("ask = \"?\"\ntruth = \"shared_load.wavefront\"\n" + answers)),
                testing::AllOf(HasSubstr("a.md:18: "), HasSubstr("did you mean `shared_load.wavefronts`?")));
    EXPECT_THAT(error_of(lesson_head + "A {near.steps} b.\n"), HasSubstr("`near.steps` is neither"));
    EXPECT_THAT(error_of(lesson_head + "A {1 +} b.\n"), HasSubstr("a.md:11: "));
    EXPECT_THAT(error_of(lesson_with(asks_number + "run = \"near\"\n")), HasSubstr("there is no run `near`"));
    EXPECT_THAT(
        error_of(lesson_with("kind = \"line\"\nask = \"?\"\ntruth = \"schedule.cycles\"\n" + answers)),
        HasSubstr("marks as of lines"));
}

TEST(lesson_parser, refuses_questions_that_cannot_be_answered) {
    EXPECT_THAT(error_of(lesson_with("ask = \"?\"\n" + answers)), HasSubstr("needs `truth`"));
    EXPECT_THAT(error_of(lesson_with("ask = \"?\"\ntruth = \"steps\"\nright = \"r\"\n")),
                HasSubstr("needs `wrong`"));
    EXPECT_THAT(error_of(lesson_with("kind = \"choice\"\n" + asks_number + "options = [\"1\"]\n")),
                HasSubstr("two `options` or more"));
    EXPECT_THAT(error_of(lesson_with(asks_number + "options = [\"1\", \"2\"]\n")),
                HasSubstr("other questions have none"));
    EXPECT_THAT(error_of(lesson_with("kind = \"choice\"\nask = \"?\"\n" + answers +
                                     "options = [{ text = \"a\" }, { text = \"b\", when = \"1 == 1\" }]\n")),
                HasSubstr("`text` and `when`"));
    EXPECT_THAT(error_of(lesson_with(asks_number + "tolerance = 5\n")), HasSubstr("share of the truth"));
    EXPECT_THAT(error_of(lesson_with(asks_number + "mistakes = [{ is = \"3\" }]\n")), HasSubstr("`says`"));
}

}  // namespace
}  // namespace warplens::app
