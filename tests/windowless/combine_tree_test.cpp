// Reductions and scans found in the dataflow: of kernels of the catalogue and of fresh ones. What is expected
// follows from the textbook's algorithm, the sums are added up here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <set>

#include "analysis/warps/combine_tree.h"
#include "app/command_line/target.h"
#include "app/pipeline/pipeline.h"

namespace warplens::app {
namespace {

using analysis::CombineOp;
using analysis::CombineTree;
using analysis::CombineTrees;
using analysis::TreeNode;
using testing::ElementsAre;

using Knobs = std::map<std::string, std::string>;

std::shared_ptr<const CombineTrees> trees_of_file(const instrumentation::KernelFile& kernel,
                                                  const Knobs& knobs) {
    static const auto pipeline = make_pipeline();
    const auto scene = pipeline->run_scene(
        {std::make_shared<instrumentation::KernelFile>(kernel), knobs, "", 0, Engine::simt}, {});
    if (!scene) throw std::runtime_error(scene.error().message);
    return scene->trees;
}

std::shared_ptr<const CombineTrees> trees_of(const std::string& name, const Knobs& knobs = {}) {
    static const auto all = catalogue();
    for (const auto& kernel : *all)
        if (kernel.name == name) return trees_of_file(kernel, knobs);
    throw std::runtime_error(name + " is not in the catalogue");
}

double number(const TreeNode& node) {
    return node.type == "f32" ? std::bit_cast<float>(static_cast<std::uint32_t>(node.bits))
                              : static_cast<std::int32_t>(node.bits);
}

std::vector<std::uint32_t> combined(const CombineTree& tree) {
    std::vector<std::uint32_t> counts;
    for (const analysis::TreeRow& row : tree.rows)
        if (row.combined > 0) counts.push_back(row.combined);
    return counts;
}

std::vector<std::uint32_t> used(const CombineTree& tree) {
    std::vector<std::uint32_t> counts;
    for (const analysis::TreeRow& row : tree.rows)
        if (row.combined > 0) counts.push_back(row.used);
    return counts;
}

/// The values that enter behind a node, and their sum.
std::vector<std::uint32_t> inputs(const CombineTree& tree, std::uint32_t node) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t one : analysis::nodes_behind(tree, node))
        if (tree.nodes[one].op == CombineOp::none) found.push_back(one);
    return found;
}
double sum(const CombineTree& tree, const std::vector<std::uint32_t>& nodes) {
    return std::accumulate(nodes.begin(), nodes.end(), 0.0,
                           [&](double total, auto one) { return total + number(tree.nodes[one]); });
}

/// One tree that ends in one sum of all its values.
void expect_one_sum(const CombineTrees& trees, std::uint32_t values) {
    ASSERT_EQ(trees.trees.size(), 1u) << trees.absent;
    const CombineTree& tree = trees.trees.front();
    EXPECT_EQ(tree.op, CombineOp::add);
    ASSERT_EQ(tree.results.size(), 1u);
    const auto behind = inputs(tree, tree.results.front());
    EXPECT_GE(behind.size(), values);
    EXPECT_NEAR(number(tree.nodes[tree.results.front()]), sum(tree, behind), 1e-4 * values);
    for (const TreeNode& node : tree.nodes) EXPECT_LT(node.column, tree.columns);
}

std::vector<std::uint32_t> threads(const CombineTree& tree, std::uint32_t row) {
    std::vector<std::uint32_t> found;
    for (const TreeNode& node : tree.nodes)
        if (node.op != CombineOp::none && node.row == row) found.push_back(node.thread);
    std::ranges::sort(found);
    return found;
}
std::vector<std::uint32_t> columns(const CombineTree& tree, std::uint32_t row) {
    std::vector<std::uint32_t> found;
    for (const TreeNode& node : tree.nodes)
        if (node.op != CombineOp::none && node.row == row) found.push_back(node.column);
    std::ranges::sort(found);
    return found;
}

