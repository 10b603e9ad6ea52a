#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/pipeline/values/step_values.h"
#include "app/pipeline/values/value_words.h"
#include "app/session/values_task.h"
#include "app/views/exchange/differences.h"
#include "app/views/exchange/drawing.h"
#include "tests/app/catalogue_stage.h"
#include "trace/recorder.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

/// One warp that sums up its lanes in five shuffles down, then takes a ballot of its even lanes. `halved`:
/// the first shuffle is by 8.
std::shared_ptr<Scene> summing_scene(bool halved = false, std::uint64_t generation = 1) {
    Program program;
    for (int i = 0; i < 6; ++i) {
        Site site;
        site.opcode = i < 5 ? "shfl.sync.down.b32" : "vote.sync.ballot.b32";
        site.line = 41;
        program.sites.push_back(site);
    }
    program.basic_blocks = {{0, 6}};
    trace::Launch launch;
    launch.geometry.block = {32, 1, 1};
    trace::Recorder recorder(launch, program);
    auto block = recorder.begin_block(0);
    block->visit(0, 0, LaneMask::all());
    for (int i = 0; i < 6; ++i) {
        trace::Lanes values{};
        for (int lane = 0; lane < warp_size; ++lane) {
            const int source = lane + (halved && i == 0 ? 8 : 16 >> i);
            values[static_cast<std::size_t>(lane)] = static_cast<std::uint8_t>(i == 5 ? lane % 2 == 0
                                                                               : source < warp_size ? source
                                                                                                    : lane);
        }
        block->exchange(0, static_cast<SiteId>(i), LaneMask::all(), values);
    }
    recorder.finish(0, std::move(block));
    auto scene = std::make_shared<Scene>();
    scene->generation = generation;
    scene->gpu = &default_gpu();
    scene->trace = std::make_shared<trace::Trace>(recorder.take());
    scene->report = std::make_shared<analysis::LaunchReport>();
    scene->blocks_in_grid = scene->blocks_executed = 1;
    return scene;
}

std::string words_of(ViewStage& stage) {
    std::string all;
    for (const std::string& words : stage.headless.words()) all += words + " ";
    return all;
}

TEST(exchange_view, the_title_says_what_five_steps_do) {
    ViewStage stage(find_view("exchange")->make(), summing_scene());
    stage.headless.frame(2);
    EXPECT_THAT(words_of(stage), HasSubstr("Shuffle down by 16, line 41: lane i gets lane i + 16"));
    EXPECT_THAT(words_of(stage), HasSubstr("5 steps combine 32 lanes"));
}

TEST(exchange_view, a_lane_under_the_mouse_shows_its_arithmetic) {
    ViewStage stage(find_view("exchange")->make(), summing_scene());
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.hover("exchange row 1 lane 5"));
    stage.headless.frame(2);
    EXPECT_THAT(words_of(stage), HasSubstr("lane 5 gets the value of lane 21: 5 + 16 = 21"));
    EXPECT_EQ(stage.hovered().lane, 5);
    EXPECT_EQ(stage.hovered().site, 0u);
    ASSERT_TRUE(stage.headless.hover("exchange row 1 lane 20"));
    stage.headless.frame(2);
    EXPECT_THAT(words_of(stage),
                HasSubstr("lane 20 keeps its own value: 20 + 16 = 36 is outside lanes 0 to 31"));
}

TEST(exchange_view, the_next_exchange_is_one_click_away) {
    ViewStage stage(find_view("exchange")->make(), summing_scene());
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("exchange next"));
    stage.headless.frame(2);
    EXPECT_THAT(words_of(stage), HasSubstr("true in 16 of 32 lanes"));
    EXPECT_THAT(words_of(stage), HasSubstr("0x55555555"));
    EXPECT_EQ(stage.selection.chosen.site, 5u);
}

TEST(exchange_view, a_recording_without_exchanges_says_so) {
    auto scene = summing_scene();
    auto bare = std::make_shared<trace::Trace>(*scene->trace);
    bare->exchanges.clear();
    bare->warps[0].exchanges_begin = bare->warps[0].exchanges_end = 0;
    scene->trace = bare;
    ViewStage stage(find_view("exchange")->make(), scene);
    stage.headless.frame(2);
    EXPECT_THAT(words_of(stage), HasSubstr("was not recorded"));
}

