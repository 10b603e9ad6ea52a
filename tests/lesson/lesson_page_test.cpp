// A lesson in the window, for a student and for a lecture hall: what is visible before the answer, how it is
// given, the reply to it, and the handling of a broken lesson.
#include "app/window/lesson/lesson_page.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/lesson/handout.h"
#include "app/lesson/kernel_lines.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/lesson/reader.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

const std::string head =
    "+++\ntitle = \"Strides\"\nsubject = \"Shared-memory banks\"\nabout = \"About strides.\"\norder = 1\n"
    "kernel = \"shared_stride\"\nset = { stride = 2 }\n[runs.far]\nset = { stride = 32 }\n+++\n\n"
    "In this lesson one warp takes {shared_load.wavefronts_per_request} wavefronts.\n\n";
const std::string number =
    "## A number\n\n```question\nask = \"How many wavefronts with stride 32?\"\nrun = \"far\"\n"
    "truth = \"shared_load.wavefronts_per_request\"\nunit = \"wavefronts\"\n"
    "right = \"Yes, {truth} of them.\"\nwrong = \"You said {answer}, and it takes {truth}.\"\n"
    "view = \"banks\"\n```\n\n";
const std::string choice =
    "## A choice\n\n```question\nkind = \"choice\"\nask = \"How many ways?\"\n"
    "truth = \"shared_load.conflict_ways\"\nunit = \"ways\"\noptions = [\"1\", \"2\", \"32\"]\n"
    "right = \"Indeed {truth}.\"\nwrong = \"Not {answer} but {truth}.\"\n```\n\n";
const std::string line =
    "## A line\n\n```question\nkind = \"line\"\nask = \"Which line?\"\nrun = \"far\"\n"
    "truth = \"shared_load.conflict_ways\"\nright = \"Yes, {truth}.\"\nwrong = \"Not {answer} but "
    "{truth}.\"\n```\n";

class LessonPageTest : public testing::Test {
  protected:
    LessonPageTest() {
        fs::remove_all(folder);
        fs::create_directories(folder);
        write("strides.md", head + number + choice + line);
    }
    ~LessonPageTest() override { fs::remove_all(folder); }
    void write(const std::string& name, const std::string& text) { std::ofstream(folder + name) << text; }
    std::unique_ptr<LessonReader> reader(const std::string& lesson = "strides", ImVec2 size = {1280, 720}) {
        auto made = std::make_unique<LessonReader>(folder, progress, size);
        made->page.open(lesson);
        EXPECT_TRUE(made->settle());
        return made;
    }
    const std::string folder = testing::TempDir() + "warplens_" +
                               testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
    const std::string progress = folder + "state/lessons.json";
};

TEST_F(LessonPageTest, a_number_is_predicted_before_the_truth_is_seen_anywhere) {
    const auto open = reader();
    EXPECT_TRUE(open->ui.shows("takes 2 wavefronts")) << "numbers of the prose are computed";
    ASSERT_TRUE(open->ui.click("lesson next"));
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("How many wavefronts with stride 32?"));
    EXPECT_TRUE(open->ui.shows("Question 1 of 3"));
    EXPECT_FALSE(open->ui.shows("32 wavefronts")) << "neither the pane nor a view";
    EXPECT_FALSE(open->ui.shows("32-way"));
    EXPECT_FALSE(open->ui.find("knob stride +")) << "nor are there knobs to try it with";
    EXPECT_FALSE(open->ui.find("lesson explore"));

    open->ui.press(compat::Key::enter);
    EXPECT_TRUE(open->ui.shows("Type a number first"));
    open->ui.frame(2);
    open->ui.type("8");
    open->ui.press(compat::Key::enter);
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("You answered 8; it is 32 wavefronts"));
    EXPECT_TRUE(open->ui.shows("You said 8, and it takes 32."));
    EXPECT_TRUE(open->ui.shows("stride 2 → 32")) << "the knob that was turned for the truth";
    ASSERT_NE(open->session.scene(), nullptr);
    EXPECT_EQ(instrumentation::to_string(open->session.scene()->parameters.at("stride")), "32");
    EXPECT_FALSE(open->ui.find("lesson answer")) << "an answer counts once";
    EXPECT_FALSE(load_progress(progress).answered.at("strides").at("A number"));
}

