#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "view_stage.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;
using testing::Not;

/// tests/support/synthetic.h's tiny example, two of whose blocks print: every lane of warp 0 once, thread 33
/// twice.
std::shared_ptr<Scene> printing_scene() {
    const trace::ExampleShape shape{2, 64, 1};
    auto scene = stage_scene(shape);
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->launch = scene->trace->launch;
    report->launch.kernel = "speaking";
    report->printed.emplace();
    for (std::uint32_t block = 0; block < 2; ++block) {
        for (std::uint32_t thread = 0; thread < 32; ++thread)
            report->printed->calls.push_back(
                {{block, 0, 0}, {thread, 0, 0}, 1, 12, "", "hello from " + std::to_string(thread) + "\n"});
        for (int call = 0; call < 2; ++call)
            report->printed->calls.push_back({{block, 0, 0}, {33, 0, 0}, 2, 15, "", "one\nand two\n"});
    }
    scene->report = report;
    scene->blocks_in_grid = 2;
    return scene;
}

std::string printed_words_of(ViewStage& stage) {
    std::string all;
    for (const std::string& words : stage.headless.words()) all += words + " ";
    return all;
}

TEST(printed_view, the_title_counts_the_calls_and_names_the_lines) {
    ViewStage stage(find_view("printed")->make(), printing_scene());
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("68 calls of printf at 2 lines"));
    EXPECT_THAT(printed_words_of(stage), Not(HasSubstr("executed blocks")));
    EXPECT_THAT(printed_words_of(stage), HasSubstr("hello from 0"));
}

TEST(printed_view, a_sampled_run_says_that_only_its_blocks_printed) {
    auto scene = printing_scene();
    scene->blocks_in_grid = 1024;
    ViewStage stage(find_view("printed")->make(), scene);
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("in 2 of 1,024 executed blocks"));
}

TEST(printed_view, a_click_on_a_line_selects_its_thread_and_call) {
    ViewStage stage(find_view("printed")->make(), printing_scene());
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("printed line 5"));
    stage.headless.frame(2);
    const Spot& chosen = stage.selection.chosen;
    EXPECT_EQ(chosen.site, 1u);
    EXPECT_EQ(chosen.lane, 5);
    EXPECT_EQ(chosen.source_line, 12u);
    ASSERT_LT(chosen.warp_record, stage.scene->trace->warps.size());
    EXPECT_EQ(stage.scene->trace->warps[chosen.warp_record].block, 0u);
    EXPECT_EQ(stage.scene->trace->warps[chosen.warp_record].warp, 0u);
}

TEST(printed_view, only_the_lines_of_the_selected_warp_or_thread_stay_when_asked) {
    auto scene = printing_scene();
    ViewStage stage(find_view("printed")->make(), scene, {1100, 3000});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.hover("printed line 71")) << "68 calls, four of them two lines long";
    EXPECT_FALSE(stage.headless.hover("printed line 72"));
    ASSERT_TRUE(stage.headless.click("printed line 33"));  // thread 33 of block 0, second line
    ASSERT_TRUE(stage.headless.click("printed thread"));
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("and two"));
    EXPECT_THAT(printed_words_of(stage), Not(HasSubstr("hello from")));
    EXPECT_EQ(stage.selection.chosen.lane, 1);
    ASSERT_TRUE(stage.headless.click("printed block"));
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("hello from 31"));
    EXPECT_THAT(printed_words_of(stage), Not(HasSubstr("(1, 0, 0) (0, 0, 0)")));
}

TEST(printed_view, lines_of_two_runs_are_aligned_by_thread_and_text) {
    const auto before = printing_scene();
    auto after = printing_scene();
    auto report = std::make_shared<analysis::LaunchReport>(*after->report);
    report->printed->calls[7].text = "another text\n";  // of thread 7 of block 0
    report->printed->calls.pop_back();                  // two lines of thread 33 of block 1
    after->report = report;
    after->generation = 2;
    ViewStage stage(find_view("printed")->make(), after, {1100, 3000});
    stage.baseline = before;
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("3 lines only in first run, 1 line only in second run"));
    EXPECT_THAT(printed_words_of(stage), HasSubstr("−3 +1 lines 69 lines in both"));
    EXPECT_THAT(printed_words_of(stage), HasSubstr("hello from 7 + (0, 0, 0) (7, 0, 0) 12 another text"));
    EXPECT_THAT(printed_words_of(stage), HasSubstr("lines in both")) << "a long stretch is folded";
    EXPECT_THAT(printed_words_of(stage), Not(HasSubstr("hello from 20")));
    ASSERT_TRUE(stage.headless.click("printed folded 12"));
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("hello from 20"));
    stage.baseline = after;
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("print the same 70 lines"));
    auto silent = stage_scene(trace::ExampleShape::tiny());
    stage.baseline = silent;
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("first run has no printf output in its recording."));
}

TEST(printed_view, calls_that_were_not_kept_are_counted) {
    auto scene = printing_scene();
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->printed->dropped = 1234;
    scene->report = report;
    ViewStage stage(find_view("printed")->make(), scene, {1100, 3000});
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("1,234 more that were not stored"));
}

TEST(printed_view, a_picture_says_how_many_lines_it_leaves_out) {
    ViewStage stage(find_view("printed")->make(), printing_scene(), {900, 500});
    stage.interactive = false;
    stage.headless.frame(2);
    EXPECT_THAT(printed_words_of(stage), HasSubstr("more lines in a taller view"));
}

TEST(printed_view, says_why_nothing_is_there_and_what_to_do) {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage unknown(find_view("printed")->make(), scene);
    unknown.headless.frame(2);
    EXPECT_THAT(printed_words_of(unknown), HasSubstr("does not contain printf output"));

    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->printed.emplace();
    scene->report = report;
    scene->generation = 2;
    ViewStage none(find_view("printed")->make(), scene);
    none.headless.frame(2);
    EXPECT_THAT(printed_words_of(none), HasSubstr("The kernel has no printf."));
    EXPECT_THAT(printed_words_of(none), HasSubstr("print_lanes"));

    auto trace = std::make_shared<trace::Trace>(*scene->trace);
    trace->program.sites[0].text = "call.uni (retval0), vprintf, (param0, param1);";
    scene->trace = trace;
    scene->generation = 3;
    ViewStage silent(find_view("printed")->make(), scene);
    silent.headless.frame(2);
    EXPECT_THAT(printed_words_of(silent), HasSubstr("executed blocks reached a printf"));
}

}  // namespace
}  // namespace warplens::app
