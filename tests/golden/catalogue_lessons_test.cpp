// The figures of the catalogue's later rows: register tiles, latency and what hides it, warp collectives,
// scans, attention, constant and local memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "analysis/report/launch_tree.h"
#include "analysis/report/whole_grid.h"
#include "analysis/warps/collectives.h"
#include "analysis/warps/waves.h"
#include "catalogue_run.h"

namespace warplens::app {
namespace {

using testing::ElementsAre;

double cycles(const std::string& kernel, const Overrides& overrides) {
    const Executed run = execute(kernel, overrides, {}, true);
    EXPECT_TRUE(run.report->schedule) << run.report->schedule_absent;
    return run.report->schedule ? run.report->schedule->launch.sm_cycles : 0;
}

double issue_active(const std::string& kernel, const Overrides& overrides) {
    const Executed run = execute(kernel, overrides, {}, true);
    EXPECT_TRUE(run.report->schedule) << run.report->schedule_absent;
    return run.report->schedule ? run.report->schedule->stalls.issue_active() : 0;
}

TEST(register_tile, v_by_v_elements_a_thread_divide_the_global_loads_by_v) {
    const std::uint64_t n = 64, cube = 2 * n * n * n;
    for (const std::uint64_t v : {1, 2, 4, 8}) {
        const Executed run =
            execute("matmul_register_tiled",
                    {{"M", "64"}, {"N", "64"}, {"K", "64"}, {"TILE", "8"}, {"V", std::to_string(v)}});
        EXPECT_EQ(lanes_of(run, Space::global, Operation::load), cube / v) << "V " << v;
        EXPECT_EQ(lanes_of(run, Space::global, Operation::store), n * n);
    }
}

TEST(warp_tile, v_by_v_sums_a_thread_divide_the_shared_loads_by_v_and_the_block_the_global_ones) {
    const std::uint64_t n = 128, cube = 2 * n * n * n;
    for (const std::uint64_t v : {1, 2, 4, 8}) {
        const Executed run = execute("matmul_warp_tiled",
                                     {{"M", "128"}, {"N", "128"}, {"K", "128"}, {"V", std::to_string(v)}});
        EXPECT_EQ(lanes_of(run, Space::shared, Operation::load), cube / v) << "V " << v;
        EXPECT_EQ(lanes_of(run, Space::global, Operation::load), cube / (16 * v)) << "V " << v;
        EXPECT_EQ(run.report->shared_load.conflict_ways(), 1.0) << "V " << v;
        EXPECT_EQ(run.report->golden, "passed");
    }
}

TEST(warp_tile, tiles_of_32_load_half_of_what_tiles_of_16_do_in_a_grid_of_which_corners_are_executed) {
    const double cube = 2.0 * 4096 * 4096 * 4096;
    for (const auto& [v, across] : {std::pair<std::uint64_t, std::uint64_t>{1, 256}, {2, 128}}) {
        const Executed corners = execute(
            "matmul_warp_tiled", {{"M", "4096"}, {"N", "4096"}, {"K", "4096"}, {"V", std::to_string(v)}},
            {0, across - 1, across * (across - 1), across * across - 1});
        ASSERT_TRUE(analysis::infers_whole_grid(*corners.report));
        const auto bytes = analysis::over_whole_grid(*corners.report, corners.report->global_load.used_bytes);
        EXPECT_EQ(static_cast<double>(*bytes), 4 * cube / (16 * static_cast<double>(v))) << "V " << v;
    }
}

TEST(warp_tile, eight_by_eight_sums_of_256_threads_are_a_tile_of_128) {
    const Executed run = execute("matmul_warp_tiled", {{"M", "128"}, {"N", "128"}, {"K", "16"}});
    EXPECT_EQ(run.report->launch.geometry.blocks(), 1u);
    EXPECT_EQ(run.report->launch.geometry.threads_per_block(), 256);
    EXPECT_EQ(lanes_of(run, Space::global, Operation::store) / 256, 8u * 8) << "sums that a thread stores";
    // 64 sums, and 16 loaded values for each k, all in registers.
    EXPECT_GE(run.report->launch.resources.registers_per_thread, 64u + 16);
    EXPECT_EQ(run.report->launch.resources.stack_bytes, 0u);
}

TEST(latency, a_chain_of_loads_climbs_from_l1_to_l2_to_dram) {
    // The time per load of 512 further loads of the chain, once the working set is cached.
    const auto each = [](const char* bytes, const char* stride, int from) {
        const auto hops = [&](int count) {
            return cycles("pointer_chase",
                          {{"bytes", bytes}, {"stride", stride}, {"hops", std::to_string(count)}});
        };
        return (hops(from + 512) - hops(from)) / 512;
    };
    // The address of each load takes one multiply-add more than the latency alone.
    EXPECT_NEAR(each("16384", "128", 512), 40 + 5, 40 * 0.15);
    EXPECT_NEAR(each("1048576", "128", 8704), 290 + 5, 290 * 0.1);
    EXPECT_NEAR(each("67108864", "4096", 512), 690 + 5, 690 * 0.1);
}

TEST(latency, one_warp_leaves_its_scheduler_idle_and_many_fill_it) {
    std::vector<double> active;
    for (const char* warps : {"1", "8", "32"})
        active.push_back(issue_active("latency_hiding", {{"warps", warps}}));
    EXPECT_LT(active[0], 0.02);
    EXPECT_GT(active[1], 4 * active[0]);
    EXPECT_GT(active[2], 2 * active[1]);
}

// An H100 issues in 86.0 % of the cycles of its active schedulers, in 43,365 cycles of the busiest SM
// (Nsight Compute, caches flushed, 2026-11-26).
TEST(latency, sixty_four_warps_with_arithmetic_for_each_load_keep_the_schedulers_issuing) {
    ExecuteOptions options;
    options.model_time = options.time_machine_code = true;
    const Executed full = execute_with(options, "arithmetic_per_load", {});
    EXPECT_EQ(full.report->occupancy.warps_per_sm, 64);
    ASSERT_TRUE(full.report->schedule);
    const bool of_machine_code = full.report->schedule->level == Level::machine;
    const double apart = std::abs(full.report->schedule->stalls.issue_active() - 0.86);
    if (of_machine_code) {
        // Missed since warps begin as measured, in another order: 0.80. Fails when it is met again: then
        // this note goes.
        EXPECT_GT(apart, 0.04);
        EXPECT_LE(apart, 0.0604);
    } else {
        EXPECT_LE(apart, 0.08);
    }
    EXPECT_LT(issue_active("arithmetic_per_load", {{"WORK", "0"}}), 0.25) << "nothing to do meanwhile";
    EXPECT_LT(issue_active("arithmetic_per_load", {{"warps", "1"}}), 0.1) << "nobody who could";
}

TEST(latency, more_loads_in_flight_hide_it_as_more_warps_do) {
    const double one = cycles("latency_hiding", {{"LOADS", "1"}, {"rounds", "64"}});
    const double eight = cycles("latency_hiding", {{"LOADS", "8"}, {"rounds", "8"}});
    EXPECT_GT(one, 3 * eight) << "the same 64 loads per thread";
}

TEST(latency, independent_chains_divide_the_time_of_one_warp) {
    std::vector<double> time;
    for (const char* chains : {"1", "2", "4"})
        time.push_back(cycles("instruction_parallelism", {{"links", "4096"}, {"ILP", chains}}));
    EXPECT_NEAR(time[0] / 4096, 4, 1) << "a multiply-add waits for the one before it";
    EXPECT_GT(time[0] / time[1], 1.6);
    EXPECT_GT(time[0] / time[2], 2.6);
}

/// The values that the first warp's lanes exchanged.
std::vector<analysis::Collective> collectives(const std::string& kernel, const Overrides& overrides) {
    const Executed run = execute(kernel, overrides, {0});
    return analysis::warp_collectives(*run.trace, 0);
}

std::vector<int> distances(const std::vector<analysis::Collective>& all) {
    std::vector<int> found;
    for (const auto& one : all) found.push_back(one.distance);
    return found;
}

TEST(warp_collectives, five_steps_sum_up_32_lanes) {
    for (const char* butterfly : {"0", "1"}) {
        const auto all = collectives("warp_reduce", {{"BUTTERFLY", butterfly}});
        EXPECT_THAT(distances(all), ElementsAre(16, 8, 4, 2, 1));
        ASSERT_EQ(analysis::collective_series(all).size(), 1u);
        EXPECT_EQ(all[0].lanes[3], 19);
        EXPECT_EQ(all[0].lanes[20], *butterfly == '1' ? 4 : 20) << "there is no lane 36";
        EXPECT_EQ(all[0].reached_out(20), *butterfly == '0');
    }
}

TEST(warp_collectives, a_scan_reaches_up_inside_its_segment) {
    const auto whole = collectives("warp_scan", {});
    EXPECT_THAT(distances(whole), ElementsAre(1, 2, 4, 8, 16));
    EXPECT_EQ(whole[4].lanes[31], 15);
    EXPECT_TRUE(whole[4].reached_out(15));
    const auto eighths = collectives("warp_scan", {{"WIDTH", "8"}});
    EXPECT_THAT(distances(eighths), ElementsAre(1, 2, 4));
    EXPECT_EQ(eighths[2].width, 8);
    EXPECT_EQ(eighths[2].lanes[9], 9);
    EXPECT_EQ(eighths[2].lanes[12], 8);
}

TEST(warp_collectives, a_block_adds_up_its_warps_in_two_series) {
    const auto all = collectives("block_reduce", {});
    EXPECT_EQ(all.size(), 10u);
    EXPECT_EQ(analysis::collective_series(all).size(), 2u);
}

TEST(warp_collectives, a_ballot_holds_as_many_bits_as_are_counted) {
    const Executed run = execute("ballot_count", {});
    const auto all = analysis::warp_collectives(*run.trace, 1);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].kind, analysis::CollectiveKind::ballot);
    EXPECT_EQ(all[0].holds().count(), element(run, "count", 1));
    EXPECT_GT(all[0].holds().count(), 0);
}

