// The groups and the words of a launch tree.
#include "analysis/report/launch_tree.h"

#include <gmock/gmock.h>

namespace warplens::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LaunchedGrid grid(std::uint32_t parent, std::string kernel, std::uint32_t blocks, std::uint32_t line,
                  std::uint32_t thread, LaunchStream stream = LaunchStream::of_block) {
    LaunchedGrid grid;
    grid.parent = parent;
    grid.kernel = std::move(kernel);
    grid.grid = {blocks, 1, 1};
    grid.block = {128, 1, 1};
    grid.stream = stream;
    grid.by_block = {0, 0, 0};
    grid.by_thread = {thread, 0, 0};
    grid.line = line;
    grid.work = {blocks, 10 * std::uint64_t{blocks}, 320 * std::uint64_t{blocks}, blocks, blocks};
    return grid;
}

LaunchTree tree_of(std::vector<LaunchedGrid> children) {
    LaunchTree tree;
    tree.grids.push_back(grid(0, "rows", 2, 0, 0));
    for (LaunchedGrid& child : children) {
        child.depth = tree.grids[child.parent].depth + (child.stream == LaunchStream::tail ? 0 : 1);
        tree.grids.push_back(std::move(child));
    }
    return tree;
}

TEST(launch_tree, grids_of_one_line_are_one_group) {
    const LaunchTree tree = tree_of({grid(0, "child", 5, 61, 3), grid(0, "child", 8, 61, 9),
                                     grid(0, "child", 7, 70, 9), grid(2, "leaf", 1, 12, 0)});
    const auto groups = launch_groups(tree);
    ASSERT_EQ(groups.size(), 4u);
    EXPECT_EQ(groups[1].grids, 2u);
    EXPECT_EQ(groups[1].launchers, 2u);
    EXPECT_EQ(groups[1].work.blocks, 13u);
    EXPECT_EQ(grids_in_words(groups[1]), "2 grids of 5 to 8 blocks × 128 threads");
    EXPECT_THAT(launchers_in_words(tree, groups[1]), HasSubstr("by 2 threads of `rows` at line 61"));
    EXPECT_EQ(grids_in_words(groups[2]), "1 grid of 7 blocks × 128 threads");
    EXPECT_THAT(launchers_in_words(tree, groups[2]), HasSubstr("thread (9, 0, 0) of block (0, 0, 0)"));
    EXPECT_EQ(groups[3].row, 2u);
    EXPECT_THAT(groups[3].parents, ElementsAre(1u));
}

TEST(launch_tree, groups_of_two_runs_correspond_by_kernel_row_and_line) {
    const LaunchTree before = tree_of({grid(0, "child", 5, 61, 3), grid(0, "other", 1, 70, 3)});
    const LaunchTree after =
        tree_of({grid(0, "child", 5, 70, 3), grid(0, "child", 5, 61, 3), grid(0, "child", 5, 61, 9)});
    const auto was = launch_groups(before), now = launch_groups(after);
    ASSERT_EQ(was.size(), 3u);
    ASSERT_EQ(now.size(), 3u);
    const auto match = matching_groups(before, was, after, now);
    EXPECT_THAT(match, ElementsAre(0u, no_index, 1u)) << "the same line first; no kernel twice";
    EXPECT_TRUE(launched_alike(was[0], now[0]));
    EXPECT_FALSE(launched_alike(was[1], now[2])) << "one grid more";
    EXPECT_THAT(matching_groups(after, now, before, was), ElementsAre(0u, 2u, no_index));
}

TEST(launch_tree, a_recursion_is_a_group_for_each_level_and_line) {
    const LaunchTree tree = tree_of({grid(0, "sort", 1, 20, 0), grid(0, "sort", 1, 24, 0),
                                     grid(1, "sort", 1, 20, 0), grid(2, "sort", 1, 20, 0)});
    const auto groups = launch_groups(tree);
    ASSERT_EQ(groups.size(), 4u);
    EXPECT_EQ(groups[3].grids, 2u);
    EXPECT_THAT(groups[3].parents, ElementsAre(1u, 2u)) << "both lines of the level above launch it";
}

TEST(launch_tree, a_chain_of_tail_launches_is_one_row) {
    std::vector<LaunchedGrid> chain;
    for (std::uint32_t i = 0; i < 50; ++i) chain.push_back(grid(i, "step", 1, 9, 0, LaunchStream::tail));
    for (LaunchedGrid& link : chain) link.kernel = "step";
    LaunchTree tree = tree_of(std::move(chain));
    tree.grids.front().kernel = "step";
    const auto groups = launch_groups(tree);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[1].grids, 50u);
    EXPECT_EQ(groups[1].row, 1u);
    EXPECT_THAT(groups[1].parents, ElementsAre(0u, 1u));
}

TEST(launch_tree, the_sums_of_the_groups_are_those_of_the_grids) {
    const LaunchTree tree = tree_of({grid(0, "a", 5, 1, 0), grid(0, "b", 3, 2, 0), grid(1, "c", 2, 3, 0)});
    GridWork sum;
    for (const LaunchGroup& group : launch_groups(tree)) sum.add(group.work);
    GridWork all = tree.children();
    all.add(tree.grids.front().work);
    EXPECT_EQ(sum, all);
    EXPECT_EQ(tree.children().blocks, 10u);
}

TEST(launch_tree, says_what_was_found_and_what_was_left_out) {
    LaunchTree tree = tree_of({grid(0, "child", 5, 61, 3), grid(0, "child", 8, 61, 9)});
    EXPECT_EQ(launch_finding(tree),
              "2 of 256 threads launch grids: 2 grids with 13 blocks do 87 % of all warp-steps");
    tree.left_out = 7;
    tree.why_left_out = "the run was stopped";
    std::string text;
    for (const std::string& line : launch_tree_lines(tree)) text += line + "\n";
    EXPECT_THAT(text, HasSubstr("7 launched grids not executed: the run was stopped"));
    EXPECT_THAT(text, HasSubstr("All numbers above are of the grid that the host launches."));
    EXPECT_THAT(text, HasSubstr("all grids"));
    EXPECT_THAT(launch_tree_lines(LaunchTree{}), IsEmpty());
}

TEST(launch_tree, json_has_the_groups_with_their_parents) {
    const auto json = launch_tree_json(tree_of({grid(0, "child", 5, 61, 3, LaunchStream::fire_and_forget)}));
    EXPECT_EQ(json["grids"].as_unsigned(), 1u);
    EXPECT_EQ(json["all_grids"]["blocks"].as_unsigned(), 7u);
    ASSERT_EQ(json["groups"].size(), 2u);
    const auto& group = json["groups"][std::size_t{1}];
    EXPECT_EQ(group["kernel"].as_string(), "child");
    EXPECT_EQ(group["launched_by"].as_string(), "rows");
    EXPECT_EQ(group["line"].as_unsigned(), 61u);
    EXPECT_EQ(group["stream"].as_string(), "fire_and_forget");
    EXPECT_EQ(group["work"]["steps"].as_unsigned(), 50u);
    EXPECT_EQ(group["parents"][std::size_t{0}].as_unsigned(), 0u);
}

}  // namespace
}  // namespace warplens::analysis