TEST_F(LessonPageTest, a_choice_is_made_by_key_or_by_click) {
    for (const bool by_key : {true, false}) {
        const auto open = reader();
        open->page.go_to(2);
        ASSERT_TRUE(open->settle());
        EXPECT_TRUE(open->ui.shows("32 ways"));
        ASSERT_TRUE(open->ui.click("lesson check"));
        EXPECT_TRUE(open->ui.shows("Choose one of the answers first."));
        if (by_key) open->ui.type("2");
        else ASSERT_TRUE(open->ui.click("lesson option B"));
        open->ui.press(compat::Key::enter);
        ASSERT_TRUE(open->settle());
        EXPECT_TRUE(open->ui.shows("Indeed 2."));
        EXPECT_TRUE(load_progress(progress).answered.at("strides").at("A choice"));
    }
}

TEST_F(LessonPageTest, a_line_is_clicked_in_the_code) {
    const auto open = reader();
    open->page.go_to(3);
    ASSERT_TRUE(open->settle());
    const std::uint32_t right = open->page.reading().reading().prepared.truth->line;
    EXPECT_TRUE(open->ui.shows("Click a line of the code."));
    ASSERT_TRUE(open->ui.click("lesson code line " + std::to_string(right)));
    EXPECT_TRUE(open->ui.shows("Line " + std::to_string(right)));
    ASSERT_TRUE(open->ui.click("lesson check"));
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("Yes, line " + std::to_string(right)));
}

TEST_F(LessonPageTest, progress_is_kept_and_the_lesson_resumes_at_the_next_question) {
    {
        const auto open = reader();
        open->page.go_to(1);
        ASSERT_TRUE(open->settle());
        open->ui.type("32");
        open->ui.press(compat::Key::enter);
        ASSERT_TRUE(open->settle());
        EXPECT_TRUE(open->ui.shows("Yes, 32 of them."));
        open->ui.press(compat::Key::enter);
        ASSERT_TRUE(open->settle());
        EXPECT_TRUE(open->ui.shows("How many ways?")) << "Enter goes on";
        ASSERT_TRUE(open->ui.click("lesson list"));
        open->ui.frame(2);
        EXPECT_TRUE(open->ui.shows("1 of 3 answered, 1 right"));
    }
    EXPECT_EQ(reader()->page.reading().at(), 2u);
}

TEST_F(LessonPageTest, a_lecture_shows_the_answer_on_a_key_press_and_keeps_no_progress) {
    const auto open = reader();
    ASSERT_TRUE(open->ui.click("lesson present"));
    open->page.go_to(2);
    ASSERT_TRUE(open->settle());
    EXPECT_FALSE(open->ui.find("lesson check"));
    EXPECT_FALSE(open->ui.shows("Indeed"));
    ASSERT_TRUE(open->ui.click("lesson option B"));
    open->ui.press(compat::Key::enter);
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("Indeed 2."));
    open->ui.press(compat::Key::page_up);
    open->ui.press(compat::Key::left);
    ASSERT_TRUE(open->settle());
    EXPECT_EQ(open->page.reading().at(), 0u);
    open->ui.press(compat::Key::space);
    EXPECT_EQ(open->page.reading().at(), 1u) << "a step without a question has nothing to show";
    ASSERT_TRUE(open->settle());
    EXPECT_FALSE(open->ui.shows("32 wavefronts"));
    open->ui.press(compat::Key::page_down);
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("32 wavefronts"));
    EXPECT_FALSE(fs::exists(progress));
    open->ui.press(compat::Key::escape);
    ASSERT_TRUE(open->settle());
    EXPECT_FALSE(open->page.presenting());
    EXPECT_FALSE(open->ui.shows("32 wavefronts")) << "the student is asked again";
}