TEST(combine_tree, of_sequential_addressing_is_packed_and_adds_half_as_many_each_round) {
    const auto trees = trees_of("reduce_sequential", {{"block", "16"}});
    expect_one_sum(*trees, 16);
    const CombineTree& tree = trees->trees.front();
    EXPECT_EQ(tree.columns, 16u);
    EXPECT_THAT(combined(tree), ElementsAre(8, 4, 2, 1));
    EXPECT_THAT(used(tree), ElementsAre(8, 4, 2, 1));
    EXPECT_THAT(threads(tree, 1), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(columns(tree, 2), ElementsAre(0, 1, 2, 3));
    for (std::uint32_t row = 1; row <= 4; ++row) EXPECT_EQ(tree.rows[row].barriers, 1u) << row;
    for (const TreeNode& node : tree.nodes) {
        if (node.op == CombineOp::none) continue;
        const std::uint32_t distance = 16u >> node.row;
        std::set<std::uint32_t> from;
        for (const auto& operand : node.operands) from.insert(operand.column);
        EXPECT_THAT(from, ElementsAre(node.column, node.column + distance));
    }
}

TEST(combine_tree, of_interleaved_addressing_is_scattered) {
    const CombineTree tree = trees_of("reduce_interleaved", {{"block", "16"}})->trees.front();
    EXPECT_THAT(combined(tree), ElementsAre(8, 4, 2, 1));
    EXPECT_THAT(threads(tree, 1), ElementsAre(0, 2, 4, 6, 8, 10, 12, 14));
    EXPECT_THAT(threads(tree, 3), ElementsAre(0, 8));
}

TEST(combine_tree, of_a_strided_index_has_packed_threads_at_scattered_words) {
    const CombineTree tree = trees_of("reduce_strided_index", {{"block", "16"}})->trees.front();
    EXPECT_THAT(threads(tree, 1), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(columns(tree, 1), ElementsAre(0, 2, 4, 6, 8, 10, 12, 14));
    EXPECT_THAT(threads(tree, 3), ElementsAre(0, 1));
    EXPECT_THAT(columns(tree, 3), ElementsAre(0, 8));
}

TEST(combine_tree, of_every_reduction_ends_in_one_sum) {
    for (const char* name : {"reduce_interleaved", "reduce_strided_index", "reduce_sequential",
                             "reduce_first_add", "reduce_unrolled_warp", "reduce_shuffle"}) {
        SCOPED_TRACE(name);
        expect_one_sum(*trees_of(name, {{"block", "128"}}), 128);
    }
}

TEST(combine_tree, shows_idle_warps) {
    const CombineTree tree = trees_of("reduce_sequential", {{"block", "256"}})->trees.front();
    std::vector<std::uint32_t> warps;
    for (std::uint32_t row = 1; row < tree.rows.size(); ++row) warps.push_back(tree.rows[row].warps);
    EXPECT_THAT(warps, ElementsAre(4, 2, 1, 1, 1, 1, 1, 1));
    EXPECT_EQ(tree.rows[2].working, 0b11u);
}

// All 32 lanes add in each of five steps; of the 160 sums 16 + 8 + 4 + 2 + 1 are wanted.
TEST(combine_tree, of_shuffles_knows_the_sums_that_nobody_needs) {
    const auto trees = trees_of("warp_reduce", {{"block", "128"}});
    ASSERT_EQ(trees->trees.size(), 4u);
    for (const CombineTree& tree : trees->trees) {
        EXPECT_EQ(tree.columns, 32u);
        EXPECT_THAT(combined(tree), ElementsAre(32, 32, 32, 32, 32));
        EXPECT_THAT(used(tree), ElementsAre(16, 8, 4, 2, 1));
        EXPECT_TRUE(tree.rows[1].shuffles);
        EXPECT_EQ(inputs(tree, tree.results.front()).size(), 32u);
    }
    const auto butterfly = trees_of("warp_reduce", {{"block", "32"}, {"BUTTERFLY", "1"}});
    EXPECT_EQ(butterfly->trees.front().results.size(), 1u);  // only lane 0 stores
    EXPECT_THAT(used(butterfly->trees.front()), ElementsAre(16, 8, 4, 2, 1));
}

// Floating-point values pass through integer registers to be shuffled: copies of one value are one value.
TEST(combine_tree, of_shuffled_floats_has_each_value_once) {
    const CombineTree tree = trees_of("reduce_shuffle", {{"block", "64"}})->trees.front();
    EXPECT_EQ(tree.most_inputs, 64u);
    EXPECT_EQ(tree.columns, 64u);
    EXPECT_EQ(combined(tree).front(), 64u);
    // Every lane of all eight warps has its warp's sum, and later the block's.
    const auto block = trees_of("block_reduce", {{"block", "256"}});
    ASSERT_EQ(block->trees.size(), 1u);
    EXPECT_EQ(block->trees.front().columns, 256u);
    EXPECT_EQ(block->trees.front().most_inputs, 256u);
    EXPECT_EQ(block->trees.front().results.size(), 256u);
}

TEST(combine_tree, of_redux_has_one_round_for_each_instruction) {
    const CombineTree tree = trees_of("reduce_redux", {{"block", "256"}})->trees.front();
    EXPECT_THAT(combined(tree), ElementsAre(8, 1));
    EXPECT_EQ(tree.results.size(), 1u);
    EXPECT_GE(inputs(tree, tree.results.front()).size(), 256u);
}

// In the round with distance d, 32 − d of 32 threads add: 31 + 30 + 28 + 24 + 16.
TEST(combine_tree, of_hillis_and_steele_doubles_the_distance) {
    const auto trees = trees_of("scan_hillis_steele", {{"block", "32"}});
    ASSERT_EQ(trees->trees.size(), 1u) << trees->absent;
    const CombineTree& tree = trees->trees.front();
    EXPECT_EQ(tree.columns, 32u);
    EXPECT_THAT(combined(tree), ElementsAre(31, 30, 28, 24, 16));
    EXPECT_TRUE(tree.moves.empty());
    ASSERT_EQ(tree.results.size(), 31u);  // the first element is its own sum
    for (const std::uint32_t result : tree.results) {
        const auto behind = inputs(tree, result);
        EXPECT_EQ(behind.size(), tree.nodes[result].column + 1);
        EXPECT_EQ(number(tree.nodes[result]), sum(tree, behind));
    }
}

// Up the tree of 64 elements 63 additions, down as many with 63 moves, between them the zero.
TEST(combine_tree, of_blelloch_goes_up_and_down) {
    for (const char* pad : {"0", "1"}) {
        const auto trees = trees_of("scan_blelloch", {{"block", "32"}, {"PAD", pad}});
        ASSERT_EQ(trees->trees.size(), 1u) << trees->absent;
        const CombineTree& tree = trees->trees.front();
        EXPECT_EQ(tree.columns, 64u);
        EXPECT_THAT(combined(tree), ElementsAre(32, 16, 8, 4, 2, 1, 1, 2, 4, 8, 16, 32));
        EXPECT_EQ(tree.moves.size(), 63u);
        std::uint32_t entered = 0;
        for (const analysis::TreeRow& row : tree.rows) entered += row.entered;
        EXPECT_EQ(entered, 1u);
        EXPECT_THAT(columns(tree, 3), ElementsAre(7, 15, 23, 31, 39, 47, 55, 63));
        // The last round's sums stand at the odd elements: each the sum of the elements before it.
        for (const TreeNode& node : tree.nodes)
            if (node.row + 1 == tree.rows.size()) {
                double before = 0;
                for (const TreeNode& leaf : tree.nodes)
                    if (leaf.op == CombineOp::none && leaf.row == 0 && leaf.column < node.column)
                        before += number(leaf);
                EXPECT_EQ(number(node), before) << node.column;
            }
    }
}

// A maximum of 96, not of a power of two, with a choice instead of fmaxf, and the last three by one thread.
constexpr const char* largest = R"(/*
[kernel]
title = "Largest"
subject = "Test"
lesson = "None."
views = ["tree"]

[buffers]
in  = { type = "f32", length = "96", fill = "random", seed = "3" }
out = { type = "f32", length = "1", fill = "zero" }

[launch]
arguments = ["in", "out"]
grid = ["1"]
block = ["96"]
*/
extern "C" __global__ void largest(const float* in, float* out) {
    __shared__ float best[96];
    const unsigned t = threadIdx.x;
    best[t] = in[t];
    __syncthreads();
    for (unsigned n = 48; n >= 3; n /= 2) {
        if (t < n) {
            const float a = best[t], b = best[t + n];
            best[t] = a > b ? a : b;
        }
        __syncthreads();
    }
    if (t == 0) out[0] = fmaxf(best[0], fmaxf(best[1], best[2]));
}
)";

TEST(combine_tree, of_a_fresh_kernel_with_a_choice) {
    const auto kernel = instrumentation::read_kernel_file("largest.cu", largest);
    ASSERT_TRUE(kernel) << kernel.error().message;
    std::shared_ptr<const CombineTrees> trees;
    try {
        trees = trees_of_file(*kernel, {});
    } catch (const std::runtime_error& error) {
        GTEST_SKIP() << error.what();  // without NVRTC
    }
    ASSERT_EQ(trees->trees.size(), 1u) << trees->absent;
    const CombineTree& tree = trees->trees.front();
    EXPECT_EQ(tree.op, CombineOp::maximum);
    EXPECT_EQ(tree.columns, 96u);
    EXPECT_THAT(combined(tree), ElementsAre(48, 24, 12, 6, 3, 1, 1));
    ASSERT_EQ(tree.results.size(), 1u);
    const TreeNode& result = tree.nodes[tree.results.front()];
    double most = -1e30;
    for (const std::uint32_t one : inputs(tree, tree.results.front()))
        most = std::max(most, number(tree.nodes[one]));
    EXPECT_EQ(number(result), most);
    EXPECT_EQ(result.thread, 0u);
}

TEST(combine_tree, is_absent_where_threads_do_not_combine_each_others_results) {
    for (const char* name :
         {"saxpy", "transpose_tiled", "matmul_tiled", "histogram_shared", "conv1d_shared"}) {
        const auto trees = trees_of(name);
        ASSERT_NE(trees, nullptr) << name;
        EXPECT_TRUE(trees->trees.empty()) << name;
        EXPECT_FALSE(trees->absent.empty()) << name;
    }
}

}  // namespace
}  // namespace warplens::app
