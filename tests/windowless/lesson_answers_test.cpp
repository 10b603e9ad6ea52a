#include "app/lesson/answers.h"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/command_line/reported.h"
#include "app/lesson/expression.h"
#include "app/lesson/lesson_check.h"
#include "app/lesson/lesson_folder.h"
#include "app/lesson/lesson_parser.h"
#include "app/lesson/lesson_progress.h"
#include "instrumentation/catalog/catalogue.h"
#include "tests/typed_commands.h"
#include "tests/windowless/lesson_text.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const Status fine;
Status any_answer_picture(const Lesson&, const LessonPicture&) { return {}; }

class LessonAnswers : public testing::Test {
  protected:
    Lesson lesson(const std::string& question) {
        auto read = parse_lesson(lesson_with(question), "a.md");
        EXPECT_TRUE(read) << (read ? "" : read.error().message);
        return read ? std::move(*read) : Lesson{};
    }
    const LessonQuestion& question_of(const Lesson& lesson) { return *lesson.steps.back().question; }
    std::vector<std::string> faults_of(const std::string& question) {
        return check_lesson(lesson(question), numbers, any_answer_picture).faults;
    }
    LessonNumbers numbers = make_numbers();
};

const std::string explained =
    "right = \"{truth} it is, {times} times\"\nwrong = \"{answer} is not {truth}\"\n";

TEST_F(LessonAnswers, a_number_is_what_the_engine_counted_and_the_student_sees_both) {
    const Lesson read = lesson(
        "ask = \"?\"\nrun = \"far\"\ntruth = \"shared_load.wavefronts_per_request\"\nunit = "
        "\"wavefronts\"\n" +
        explained + "mistakes = [{ is = \"truth / 2\", says = \"half of {truth}\" }]\n");
    const auto truth = truth_of(read, question_of(read), numbers);
    ASSERT_TRUE(truth) << truth.error().message;
    EXPECT_EQ(truth->number, 32);
    EXPECT_EQ(truth->words, "32 wavefronts");
    const auto said = [&](double number) {
        const auto verdict = judge(read, question_of(read), *truth, {number, 0, 0}, numbers);
        return verdict ? verdict->explanation : verdict.error().message;
    };
    EXPECT_EQ(said(32), "32 it is, 16 times");
    EXPECT_EQ(said(8), "8 is not 32");
    EXPECT_EQ(said(16), "half of 32");
    EXPECT_FALSE(judge(read, question_of(read), *truth, {31.9, 0, 0}, numbers)->right);
}

TEST_F(LessonAnswers, prose_has_three_digits_and_no_fraction_looks_whole) {
    const Lesson read = lesson("ask = \"?\"\nrun = \"far\"\ntruth = \"1\"\n" + explained);
    const auto words =
        filled(read, "far", {"{5.2906} {155.78} {43.05} {0.28004} {1234.5} {22607} {7}", 1}, numbers);
    ASSERT_TRUE(words) << words.error().message;
    EXPECT_EQ(*words, "5.29 155.8 43.05 0.28 1,235 22,607 7");
}

TEST_F(LessonAnswers, a_time_is_the_one_that_the_report_prints) {
    for (const char* engine : {"simt", "recorded"}) {
        LaunchFlags flags;
        flags.target = "shared_stride";
        flags.engine = engine;
        const auto reported = report_of(flags, {});
        ASSERT_TRUE(reported) << reported.error().message;
        LessonRun run;
        run.kernel = flags.target;
        run.engine = engine;
        const auto cycles = numbers.number(run, "schedule.cycles");
        ASSERT_TRUE(cycles) << cycles.error().message;
        EXPECT_EQ(*cycles, reported->report->schedule->launch.cycles) << engine;
    }
}