TEST_F(LessonPageTest, notes_are_for_the_teacher_alone_and_are_shown_on_a_key_press) {
    write("strides.md",
          head + number +
              "```notes\nMost say 1, few say {far.shared_load.wavefronts_per_request}, none 5.\n```\n\n" +
              choice);
    const auto open = reader();
    open->page.go_to(1);
    ASSERT_TRUE(open->settle());
    EXPECT_FALSE(open->ui.find("lesson notes")) << "a student";
    open->ui.type("n");
    EXPECT_FALSE(open->ui.shows("Most say"));
    ASSERT_TRUE(open->ui.click("lesson present"));
    ASSERT_TRUE(open->settle());
    EXPECT_FALSE(open->ui.shows("Most say")) << "the audience sees this screen";
    ASSERT_TRUE(open->ui.click("lesson notes"));
    open->ui.frame(2);
    EXPECT_TRUE(open->ui.shows("Notes for the teacher"));
    EXPECT_TRUE(open->ui.shows("few say 32"));
    open->ui.type("n");
    open->ui.frame(2);
    EXPECT_FALSE(open->ui.shows("Most say"));
    open->ui.press(compat::Key::page_down);
    ASSERT_TRUE(open->settle());
    open->ui.press(compat::Key::page_down);
    ASSERT_TRUE(open->settle());
    EXPECT_EQ(open->page.reading().at(), 2u);
    EXPECT_FALSE(open->ui.find("lesson notes")) << "this step has none";
}

TEST_F(LessonPageTest, only_the_teachers_edition_of_a_handout_has_the_notes) {
    write("strides.md",
          head + number + "```notes\nMost say {far.shared_load.wavefronts_per_request}.\n```\n");
    LessonNumbers numbers(make_pipeline(), catalogue().value(), recordings_folder());
    const auto lesson = load_lesson(folder + "strides.md");
    ASSERT_TRUE(lesson) << lesson.error().message;
    const auto draw = [](const Lesson&, const LessonPicture&) -> Result<std::string> { return "<svg/>"; };
    const auto student = handout_html(*lesson, numbers, draw);
    const auto teacher = handout_html(*lesson, numbers, draw, Edition::teacher);
    ASSERT_TRUE(student && teacher);
    EXPECT_EQ(student->find("Most say"), std::string::npos);
    EXPECT_NE(teacher->find("Most say 32."), std::string::npos);
    EXPECT_NE(teacher->find("Notes for the teacher"), std::string::npos);
}

TEST_F(LessonPageTest, what_is_no_lesson_is_explained_and_the_window_lives_on) {
    write("broken.md", "+++\ntitle = \"Broken\"\n");
    write("without_kernel.md",
          "+++\ntitle = \"No kernel\"\nsubject = \"?\"\nkernel = \"shared_strid\"\n+++\n\nIt is "
          "{steps}.\n\n## Next\n\n"
          "Still here.\n");
    const auto open = reader("nothing_like_it");
    EXPECT_TRUE(open->ui.shows("There is no lesson `nothing_like_it`"));
    EXPECT_TRUE(open->ui.shows("broken.md:1: the header has no closing line +++"));
    open->page.open(folder + "broken.md");
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("the header has no closing line +++"));
    open->page.open("without_kernel");
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("It is …."));
    EXPECT_TRUE(open->ui.shows("Not all of this step can be computed."));
    EXPECT_TRUE(open->ui.shows("did you mean `shared_stride`?"));
    open->ui.press(compat::Key::right);
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("Still here."));
    open->ui.press(compat::Key::escape);
    open->ui.frame(2);
    ASSERT_TRUE(open->ui.click("lesson strides"));
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("takes 2 wavefronts"));
}

TEST_F(LessonPageTest, a_step_is_explored_in_the_window_and_comes_back) {
    const auto open = reader();
    ASSERT_TRUE(open->ui.click("lesson explore"));
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("Strides · step 1 of 4"));
    ASSERT_TRUE(open->ui.click("knob stride +"));
    ASSERT_TRUE(open->settle());
    ASSERT_TRUE(open->ui.click("lesson come back"));
    ASSERT_TRUE(open->settle());
    EXPECT_EQ(instrumentation::to_string(open->session.scene()->parameters.at("stride")), "2")
        << "the lesson's own setting";
    ASSERT_TRUE(open->ui.click("lesson close"));
    open->ui.frame(2);
    EXPECT_TRUE(open->ui.find("lessons"));
    ASSERT_TRUE(open->ui.click("lessons"));
    open->ui.frame(2);
    EXPECT_TRUE(open->ui.shows("With shared_stride, which is open"));
}