TEST(exchange_view, draws_two_runs_beside_each_other_and_says_what_an_outline_means) {
    ViewStage stage(find_view("exchange")->make(), summing_scene(true, 2), {1500, 800});
    stage.baseline = summing_scene(false, 1);
    stage.headless.frame(2);
    EXPECT_THAT(words_of(stage), HasSubstr("; first run: Shuffle ")) << "the title";
    EXPECT_THAT(words_of(stage), HasSubstr("warp 0 of block 0: 5 steps, 32 lanes active"));
    EXPECT_THAT(words_of(stage), HasSubstr("differs from the other run"));
    const auto other = stage_scene(trace::ExampleShape::tiny(), 3);
    stage.baseline = other;
    stage.headless.frame(2);
    EXPECT_THAT(words_of(stage), HasSubstr("first run has no shuffles, votes or matches to compare with."));
}

TEST(exchange_view, names_the_baseline_where_only_that_has_exchanges) {
    ViewStage stage(find_view("exchange")->make(), stage_scene(trace::ExampleShape::tiny(), 3), {1600, 1000});
    stage.baseline = summing_scene(false, 1);
    stage.headless.frame(2);
    EXPECT_THAT(words_of(stage), HasSubstr("first run has some"));
}

TEST(exchange_view, a_lane_differs_where_it_receives_from_another_lane) {
    const auto one = summing_scene(), other = summing_scene(true);
    const auto a = analysis::warp_collectives(*one->trace, 0),
               b = analysis::warp_collectives(*other->trace, 0);
    EXPECT_FALSE(exchange_differs(a, b, 0, 3)) << "all lanes take part in both";
    EXPECT_TRUE(exchange_differs(a, b, 1, 3)) << "from lane 19, from lane 11";
    EXPECT_FALSE(exchange_differs(a, b, 1, 31)) << "keeps its own in both";
    EXPECT_FALSE(exchange_differs(a, b, 2, 3));
    EXPECT_FALSE(exchange_differs(a, std::span(b).first(1), 2, 3)) << "only one run has this step";
    EXPECT_FALSE(exchange_differs(a, {}, 1, 3)) << "nothing to compare with";
}

TEST(exchange_view, a_value_differs_where_both_are_known_and_marks_say_nothing_where_all_differ) {
    ExchangeRow a{}, b{};
    a[0] = "1";
    b[0] = "1";
    a[1] = "2";
    b[1] = "3";
    a[2] = "4";
    const std::vector<ExchangeRow> rows{a}, other{b}, shifted{ExchangeRow{"7", "8", "9"}};
    EXPECT_FALSE(exchange_value_differs(rows, other, 0, 0));
    EXPECT_TRUE(exchange_value_differs(rows, other, 0, 1));
    EXPECT_FALSE(exchange_value_differs(rows, other, 0, 2)) << "not known in one of them";
    EXPECT_FALSE(exchange_value_differs(rows, other, 1, 1)) << "no such row";
    EXPECT_TRUE(some_exchange_value_stays(rows, other));
    EXPECT_FALSE(some_exchange_value_stays(rows, shifted));
}

TEST(exchange_view, values_lose_digits_before_they_are_left_out) {
    ExchangeRow row;
    row.fill("0.5665615");
    ExchangeRow masks;
    masks.fill("0x11111111");
    const std::vector<ExchangeRow> rows{row, masks};
    std::vector<bool> wide, narrow;
    Headless ui(
        [&](const Theme& theme) {
            ImGui::Begin("lanes");
            const Ink ink{ImGui::GetWindowDrawList(), theme};
            wide = exchange_rows_that_fit(ink, rows, {0, 0, 1230, 500});
            narrow = exchange_rows_that_fit(ink, rows, {0, 0, 400, 500});
            ImGui::End();
        },
        {1280, 720});
    ui.frame();
    EXPECT_THAT(wide, testing::ElementsAre(true, false)) << "0.57, but no part of a mask";
    EXPECT_THAT(narrow, testing::ElementsAre(false, false)) << "not even one digit has room";
}

/// A kernel's exchange, with the values of its warp.
struct Valued {
    std::shared_ptr<const Scene> scene;
    ValuesState values;