TEST(warp_collectives, matched_lanes_send_one_atomic_a_value) {
    const Executed each = execute("warp_aggregate", {{"AGGREGATE", "0"}});
    const Executed matched = execute("warp_aggregate", {{"AGGREGATE", "1"}});
    EXPECT_EQ(lanes_of(each, Space::global, Operation::atomic), 16384u);
    EXPECT_LE(lanes_of(matched, Space::global, Operation::atomic), 16384u / 32 * 4);
    EXPECT_GT(each.report->global_atomic.most_lanes_per_address, 8u);
    EXPECT_EQ(matched.report->global_atomic.most_lanes_per_address, 1u);
    const auto all = analysis::warp_collectives(*matched.trace, 0);
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all[0].kind, analysis::CollectiveKind::match);
}

TEST(scan, the_tree_has_bank_conflicts_that_padding_takes_away) {
    const auto ways = [](const char* pad) {
        const Executed run = execute("scan_blelloch", {{"PAD", pad}}, {0});
        return std::pair{run.report->shared_load.conflict_ways(), run.report->shared_store.conflict_ways()};
    };
    EXPECT_EQ(ways("0"), std::pair(16.0, 16.0)) << "32 lanes 16 words apart, then 16 lanes 32 words apart";
    EXPECT_LE(ways("1").first, 2);
    EXPECT_LE(ways("1").second, 2);
}