TEST_F(LessonPageTest, a_lesson_with_a_kernel_of_its_own_is_read_and_explored_like_the_others) {
    const auto kernels = catalogue().value();
    write("mine.cu", instrumentation::find_kernel(kernels, "shared_stride").value()->source);
    std::string text = head + number;
    text.replace(text.find("shared_stride"), 13, "mine.cu");
    fs::create_directories(folder + "course");
    write("course/own.md", text);
    fs::rename(folder + "mine.cu", folder + "course/mine.cu");
    const auto open = reader(folder + "course/own.md");
    open->page.go_to(1);
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("mine")) << "the file's name, not its path";
    EXPECT_FALSE(open->ui.shows("course/mine"));
    open->ui.type("8");
    open->ui.press(compat::Key::enter);
    ASSERT_TRUE(open->settle());
    EXPECT_TRUE(open->ui.shows("You answered 8; it is 32 wavefronts"));
    EXPECT_TRUE(open->ui.shows("by executing mine;"));
    ASSERT_TRUE(open->ui.click("lesson explore"));
    ASSERT_TRUE(open->settle());
    ASSERT_TRUE(open->ui.click("knob stride -"));
    ASSERT_TRUE(open->settle());
    EXPECT_EQ(instrumentation::to_string(open->session.scene()->parameters.at("stride")), "31");
    ASSERT_TRUE(open->ui.click("lesson come back"));
    ASSERT_TRUE(open->settle());
    EXPECT_EQ(instrumentation::to_string(open->session.scene()->parameters.at("stride")), "32");
    fs::remove(folder + "course/mine.cu");
    const auto missing = reader(folder + "course/own.md");
    EXPECT_TRUE(missing->ui.shows("does not exist"));
}

TEST_F(LessonPageTest, the_code_begins_at_the_kernel_and_not_at_the_defaults_of_its_knobs) {
    const auto kernels = catalogue().value();
    const auto* kernel = instrumentation::find_kernel(kernels, "transpose_tiled").value();
    const auto lines = listed_lines(*kernel);
    ASSERT_FALSE(lines.empty());
    EXPECT_NE(lines.front().code.find("__global__"), std::string::npos) << lines.front().code;
    for (const KernelLine& line : lines) EXPECT_FALSE(line.code.starts_with("#define PAD"));
    EXPECT_EQ(lines.front().number, line_with(*kernel, "__global__").value()) << "numbers are the file's";
    // What a knob chooses between is code.
    const auto* reduce = instrumentation::find_kernel(kernels, "warp_reduce").value();
    EXPECT_TRUE(std::ranges::any_of(listed_lines(*reduce), [](const KernelLine& line) {
        return line.code.find("BUTTERFLY") != std::string::npos;
    }));
}

TEST_F(LessonPageTest, a_handout_prints_the_code_of_which_a_line_is_asked_for_without_its_comments) {
    LessonNumbers numbers(make_pipeline(), catalogue().value(), recordings_folder());
    const auto lesson = load_lesson(folder + "strides.md");
    ASSERT_TRUE(lesson) << lesson.error().message;
    const auto html =
        handout_html(*lesson, numbers,
                     [](const Lesson&, const LessonPicture&) -> Result<std::string> { return "<svg/>"; });
    ASSERT_TRUE(html) << html.error().message;
    const auto line = line_with(**numbers.kernel("shared_stride"), "sum += table[");
    ASSERT_TRUE(line) << line.error().message;
    EXPECT_NE(html->find("<span>  " + std::to_string(*line) + "</span>"), std::string::npos);
    EXPECT_EQ(html->find("a conflict of as many ways"), std::string::npos)
        << "a comment that gives answers away";
}

TEST_F(LessonPageTest, the_first_start_invites_to_the_first_lesson) {
    LessonReader open(folder, progress);
    ASSERT_TRUE(open.frame.open_first_lesson());
    open.ui.frame(2);
    ASSERT_TRUE(open.ui.click("invitation lesson"));
    ASSERT_TRUE(open.settle());
    EXPECT_TRUE(open.ui.shows("takes 2 wavefronts"));
}

TEST_F(LessonPageTest, a_lesson_draws_at_every_size) {
    for (const float width : {1.0f, 31.0f, 320.0f, 2560.0f})
        for (const float height : {1.0f, 31.0f, 200.0f, 1440.0f}) {
            const auto open = reader("strides", {width, height});
            open->page.go_to(2);
            open->ui.frame(2);
            open->page.present(true);
            open->ui.frame(2);
            open->page.show_list();
            open->ui.frame(2);
        }
}

}  // namespace
}  // namespace warplens::app
