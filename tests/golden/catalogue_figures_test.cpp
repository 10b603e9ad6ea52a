// The worked figures of the catalogue: numbers that a teacher writes on the board, computed by the real
// pipeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalogue_run.h"

namespace warplens::app {
namespace {

using testing::ElementsAre;

TEST(threads, a_thousand_elements_in_blocks_of_256_leave_24_threads_idle) {
    const Executed run = execute("vector_add", {{"n", "1000"}, {"block", "256"}});
    EXPECT_EQ(run.report->launch.geometry.blocks(), 4u);
    EXPECT_EQ(run.report->launch.geometry.blocks() * 256, 1024u);
    EXPECT_EQ(lanes_of(run, Space::global, Operation::store), 1000u);
}

TEST(threads, thread_3_5_of_block_2_7_writes_row_35_and_column_117) {
    const Executed run = execute("record_coordinates", {});
    const std::size_t columns = 120, at = 35 * columns + 117;
    EXPECT_EQ(element(run, "index_at", at), static_cast<std::int32_t>(at));
    EXPECT_EQ(element(run, "block_at", at), 2 * 8 + 7);
    EXPECT_EQ(element(run, "thread_at", at), 3 * 16 + 5);
}

TEST(threads, block_12_thread_77_has_index_3149_and_240_of_10240_threads_are_out_of_range) {
    const Executed run = execute("saxpy", {{"n", "10000"}});
    EXPECT_EQ(run.report->launch.geometry.blocks(), 40u);
    EXPECT_EQ(lanes_of(run, Space::global, Operation::store), 10240u - 240u);
    const trace::WarpRecord* warp = trace::find_warp(*run.trace, 12, 77 / 32);
    ASSERT_NE(warp, nullptr);
    const auto& load = run.trace->accesses[warp->accesses_begin];
    const std::uint64_t address = trace::addresses_of(*run.trace, load)[77 % 32];
    bool found = false;
    for (const trace::Buffer& buffer : run.trace->launch.buffers) {
        if (address < buffer.base || address >= buffer.base + buffer.bytes) continue;
        EXPECT_EQ((address - buffer.base) / 4, 3149u);
        found = true;
    }
    EXPECT_TRUE(found);
}

TEST(coalescing, strides_1_2_4_8_16_32_cost_4_8_16_32_32_32_sectors_a_request) {
    std::vector<double> sectors;
    for (const char* stride : {"1", "2", "4", "8", "16", "32"}) {
        const Executed run = execute("copy_strided", {{"n", "8192"}, {"stride", stride}});
        sectors.push_back(sectors_per_request(run.report->global_load));
    }
    EXPECT_THAT(sectors, ElementsAre(4, 8, 16, 32, 32, 32));
}

TEST(coalescing, offsets_1_2_4_cost_5_sectors_and_0_8_16_32_cost_4) {
    std::vector<double> sectors;
    for (const char* offset : {"0", "1", "2", "4", "8", "16", "31", "32"}) {
        const Executed run = execute("copy_offset", {{"n", "8192"}, {"offset", offset}});
        sectors.push_back(sectors_per_request(run.report->global_load));
    }
    EXPECT_THAT(sectors, ElementsAre(4, 5, 5, 5, 4, 4, 5, 4));
}

TEST(coalescing, at_stride_32_lanes_lie_128_bytes_apart) {
    const Executed run = execute("copy_strided", {{"n", "256"}, {"stride", "32"}});
    const auto addresses = trace::addresses_of(*run.trace, run.trace->accesses.front());
    EXPECT_EQ(addresses[1] - addresses[0], 128u);
    EXPECT_EQ(addresses[2] - addresses[0], 256u);
    EXPECT_EQ(addresses[31] - addresses[0], 8064u - 4096u);
}

TEST(coalescing, a_structure_of_arrays_needs_a_quarter_of_the_sectors) {
    const Executed structures = execute("aos_read", {{"n", "8192"}});
    const Executed arrays = execute("soa_read", {{"n", "8192"}});
    EXPECT_EQ(structures.report->global_load.sectors, 4 * arrays.report->global_load.sectors);
}

TEST(banks, strides_conflict_by_their_common_divisor_with_32) {
    std::vector<double> ways;
    for (const char* stride : {"0", "1", "2", "3", "4", "8", "16", "17", "32", "33"}) {
        ways.push_back(
            execute("shared_stride", {{"stride", stride}}, {0}).report->shared_load.conflict_ways());
    }
    EXPECT_THAT(ways, ElementsAre(1, 1, 2, 1, 4, 8, 16, 1, 32, 1));
}

TEST(banks, padding_by_one_frees_a_tile_of_32_but_not_one_of_16) {
    const auto ways = [](const char* tile, const char* pad) {
        const Executed run = execute("transpose_tiled", {{"TILE", tile}, {"PAD", pad}}, {0});
        return std::pair{run.report->shared_store.conflict_ways(), run.report->shared_load.conflict_ways()};
    };
    EXPECT_EQ(ways("32", "0"), std::pair(1.0, 32.0));
    EXPECT_EQ(ways("32", "1"), std::pair(1.0, 1.0));
    EXPECT_EQ(ways("16", "0"), std::pair(1.0, 8.0));
    EXPECT_EQ(ways("16", "1"), std::pair(2.0, 2.0));
}

TEST(banks, the_swizzle_needs_no_padding) {
    const Executed run = execute("transpose_swizzled", {}, {0});
    EXPECT_EQ(run.report->shared_load.conflict_ways(), 1.0);
    EXPECT_EQ(run.report->shared_store.conflict_ways(), 1.0);
    EXPECT_EQ(run.report->launch.resources.shared_static_bytes, 4096u);
}

TEST(divergence, a_branch_by_warp_never_splits_one_and_a_branch_by_lane_does) {
    EXPECT_EQ(execute("branch_per_warp", {}, {0}).report->branches_divergent, 0u);
    EXPECT_GT(execute("branch_heavy", {}, {0}).report->branches_divergent, 0u);
}

TEST(divergence, a_short_parity_branch_is_a_select_already_in_the_ptx) {
    const Executed run = execute("branch_parity", {}, {0});
    EXPECT_EQ(run.report->branches_divergent, 0u);
    EXPECT_EQ(run.report->mean_active_lanes(), 32);
}

TEST(divergence, collatz_keeps_fewer_than_half_of_its_lanes_busy) {
    const Executed run = execute("collatz", {});
    EXPECT_GT(run.report->branches_divergent, 0u);
    EXPECT_LT(run.report->mean_active_lanes(), 24);
}

TEST(reduction, sixteen_threads_add_in_8_4_2_1_lanes_scattered_or_packed) {
    const Overrides sixteen{{"n", "16"}, {"block", "16"}};
    const auto stores = [&](const char* kernel) {
        return masks_of_first_warp(execute(kernel, sixteen), Space::shared, Operation::store);
    };
    EXPECT_THAT(stores("reduce_interleaved"), ElementsAre(0xffff, 0x5555, 0x1111, 0x0101, 0x0001));
    EXPECT_THAT(stores("reduce_sequential"), ElementsAre(0xffff, 0x00ff, 0x000f, 0x0003, 0x0001));
    EXPECT_THAT(stores("reduce_strided_index"), ElementsAre(0xffff, 0x00ff, 0x000f, 0x0003, 0x0001));
}

TEST(reduction, only_the_strided_index_has_bank_conflicts) {
    EXPECT_GT(execute("reduce_strided_index", {}, {0}).report->shared_load.conflict_ways(), 1.0);
    EXPECT_EQ(execute("reduce_sequential", {}, {0}).report->shared_load.conflict_ways(), 1.0);
}

TEST(tiling, products_read_global_memory_2n3_times_and_a_tile_divides_it) {
    const std::uint64_t n = 64, cube = 2 * n * n * n;
    const std::string size = std::to_string(n);
    EXPECT_EQ(lanes_of(execute("matmul_naive", {{"N", size}}), Space::global, Operation::load), cube);
    for (const std::uint64_t tile : {8, 16, 32}) {
        const Executed run =
            execute("matmul_tiled", {{"M", size}, {"N", size}, {"K", size}, {"TILE", std::to_string(tile)}});
        EXPECT_EQ(lanes_of(run, Space::global, Operation::load), cube / tile);
    }
}

TEST(tiling, naive_costs_2_sectors_a_request_and_uncoalesced_9) {
    EXPECT_EQ(sectors_per_request(execute("matmul_naive", {{"N", "64"}}).report->global_load), 2);
    EXPECT_EQ(sectors_per_request(execute("matmul_uncoalesced", {{"N", "64"}}).report->global_load), 9);
}

TEST(tiling, a_convolution_block_of_128_loads_130_elements_instead_of_384) {
    EXPECT_EQ(lanes_of(execute("conv1d_naive", {}, {0}), Space::global, Operation::load), 384u);
    EXPECT_EQ(lanes_of(execute("conv1d_shared", {}, {0}), Space::global, Operation::load), 130u);
}

}  // namespace
}  // namespace warplens::app