TEST(scan, doubling_distances_has_no_conflicts_but_adds_more_often) {
    const Executed doubling = execute("scan_hillis_steele", {}, {0});
    EXPECT_EQ(doubling.report->shared_load.conflict_ways(), 1);
    EXPECT_EQ(doubling.report->shared_store.conflict_ways(), 1);
    // Stores of sums: one per thread and round, in addition to the first of each element.
    EXPECT_EQ(lanes_of(doubling, Space::shared, Operation::store), 256u + 256 * 8);
}

TEST(attention, tiles_store_no_score_and_read_keys_once_a_block) {
    const std::uint64_t n = 256, d = 32, rows = 64;
    const Executed naive = execute("attention_naive", {}), tiled = execute("attention_tiled", {});
    EXPECT_EQ(lanes_of(naive, Space::global, Operation::store), n * d + 2 * n * n);
    EXPECT_EQ(lanes_of(tiled, Space::global, Operation::store), n * d);
    EXPECT_EQ(lanes_of(naive, Space::global, Operation::load), n * d + 2 * n * n + 2 * n * n * d);
    EXPECT_EQ(lanes_of(tiled, Space::global, Operation::load), n * d + n / rows * 2 * n * d);
}

TEST(memory_spaces, a_constant_read_takes_a_wavefront_for_each_different_word) {
    for (const int spread : {1, 2, 4, 8, 16, 32}) {
        const Executed run = execute("constant_broadcast", {{"SPREAD", std::to_string(spread)}});
        const analysis::AccessTotals& constant = run.report->constant_load;
        ASSERT_GT(constant.requests, 0u);
        EXPECT_EQ(constant.wavefronts, constant.requests * static_cast<std::uint64_t>(spread));
        EXPECT_EQ(constant.conflict_ways(), spread);
    }
}

