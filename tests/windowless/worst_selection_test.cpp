// The default selection and the first named line are the most expensive ones, and Explain follows the open
// view.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/command_line/target.h"
#include "app/scene/default_selection.h"
#include "app/scene/explain_launch.h"
#include "app/scene/index_scene.h"
#include "app/scene/line_costs.h"
#include "app/scene/time_scene.h"
#include "app/scene/view_list.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;
using testing::Not;

Scene timed(const std::string& kernel, std::vector<std::string> set = {}) {
    LaunchFlags flags;
    flags.target = kernel;
    flags.set = std::move(set);
    auto scene = load_scene(flags);
    EXPECT_TRUE(scene) << scene.error().message;
    index_scene(*scene);
    scene->timing = time_scene(*scene, {}, [] { return false; });
    return std::move(*scene);
}

const Site& site_of(const Scene& scene, const Spot& spot) { return scene.trace->program.sites.at(spot.site); }

TEST(worst_selection, a_constant_load_of_many_words_goes_before_a_guard) {
    const Scene scene = timed("constant_broadcast", {"SPREAD=32"});
    const Spot spot = default_selection(scene);
    EXPECT_EQ(spot.source_line, 49u);
    ASSERT_LT(spot.access, scene.trace->accesses.size());
    EXPECT_EQ(scene.trace->accesses[spot.access].space, Space::constant);
    const auto line = costliest_line(scene);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->line.line, 49u);
}

TEST(worst_selection, a_cluster_view_selects_an_access_to_the_cluster) {
    const Scene scene = timed("cluster_histogram");
    const Spot spot = default_selection(scene);
    ASSERT_LT(spot.access, scene.trace->accesses.size());
    EXPECT_EQ(scene.trace->accesses[spot.access].space, Space::shared_cluster);
}

TEST(worst_selection, an_exchange_view_selects_a_shuffle) {
    const Scene scene = timed("warp_reduce");
    EXPECT_THAT(site_of(scene, default_selection(scene)).opcode, HasSubstr("shfl"));
}

TEST(worst_selection, the_dearest_line_is_found_by_its_cost) {
    for (const char* kernel : {"attention_naive", "attention_tiled"}) {
        const Scene scene = timed(kernel);
        const auto line = costliest_line(scene);
        ASSERT_TRUE(line) << kernel;
        double dearest = 0;
        for (const auto& other : analysis::source_lines(*scene.report, scene.trace->program)) {
            double cost = 0;
            for (const SiteId site : other.sites) cost += cost_of_site(scene, site);
            dearest = std::max(dearest, cost);
        }
        EXPECT_GE(line->cost, dearest / 4) << kernel;
    }
    const auto naive = costliest_line(timed("attention_naive"));
    EXPECT_NE(naive->line.line, 74u);
}

TEST(worst_selection, a_line_that_can_change_comes_first_and_is_not_said_to_cost_most) {
    const auto conflicts = costliest_line(timed("transpose_tiled", {"PAD=0"}));
    ASSERT_TRUE(conflicts);
    EXPECT_EQ(conflicts->line.line, 54u)
        << "the column's load, though the wait for the global load is longer";
    EXPECT_FALSE(conflicts->costs_most);
    const auto none = costliest_line(timed("transpose_tiled", {"PAD=1"}));
    ASSERT_TRUE(none);
    EXPECT_EQ(none->line.line, 46u);
    EXPECT_TRUE(none->costs_most);
}

TEST(worst_selection, without_times_the_excess_decides) {
    Scene scene = timed("transpose_tiled");
    scene.timing = nullptr;
    const auto line = costliest_line(scene);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->line.line, 54u);
    EXPECT_FALSE(line->is_timed());
}

TEST(worst_selection, views_of_the_launch_are_explained_as_such) {
    const Scene scene = timed("transpose_tiled");
    for (const char* view : {"occupancy", "roofline", "whatif"}) {
        const auto text = explain_launch(scene, view);
        ASSERT_TRUE(text) << view;
        EXPECT_THAT(text->what, Not(HasSubstr("bank"))) << view;
        EXPECT_FALSE(text->why.empty()) << view;
    }
    EXPECT_THAT(explain_launch(scene, "occupancy")->what, HasSubstr("64 of its 64 warp slots, 100 %"));
    EXPECT_FALSE(explain_launch(scene, "banks"));
    EXPECT_FALSE(explain_launch(scene, ""));
}

TEST(worst_selection, the_question_about_data_in_l2_changes_its_knob) {
    TimingOptions question;
    question.data_in_l2 = true;
    const TimingOptions turned = with_question({}, question, true);
    EXPECT_TRUE(turned.data_in_l2);
    EXPECT_TRUE(is_turned(turned, question));
    EXPECT_FALSE(is_turned({}, question));
    EXPECT_EQ(with_question(turned, question, false), TimingOptions{});
}

}  // namespace
}  // namespace warplens::app
