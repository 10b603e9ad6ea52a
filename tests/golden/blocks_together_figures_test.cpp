// The figures of the kernels whose blocks or copies work together: clusters, groups, a grid that meets, and a
// matrix product with two buffers.
#include <gtest/gtest.h>

#include "analysis/memory/cluster_traffic.h"
#include "app/pipeline/launch_shape.h"
#include "catalogue_run.h"

namespace warplens::app {
namespace {

Executed together(const std::string& name, const Overrides& overrides, int threads = 0,
                  std::vector<std::uint64_t> blocks = {}) {
    ExecuteOptions options;
    options.model_time = true;
    options.threads = threads;
    options.blocks = std::move(blocks);
    return execute_with(std::move(options), name, overrides);
}

/// As the header's `lcg` fills a buffer, below 2^15: a power of two keeps the low bits.
std::vector<std::uint32_t> values(std::size_t count) {
    std::vector<std::uint32_t> made;
    std::uint32_t r = 12345;
    for (std::size_t i = 0; i < count; ++i) {
        r = r * 1664525u + 1013904223u;
        made.push_back((r >> 8) % static_cast<std::uint32_t>(count));
    }
    return made;
}

TEST(cluster_histogram, each_count_goes_to_the_block_that_holds_its_bin) {
    constexpr std::size_t n = 32768, block_size = 256, grid = 32;
    for (const std::size_t ranks : {2, 4, 8}) {
        std::vector<std::uint64_t> expected(ranks * ranks);
        const auto all = values(n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t block = i / block_size % grid;
            if (block >= ranks) continue;  // of the first cluster
            ++expected[block * ranks + all[i] % 1024 / (1024 / ranks)];
        }
        const Executed run = together("cluster_histogram", {{"CLUSTER", std::to_string(ranks)}});
        EXPECT_EQ(run.report->golden, "passed");
        EXPECT_TRUE(run.report->problems.empty());
        const auto traffic = analysis::cluster_traffic(*run.trace, 0);
        for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(traffic.cells[i].atomics, expected[i]);
        EXPECT_EQ(run.report->cluster_load.requests + run.report->cluster_store.requests, 0u);
    }
}

TEST(cluster_histogram, is_the_same_on_any_number_of_threads) {
    const Executed one = together("cluster_histogram", {}, 1), four = together("cluster_histogram", {}, 4);
    EXPECT_EQ(one.report->steps, four.report->steps);
    ASSERT_EQ(one.trace->accesses.size(), four.trace->accesses.size());
    EXPECT_EQ(one.trace->warps.size(), four.trace->warps.size());
    const auto a = analysis::cluster_traffic(*one.trace, 1), b = analysis::cluster_traffic(*four.trace, 1);
    for (std::size_t i = 0; i < a.cells.size(); ++i) EXPECT_EQ(a.cells[i].atomics, b.cells[i].atomics);
}

TEST(cluster_histogram, a_grid_that_is_no_multiple_of_the_cluster_is_refused) {
    LaunchGeometry geometry{.grid = {30, 1, 1}, .block = {32, 1, 1}, .cluster = {4, 1, 1}};
    const Status status = settle_cluster({}, geometry);
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("30 blocks cannot be cut into clusters of 4"), std::string::npos)
        << status.error().message;
    geometry.cluster = {32, 1, 1};
    geometry.grid = {32, 1, 1};
    EXPECT_FALSE(settle_cluster({}, geometry));
}

TEST(group_reduce, a_tile_sums_in_as_many_shuffles_as_its_size_has_doublings) {
    for (const auto& [tile, shuffles] : {std::pair{2, 1u}, {8, 3u}, {32, 5u}}) {
        const Executed run = together("group_reduce", {{"TILE", std::to_string(tile)}, {"n", "8192"}});
        EXPECT_EQ(run.report->golden, "passed");
        std::uint64_t steps = 0;
        for (const auto& site : run.report->sites)
            if (run.trace->program.sites[site.site].opcode.starts_with("shfl")) steps += site.steps;
        EXPECT_EQ(steps, 8192 / 32 * shuffles);
    }
}

TEST(grid_barrier, all_blocks_meet_between_steps) {
    const Executed run = together("grid_barrier", {{"steps", "5"}});
    EXPECT_EQ(run.report->golden, "passed");
    EXPECT_TRUE(run.report->problems.empty());
    // A cooperative launch runs whole, whichever blocks are requested.
    EXPECT_EQ(together("grid_barrier", {}, 0, {0}).report->blocks_executed, 16u);
}

TEST(grid_barrier, a_grid_that_the_gpu_does_not_hold_at_once_is_refused_with_both_numbers) {
    LaunchGeometry geometry{.grid = {1057, 1, 1}, .block = {256, 1, 1}, .cooperative = true};
    analysis::Occupancy fit;
    fit.blocks_per_sm = 8;
    const Status status = check_cooperative(geometry, fit, default_gpu());
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("1057 blocks does not fit"), std::string::npos)
        << status.error().message;
    EXPECT_NE(status.error().message.find("1056 of them at once"), std::string::npos);
    geometry.grid.x = 1056;
    EXPECT_TRUE(check_cooperative(geometry, fit, default_gpu()));
}

TEST(matmul_double_buffered, reads_what_matmul_tiled_reads_and_waits_less_for_it) {
    const Overrides size{{"M", "128"}, {"N", "128"}, {"K", "128"}};
    const Executed tiled = together("matmul_tiled", size), doubled = together("matmul_double_buffered", size);
    EXPECT_EQ(doubled.report->golden, "passed");
    EXPECT_TRUE(doubled.report->problems.empty());
    EXPECT_EQ(doubled.report->global_load.requests, tiled.report->global_load.requests);
    EXPECT_EQ(doubled.report->global_load.sectors, tiled.report->global_load.sectors);
    EXPECT_EQ(tiled.report->global_load.requests, 2u * 128 * 128 * 128 / 16 / 32);
    ASSERT_TRUE(tiled.report->schedule && doubled.report->schedule);
    const auto waits = [](const Executed& run) {
        return run.report->schedule->stalls.states[WarpState::long_scoreboard];
    };
    EXPECT_LT(waits(doubled), waits(tiled));
}

}  // namespace
}  // namespace warplens::app