TEST_F(LessonAnswers, a_step_that_was_left_while_it_was_computed_leaves_no_number_of_its_own) {
    LessonRun run;
    run.kernel = "shared_stride";
    const auto truth = numbers.number(run, "schedule.cycles");
    ASSERT_TRUE(truth) << truth.error().message;
    bool stopped = true;
    for (int questions = 1; stopped; questions *= 2) {  // asked so often before the reader leaves
        LessonNumbers others = make_numbers();
        int asked = 0;
        stopped = false;
        others.set_cancelled([&] { return stopped |= ++asked > questions; });
        (void)others.number(run, "schedule.cycles");
        others.set_cancelled({});
        const auto later = others.number(run, "schedule.cycles");
        ASSERT_TRUE(later) << later.error().message;
        EXPECT_EQ(*later, *truth) << "left after " << questions << " questions";
    }
}

TEST_F(LessonAnswers, a_tolerance_is_a_share_of_the_truth) {
    const Lesson read = lesson(
        "ask = \"?\"\nrun = \"far\"\ntolerance = 0.1\ntruth = \"shared_load.wavefronts_per_request\"\n" +
        explained);
    const auto truth = truth_of(read, question_of(read), numbers);
    ASSERT_TRUE(truth);
    EXPECT_TRUE(judge(read, question_of(read), *truth, {29, 0, 0}, numbers)->right);
    EXPECT_FALSE(judge(read, question_of(read), *truth, {28, 0, 0}, numbers)->right);
}

TEST_F(LessonAnswers, of_a_choice_exactly_one_option_is_right) {
    const std::string choice =
        "kind = \"choice\"\nask = \"?\"\ntruth = \"shared_load.conflict_ways\"\n" + explained;
    const Lesson read = lesson(choice + "unit = \"ways\"\noptions = [\"1\", \"2\", \"32\"]\n");
    const auto truth = truth_of(read, question_of(read), numbers);
    ASSERT_TRUE(truth) << truth.error().message;
    EXPECT_THAT(truth->options, ElementsAre("1 way", "2 ways", "32 ways"));
    EXPECT_EQ(truth->right_option, 1u);
    EXPECT_EQ(judge(read, question_of(read), *truth, {0, 2, 0}, numbers)->explanation, "32 ways is not 2");

    EXPECT_THAT(faults_of(choice + "options = [\"1\", \"32\"]\n"),
                ElementsAre(HasSubstr("0 of the 2 options are right")));
    EXPECT_THAT(faults_of(choice + "options = [\"2\", \"1 + 1\"]\n"),
                ElementsAre(HasSubstr("two options read \"2\"")));
    EXPECT_THAT(
        faults_of(choice + "options = [{ text = \"even\", when = \"truth % 2 == 0\" }, { text = \"small\", "
                           "when = \"truth < 5\" }]\n"),
        ElementsAre(HasSubstr("2 of the 2 options are right")));
}

TEST_F(LessonAnswers, the_line_is_the_worst_by_its_metric) {
    const Lesson read =
        lesson("kind = \"line\"\nask = \"?\"\ntruth = \"shared_load.conflict_ways\"\n" + explained);
    const auto truth = truth_of(read, question_of(read), numbers);
    ASSERT_TRUE(truth) << truth.error().message;
    EXPECT_EQ(truth->line, numbers.line_with("shared_stride", "sum += table[").value());
    EXPECT_TRUE(judge(read, question_of(read), *truth, {0, 0, truth->line}, numbers)->right);
    EXPECT_THAT(judge(read, question_of(read), *truth, {0, 0, 3}, numbers)->explanation,
                HasSubstr("line 3 is not line"));
}