    Valued(const std::string& kernel, const std::map<std::string, std::string>& knobs,
           std::uint64_t generation) {
        static const auto pipeline = make_pipeline();
        auto run = std::make_shared<Scene>(*timed_kernel(kernel, knobs));
        run->generation = generation;
        scene = run;
        const auto read = [](const Scene& of, const ValuesQuestion& question,
                             const std::function<bool()>& cancelled) {
            return values_of_scene(*pipeline, of, question, cancelled);
        };
        values = read_values(read, *run, question_of_exchanges(*run->trace, 0), [] { return false; });
    }
};

TEST(exchange_view, two_runs_show_the_values_of_both_and_the_change_under_the_mouse) {
    const Valued before("warp_reduce", {{"n", "64"}}, 1),
        after("warp_reduce", {{"n", "64"}, {"BUTTERFLY", "1"}}, 2);
    ASSERT_TRUE(before.values.found) << before.values.failure;
    ASSERT_TRUE(after.values.found) << after.values.failure;
    ViewStage stage(find_view("exchange")->make(), after.scene, {1600, 1300});
    stage.selection.chosen.warp_record = 0;
    stage.baseline = before.scene;
    stage.values = &after.values;
    stage.baseline_values = &before.values;
    stage.headless.frame(3);
    EXPECT_THAT(words_of(stage), HasSubstr("values: executed again"));
    EXPECT_TRUE(stage.commands.ask_values);
    EXPECT_TRUE(stage.commands.ask_baseline_values);
    EXPECT_THAT(words_of(stage), HasSubstr("in the last step"));
    EXPECT_THAT(words_of(stage), HasSubstr("value given"));
    EXPECT_THAT(words_of(stage), HasSubstr("value received")) << "no sum: that comes after the last step";
    expect_legible(stage, {1600, 1300});
    // Down, lane 20 keeps its value in the first step; the butterfly adds lane 4's.
    ASSERT_TRUE(stage.headless.hover("exchange row 2 lane 20"));
    stage.headless.frame(2);
    const auto given = [](const Valued& run) {
        const auto bands = analysis::warp_collectives(*run.scene->trace, 0);
        return exchanged_texts(*run.values.found, bands[1].step, false)[20];
    };
    ASSERT_NE(given(before), given(after));
    EXPECT_THAT(words_of(stage), HasSubstr("value given: " + given(before) + " → " + given(after)));
}

TEST(exchange_view, the_masks_of_a_match_are_no_numbers) {
    const Valued match("warp_aggregate", {{"n", "256"}}, 1);
    ASSERT_TRUE(match.values.found) << match.values.failure;
    ViewStage stage(find_view("exchange")->make(), match.scene, {3600, 900});
    stage.selection.chosen.warp_record = 0;
    stage.values = &match.values;
    stage.headless.frame(3);
    EXPECT_THAT(words_of(stage), testing::ContainsRegex("0x[0-9a-f]{8}"));
    ViewStage narrow(find_view("exchange")->make(), match.scene, {1500, 900});
    narrow.selection.chosen.warp_record = 0;
    narrow.values = &match.values;
    narrow.headless.frame(3);
    EXPECT_THAT(words_of(narrow), HasSubstr("value given"));
    EXPECT_THAT(words_of(narrow), testing::Not(HasSubstr("value received")));
    EXPECT_THAT(words_of(narrow), HasSubstr("wider values: in a wider view"));
}

TEST(exchange_view, two_runs_without_room_for_all_values_say_those_of_one_lane) {
    const Valued before("warp_reduce", {{"n", "64"}}, 1),
        after("warp_reduce", {{"n", "64"}, {"BUTTERFLY", "1"}}, 2);
    ViewStage stage(find_view("exchange")->make(), after.scene, {1232, 600});
    stage.selection.chosen.warp_record = 0;
    stage.baseline = before.scene;
    stage.values = &after.values;
    stage.baseline_values = &before.values;
    stage.headless.frame(3);
    EXPECT_THAT(words_of(stage), testing::ContainsRegex("lane [0-9]+ gives [0-9-]+"));
    EXPECT_THAT(words_of(stage), testing::ContainsRegex("lane [0-9]+ receives [0-9-]+"));
    EXPECT_THAT(words_of(stage), HasSubstr("values of one lane: executed again"));
    expect_legible(stage, {1232, 600});
}

}  // namespace
}  // namespace warplens::app