TEST(memory_spaces, more_values_than_registers_spill) {
    const auto stack = [](const char* live) {
        return execute("register_spill", {{"LIVE", live}}, {0}).report->launch.resources.stack_bytes;
    };
    EXPECT_EQ(stack("16"), 0u);
    EXPECT_GT(stack("64"), 0u);
    EXPECT_GT(stack("128"), stack("64"));
}

TEST(memory_spaces, an_array_indexed_at_run_time_is_local_memory) {
    const Executed run = execute("register_spill", {{"LIVE", "32"}, {"ARRAY", "1"}});
    EXPECT_GE(run.report->launch.resources.stack_bytes, 32u * 4);
    EXPECT_EQ(lanes_of(run, Space::local, Operation::store), 4096u * 32);
    EXPECT_EQ(lanes_of(run, Space::local, Operation::load), 4096u * 32 * 2);
    EXPECT_EQ(execute("register_spill", {{"LIVE", "32"}}).report->local_load.requests, 0u);
}

TEST(roofline, vector_add_does_a_twelfth_of_an_operation_a_byte) {
    const Executed run = execute("vector_add", {}, {}, true);
    ASSERT_TRUE(run.report->roofline);
    EXPECT_DOUBLE_EQ(run.report->roofline->intensity, 1.0 / 12);
}

TEST(dynamic_parallelism, every_row_is_filled_by_its_thread_or_by_a_grid_of_its_own) {
    const Executed run = execute("child_launch", {});
    EXPECT_EQ(run.report->golden, "passed");
    ASSERT_TRUE(run.report->launches);
    const analysis::LaunchTree& tree = *run.report->launches;
    const auto groups = analysis::launch_groups(tree);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_GT(groups[1].grids, 100u);
    EXPECT_EQ(groups[1].launchers, groups[1].grids);
    EXPECT_EQ(groups[1].fewest_blocks, 5u);  // of 513 elements, 128 a block
    EXPECT_EQ(groups[1].most_blocks, 8u);
    EXPECT_GT(groups[1].work.mean_active_lanes(), 29);
    const Executed alone = execute("child_launch", {{"limit", "32768"}});
    EXPECT_EQ(alone.report->golden, "passed");
    EXPECT_EQ(alone.report->launches->grids.size(), 1u);
    EXPECT_LT(alone.report->mean_active_lanes(), 20) << "a warp walks until its longest row is full";
}

}  // namespace
}  // namespace warplens::app
