// The tree view says what it does not show: instructions beyond the limit, and other blocks.
#include <gmock/gmock.h>

#include "analysis/warps/combine_tree.h"
#include "app/views/tree/words.h"
#include "tests/app/catalogue_stage.h"

namespace warplens::app {

std::unique_ptr<View> make_tree_view();

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(tree_view, says_after_which_instruction_it_stops) {
    const auto scene = timed_kernel("reduce_sequential", {{"n", "1024"}, {"block", "64"}});
    ASSERT_TRUE(scene->trees);
    ViewStage whole(make_tree_view(), scene, {1280, 720});
    whole.selection.chosen.warp_record = 0;
    EXPECT_THAT(drawn_words(whole), Not(HasSubstr("incomplete")));

    auto cut = std::make_shared<Scene>(*scene);
    auto trees = std::make_shared<analysis::CombineTrees>(*scene->trees);
    trees->stopped_after = 60'000;
    cut->trees = trees;
    ViewStage part(make_tree_view(), cut, {1280, 720});
    const std::string words = drawn_words(part);
    EXPECT_THAT(words, HasSubstr("incomplete: followed until instruction 60,000 of the block"));
}

TEST(tree_view, columns_of_several_dimensions_have_an_index_in_each) {
    trace::Trace trace;
    trace.launch.geometry.block = {8, 4, 1};
    trace.program.sources.push_back({"kernel.cu", "__shared__ float part[4][8];"});
    trace.program.variables.push_back({"part", Space::shared, 0, 128, 4});
    analysis::CombineTree tree;
    tree.columns = 2;
    tree.nodes.resize(2);
    tree.nodes[0].column = 0;
    tree.nodes[1].column = 1;
    tree.nodes[1].thread = 9;
    for (analysis::TreeNode& node : tree.nodes) node.word = no_index;
    EXPECT_THAT(column_names(trace, tree).numbers, ElementsAre("(0, 0)", "(1, 1)"));
    EXPECT_EQ(column_names(trace, tree).what, "threads");
    trace.launch.geometry.block = {32, 1, 1};
    EXPECT_THAT(column_names(trace, tree).numbers, ElementsAre("0", "9"));
    for (analysis::TreeNode& node : tree.nodes) node.type = "f32";
    tree.nodes[0].word = 0;
    tree.nodes[1].word = 4 * (8 + 1);
    EXPECT_THAT(column_names(trace, tree).numbers, ElementsAre("[0][0]", "[1][1]"));
    EXPECT_EQ(column_names(trace, tree).what, "elements of part");
    trace.program.sources.front().text = "__shared__ float part[32];";
    EXPECT_THAT(column_names(trace, tree).numbers, ElementsAre("0", "9"));
}

TEST(tree_view, shows_the_block_that_is_selected) {
    const auto scene = timed_kernel("reduce_sequential", {{"n", "1024"}, {"block", "64"}});
    const std::uint64_t block = scene->trace->warps.back().block;
    ASSERT_GT(block, 0u);
    ViewStage stage(make_tree_view(), scene, {1280, 720});
    stage.interactive = false;
    stage.selection.chosen.warp_record = static_cast<std::uint32_t>(scene->trace->warps.size() - 1);
    const std::string words = drawn_words(stage);
    EXPECT_THAT(words, HasSubstr(fmt::format("Block {}", block)));
    EXPECT_THAT(words, HasSubstr(fmt::format("block {} executed again", block)));
    const auto first = scene->trees, last = scene->trees_of_block(block, {});
    ASSERT_TRUE(last);
    EXPECT_NE(first->trees.front().nodes.front().bits, last->trees.front().nodes.front().bits)
        << "other values of the same shape";
    EXPECT_EQ(first->trees.front().rows.size(), last->trees.front().rows.size());
}

TEST(tree_view, says_that_a_block_cannot_be_executed_again) {
    auto scene =
        std::make_shared<Scene>(*timed_kernel("reduce_sequential", {{"n", "1024"}, {"block", "64"}}));
    scene->trees_of_block = {};
    ViewStage stage(make_tree_view(), scene, {1280, 720});
    stage.selection.chosen.warp_record = static_cast<std::uint32_t>(scene->trace->warps.size() - 1);
    EXPECT_THAT(drawn_words(stage), HasSubstr("is selected, but cannot be executed again"));
}

TEST(tree_view, names_the_sweeps_of_blelloch_s_scan) {
    ViewStage stage(make_tree_view(), timed_kernel("scan_blelloch", {{"block", "32"}}), {1280, 900});
    stage.interactive = false;
    const std::string words = drawn_words(stage);
    for (const char* name : {"up-sweep 1", "up-sweep 6", "last replaced", "down-sweep 1", "down-sweep 6"})
        EXPECT_THAT(words, HasSubstr(name));
    EXPECT_THAT(words, Not(HasSubstr("round 1")));
}

}  // namespace
}  // namespace warplens::app
