// The tree view says what it does not show: instructions beyond the limit, and other blocks.
#include <gmock/gmock.h>

#include "analysis/warps/combine_tree.h"
#include "tests/app/catalogue_stage.h"

namespace warplens::app {

std::unique_ptr<View> make_tree_view();

namespace {

using testing::HasSubstr;
using testing::Not;

TEST(tree_view, says_after_which_instruction_it_stops_and_that_another_block_is_selected) {
    const auto scene = timed_kernel("reduce_sequential", {{"n", "1024"}, {"block", "64"}});
    ASSERT_TRUE(scene->trees);
    ViewStage whole(make_tree_view(), scene, {1280, 720});
    whole.selection.chosen.warp_record = 0;
    EXPECT_THAT(drawn_words(whole), Not(HasSubstr("incomplete")));
    EXPECT_THAT(drawn_words(whole), Not(HasSubstr("is selected")));

    auto cut = std::make_shared<Scene>(*scene);
    auto trees = std::make_shared<analysis::CombineTrees>(*scene->trees);
    trees->stopped_after = 60'000;
    cut->trees = trees;
    ViewStage part(make_tree_view(), cut, {1280, 720});
    part.selection.chosen.warp_record = static_cast<std::uint32_t>(scene->trace->warps.size() - 1);
    const std::string words = drawn_words(part);
    EXPECT_THAT(words, HasSubstr("incomplete: followed until instruction 60,000 of the block"));
    const auto block = std::to_string(scene->trace->warps.back().block);
    EXPECT_THAT(words, HasSubstr("block " + block + " is selected; only block 0 is followed"));
}

}  // namespace
}  // namespace warplens::app
