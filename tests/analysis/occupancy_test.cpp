#include "analysis/warps/occupancy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "tests/support/folders.h"

namespace warplens::analysis {
namespace {

const GpuSpec& gpu(std::string_view name) { return *find_gpu(name).value(); }

TEST(occupancy, shared_memory_limits_256_threads_with_20_kib_to_five_blocks) {
    const Occupancy result = occupancy(gpu("H200 with shared=100KiB reserve=0"), {256, 40, 20 * 1024});
    EXPECT_EQ(result.blocks_per_sm, 5);
    EXPECT_DOUBLE_EQ(result.theoretical, 0.625);
    EXPECT_EQ(result.limiter, Limiter::shared_memory);
    EXPECT_EQ(result.blocks_allowed, (std::array{8, 32, 6, 5}));
    EXPECT_EQ(result.used, (std::array{40, 5, 51200, 102400}));
    ASSERT_EQ(result.steps.size(), 5u);
    EXPECT_EQ(result.steps[4],
              "The minimum is 5 blocks, by shared memory: 40 of 64 warps, 62.5 % occupancy.");
}

TEST(occupancy, registers_and_shared_memory_tie_at_eight_blocks) {
    const Occupancy result = occupancy(gpu("H200 with shared=96KiB reserve=0"), {128, 64, 12 * 1024});
    EXPECT_EQ(result.blocks_per_sm, 8);
    EXPECT_DOUBLE_EQ(result.theoretical, 0.5);
    EXPECT_EQ(result.limiter, Limiter::registers);  // ties go to the first in the enum's order
}

TEST(occupancy, every_row_of_the_counter_table_has_the_profilers_limits) {
    std::ifstream file(source_folder() + "/tests/hardware/h200_counters.csv");
    std::string line;
    std::getline(file, line);
    std::vector<std::string> names;
    std::istringstream header(line);
    for (std::string name; std::getline(header, name, ',');) names.push_back(name);
    int rows = 0;
    while (std::getline(file, line)) {
        std::map<std::string, std::string> row;
        std::istringstream cells(line);
        std::string cell;
        for (const std::string& name : names) {
            std::getline(cells, cell, ',');
            row[name] = cell;
        }
        int threads = 1;
        std::istringstream block(row["block"]);
        for (std::string extent; std::getline(block, extent, 'x');) threads *= std::stoi(extent);
        int shared_bytes = std::stoi(row["shared_static_bytes"]);
        if (row["kernel"] == "reduce_interleaved" || row["kernel"] == "reduce_sequential")
            shared_bytes = threads * 4;  // dynamic, one float per thread
        const Occupancy result =
            occupancy(default_gpu(), {threads, std::stoi(row["registers_per_thread"]), shared_bytes});
        EXPECT_EQ(result.blocks_allowed[0], std::stoi(row["limit_warps"])) << line;
        EXPECT_EQ(result.blocks_allowed[1], std::stoi(row["limit_blocks"])) << line;
        EXPECT_EQ(result.blocks_allowed[2], std::stoi(row["limit_registers"])) << line;
        // The profiler's limit is for the carve-out that the driver chose at that launch, ours for the
        // largest.
        EXPECT_GE(result.blocks_allowed[3], std::stoi(row["limit_shared"])) << line;
        EXPECT_DOUBLE_EQ(100 * result.theoretical, std::stod(row["theoretical_occupancy_pct"])) << line;
        ++rows;
    }
    EXPECT_EQ(rows, 45);
}

TEST(occupancy, warps_an_sm_follow_the_generation) {
    const std::map<std::string, int> warps{{"7.0", 64}, {"7.5", 32}, {"8.0", 64},  {"8.6", 48},
                                           {"8.9", 48}, {"9.0", 64}, {"10.0", 64}, {"12.0", 48}};
    for (const auto& [capability, want] : warps) {
        const Occupancy result = occupancy(gpu(capability), {128, 16, 0});
        EXPECT_EQ(result.warps_per_sm, want) << capability;
        EXPECT_DOUBLE_EQ(result.theoretical, 1) << capability;
    }
}

TEST(occupancy, registers_are_granted_a_warp_at_a_time_in_rounds_of_four_schedulers) {
    // 23 registers are 736 a warp, granted 768: 85 warps fit, 84 in whole rounds
    EXPECT_EQ(occupancy(default_gpu(), {32, 23, 0}).blocks_allowed[2], 84);
    EXPECT_EQ(occupancy(default_gpu(), {256, 23, 0}).blocks_allowed[2], 10);
    EXPECT_EQ(occupancy(default_gpu(), {1024, 64, 0}).blocks_allowed[2], 1);
}

TEST(occupancy, small_blocks_run_out_of_block_slots) {
    const Occupancy result = occupancy(default_gpu(), {32, 16, 0});
    EXPECT_EQ(result.limiter, Limiter::blocks);
    EXPECT_DOUBLE_EQ(result.theoretical, 0.5);
}

TEST(occupancy, says_why_a_block_cannot_run) {
    EXPECT_EQ(occupancy(default_gpu(), {2048, 32, 0}).reason,
              "2048 threads per block; the limit of H200 is 1024.");
    EXPECT_EQ(occupancy(gpu("T4"), {256, 32, 80 * 1024}).reason,
              "81920 bytes of shared memory per block; the limit of T4 is 65536.");
    const Occupancy registers = occupancy(default_gpu(), {1024, 128, 0});
    EXPECT_EQ(registers.blocks_per_sm, 0);
    EXPECT_NE(registers.reason, "");
    EXPECT_EQ(occupancy(default_gpu(), {0, 32, 0}).blocks_per_sm, 0);
}

TEST(occupancy, unknown_registers_limit_nothing_and_say_so) {
    const Occupancy result = occupancy(default_gpu(), {256, 0, 0});
    EXPECT_DOUBLE_EQ(result.theoretical, 1);
    EXPECT_NE(result.steps[2].find("not known"), std::string::npos);
}

TEST(occupancy, curves_fall_as_a_block_takes_more) {
    const auto registers = occupancy_curve(default_gpu(), {256, 32, 0}, OccupancyKnob::registers_per_thread);
    ASSERT_EQ(registers.size(), 255u);
    EXPECT_EQ(registers[31].value, 32);
    EXPECT_EQ(registers[31].warps_per_sm, 64);
    EXPECT_EQ(registers[32].warps_per_sm, 48);
    EXPECT_EQ(registers[254].warps_per_sm, 8);
    const auto threads = occupancy_curve(default_gpu(), {256, 32, 0}, OccupancyKnob::threads_per_block);
    EXPECT_EQ(threads.front().value, 32);
    EXPECT_EQ(threads.back().value, 1024);
    EXPECT_EQ(threads[20].warps_per_sm, 63);  // 672 threads are 21 warps, three blocks of them
    const auto shared = occupancy_curve(default_gpu(), {256, 32, 0}, OccupancyKnob::shared_bytes_per_block);
    for (std::size_t i = 1; i < shared.size(); ++i)
        EXPECT_LE(shared[i].warps_per_sm, shared[i - 1].warps_per_sm);
    EXPECT_EQ(shared.back().warps_per_sm, 8);
}

TEST(occupancy, all_that_runs_out_is_named) {
    const Occupancy tie = occupancy(default_gpu(), {1024, 32, 0});
    EXPECT_EQ(tie.blocks_allowed[0], tie.blocks_allowed[2]);
    EXPECT_EQ(limiters_in_words(tie), "warps and registers");
    EXPECT_NE(tie.steps.back().find("by warps and registers"), std::string::npos);
    EXPECT_EQ(limiters_in_words(occupancy(default_gpu(), {256, 64, 0})), "registers");
}

}  // namespace
}  // namespace warplens::analysis