TEST_F(LessonAnswers, the_check_finds_what_no_student_should) {
    EXPECT_THAT(faults_of("ask = \"?\"\ntruth = \"global_load.sectors_per_request\"\n" + explained),
                ElementsAre(HasSubstr("makes no global load request")));
    EXPECT_THAT(faults_of("ask = \"?\"\ntruth = \"shared_load.conflict_ways\"\n" + explained +
                          "mistakes = [{ is = \"2\", says = \"no\" }]\n"),
                ElementsAre(HasSubstr("this mistake is the right answer, 2")));
    auto read = lesson("ask = \"?\"\ntruth = \"steps\"\n" + explained);
    read.runs[1].kernel = "shared_strike";
    const auto found = check_lesson(read, numbers, any_answer_picture);
    ASSERT_FALSE(found.held());
    EXPECT_THAT(found.faults.front(), HasSubstr("did you mean `shared_stride`?"));
}

TEST_F(LessonAnswers, a_run_that_cannot_be_launched_is_named_once_at_its_own_line) {
    auto read = lesson("ask = \"?\"\nrun = \"far\"\ntruth = \"steps\"\n" + explained);
    read.runs[1].set = {{"strid", "32"}};
    EXPECT_THAT(check_lesson(read, numbers, any_answer_picture).faults,
                ElementsAre(AllOf(HasSubstr("a.md:7: "), HasSubstr("did you mean `stride`?"))));
    read.runs[1].set = {{"stride", "99"}};
    EXPECT_THAT(check_lesson(read, numbers, any_answer_picture).faults,
                ElementsAre(AllOf(HasSubstr("a.md:7: "), HasSubstr("must be 0 to 33"))));
    for (LessonRun& run : read.runs) run.set = {{"strid", "2"}};
    EXPECT_THAT(check_lesson(read, numbers, any_answer_picture).faults, ElementsAre(HasSubstr("a.md:5: ")))
        << "taken over from the header, and said once";
}

/// A lesson of a teacher's own in a folder of its own, with a kernel file next to it.
class OwnLesson : public testing::Test {
  protected:
    static bool compiles() { return make_pipeline()->compiler().description().starts_with("NVRTC "); }
    OwnLesson() {
        fs::remove_all(folder);
        fs::create_directories(folder);
        const auto kernels = catalogue().value();
        write("mine.cu", instrumentation::find_kernel(kernels, "shared_stride").value()->source);
        std::string text = lesson_with(
            "ask = \"?\"\nrun = \"far\"\n"
            "truth = \"shared_load.conflict_ways\"\n" +
            explained);
        text.replace(text.find("shared_stride"), 13, "mine.cu");
        write("own.md", text);
    }
    ~OwnLesson() override { fs::remove_all(folder); }
    void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
    LessonCheck check() {
        const auto read = load_lesson((folder / "own.md").string());
        EXPECT_TRUE(read) << (read ? "" : read.error().message);
        return read ? check_lesson(*read, numbers, any_answer_picture) : LessonCheck{};
    }
    const fs::path folder =
        fs::path(testing::TempDir()) /
        (std::string("warplens_own_lesson_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    LessonNumbers numbers = make_numbers();
};

TEST_F(OwnLesson, finds_its_kernel_next_to_it_wherever_the_program_was_started) {
    if (!compiles()) GTEST_SKIP() << "needs NVRTC: own files have no shipped PTX";
    const LessonCheck found = check();
    EXPECT_TRUE(found.held()) << (found.faults.empty() ? "" : found.faults.front());
    ASSERT_EQ(found.questions.size(), 1u);
    EXPECT_EQ(found.questions[0].truth, "32");
}

TEST_F(OwnLesson, computes_anew_once_the_kernel_file_was_written_again) {
    if (!compiles()) GTEST_SKIP() << "needs NVRTC: own files have no shipped PTX";
    ASSERT_TRUE(check().held());
    std::ifstream file(folder / "mine.cu");
    std::string source((std::istreambuf_iterator<char>(file)), {});
    const auto at = source.find("max = 33");
    ASSERT_NE(at, std::string::npos);
    source.replace(at, 8, "max = 16");
    write("mine.cu", source);
    fs::last_write_time(folder / "mine.cu", fs::file_time_type::clock::now() + std::chrono::seconds(2));
    EXPECT_THAT(check().faults, ElementsAre(HasSubstr("must be 0 to 16")));
}

TEST_F(OwnLesson, says_that_a_kernel_is_missing_or_has_no_header) {
    write("mine.cu", "__global__ void mine(float* out) { out[threadIdx.x] = 1; }\n");
    EXPECT_THAT(check().faults, ElementsAre(AllOf(HasSubstr("own.md:4: "), HasSubstr("has no header"),
                                                  HasSubstr("warplens new"))));
    fs::remove(folder / "mine.cu");
    EXPECT_THAT(check().faults, ElementsAre(AllOf(HasSubstr("own.md:4: "), HasSubstr("does not exist"))));
}

TEST_F(LessonAnswers, a_thread_touches_the_element_that_it_computed) {
    LessonRun run;
    run.kernel = "vector_add";
    run.set = {{"n", "10000"}, {"block", "256"}};
    run.at = "sum[index] =";
    run.block = 12;
    run.thread = 77;
    EXPECT_EQ(numbers.number(run, "touched.element"), 3149);
    EXPECT_EQ(numbers.number(run, "launch.threads"), 10240);
    EXPECT_EQ(numbers.number(run, "knob.n"), 10000);
    run.block = 40;
    EXPECT_THAT(numbers.number(run, "touched.element").error().message, HasSubstr("the grid has 40 blocks"));
}

TEST(lesson_expression, reads_names_with_dots_and_leaves_lua_its_own) {
    const ReadNumber read = [](const std::string& name) -> Result<double> {
        if (name == "far.steps") return 12;
        if (name == "truth") return 0.5;
        return fail("{}?", name);
    };
    EXPECT_EQ(evaluate("math.floor(far.steps / 5) + 2e1 + truth", read), 22.5);
    EXPECT_EQ(evaluate("far.steps // 5", read), 2);
    EXPECT_EQ(holds("truth < 1 and far.steps == 12", read), true);
    EXPECT_EQ(evaluate("near.steps", read).error().message, "near.steps?");
    EXPECT_FALSE(evaluate("far.steps / 0", read));
}

TEST(lesson_expression, fills_braces_but_not_code) {
    const auto shout = [](const std::string& words) -> Result<std::string> { return "<" + words + ">"; };
    EXPECT_EQ(fill_in("a {x} `{y}` {{z}} {u", shout), "a <x> `{y}` {z} {u");
}

TEST(lesson_answer, is_read_with_commas_and_a_unit_but_not_from_words) {
    EXPECT_EQ(parse_answer("1,024 threads"), 1024);
    EXPECT_EQ(parse_answer(" 12.5 %"), 12.5);
    EXPECT_FALSE(parse_answer("many"));
    EXPECT_FALSE(parse_answer(""));
}

class LessonProgressFile : public TypedCommands {};

TEST_F(LessonProgressFile, is_kept_and_damage_is_no_progress) {
    const auto lesson = parse_lesson(lesson_with("ask = \"?\"\ntruth = \"steps\"\n" + explained), "a.md");
    ASSERT_TRUE(lesson);
    LessonProgress progress;
    EXPECT_FALSE(progress.finished(*lesson));
    progress.set(*lesson, lesson->steps.back(), true);
    ASSERT_TRUE(save_progress(progress, path("state/warplens/lessons.json")));
    const LessonProgress again = load_progress(path("state/warplens/lessons.json"));
    EXPECT_EQ(again.answered, progress.answered);
    EXPECT_TRUE(again.finished(*lesson));
    EXPECT_TRUE(load_progress(path("none")).answered.empty());
    EXPECT_TRUE(read_progress("{\"a\": 3, \"b\": {\"c\": 1}}").answered.empty());
    EXPECT_TRUE(read_progress("{ not json").answered.empty());
}

}  // namespace
}  // namespace warplens::app
