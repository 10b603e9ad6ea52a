// Parameters in which an H100 and an H200 differ, against what the same probes found on each:
// memory_probes.cu, launch_probes.cu and chain_probes.cu (h100_….csv, h200_….csv). docs/timing_model.md names
// the row of each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "simt/timing/chase_latency.h"
#include "simt/timing/l2_partitions.h"
#include "simt/timing/launch_time.h"
#include "tests/hardware/timing_tables.h"

namespace warplens::hardware {
namespace {

constexpr double lanes = 32;

class GpuParameters : public testing::TestWithParam<const char*> {
  protected:
    const std::string name = GetParam();
    const GpuSpec& gpu = **find_gpu(name);
    const SmTiming& timing = sm_timing(gpu);
    const simt::MemoryPlaces& places = simt::memory_places(gpu);

    double probe(const std::string& what, const std::string& parameters) const {
        for (const MeasuredRow& row : read_measured_table(table_of(name, "memory_parameters.csv")))
            if (row.text("what") == what && row.text("parameters") == parameters) return row.real("value");
        ADD_FAILURE() << name << " has no " << what << " " << parameters;
        return 0;
    }

    /// Cycles between two requests of 32 lanes, `stride` bytes from lane to lane, at each SM; all request.
    double request_interval(const std::string& kind, const std::string& set, int stride) const {
        return probe("request_interval",
                     fmt::format("{} stride={} skew=0 set_KiB={} sms=132 warps=32", kind, stride, set));
    }

    double most_bandwidth(const std::string& direction) const {
        double most = 0;
        for (const MeasuredRow& row : read_measured_table(table_of(name, "memory_parameters.csv")))
            if (row.text("what") == "dram_bandwidth" && row.text("parameters").starts_with(direction))
                most = std::max(most, 1e9 * row.real("value"));
        return most;
    }
};

TEST_P(GpuParameters, l2_serves_all_sms_as_fast_as_measured) {
    const double requested = lanes * gpu.sm_count;
    const double lines = requested / request_interval("load_cg width=4 stream", "8192", 128);
    const double sectors = requested / request_interval("load_cg width=4 stream", "8192", 32);
    const double atomics = requested / request_interval("red width=4 hash", "1024", 4);
    EXPECT_NEAR(timing.l2_lines_per_cycle, lines, 0.02 * lines);
    EXPECT_NEAR(timing.l2_sectors_per_cycle, sectors, 0.04 * sectors);
    EXPECT_NEAR(1 / timing.atomic_interval, atomics, 0.02 * atomics);
}

TEST_P(GpuParameters, dram_moves_as_much_as_measured) {
    const double reads = gpu.dram_bytes_per_second * timing.dram_efficiency;
    const double copies = reads / (1 + timing.dram_turnaround);
    EXPECT_NEAR(reads, most_bandwidth("read"), 0.02 * reads);
    EXPECT_NEAR(copies, most_bandwidth("copy"), 0.04 * copies);
}

TEST_P(GpuParameters, a_launch_takes_as_much_beside_its_sms_as_measured) {
    double sum = 0;
    int rows = 0;
    for (const MeasuredRow& row : read_measured_table(table_of(name, "launches.csv"))) {
        const std::string& work = row.text("launch");
        if (row.text("caches") != "cold" || (work != "read" && work != "write" && work != "copy")) continue;
        Overrides parameters = read_parameters(row.text("parameters"));
        if (std::stoi(parameters["n"]) > gpu.sm_count * std::stoi(parameters["threads"])) continue;
        const double cycles = row.real("cycles_elapsed_max");
        sum += cycles - row.real("sm_cycles_active_max") - simt::clocks_apart(timing, cycles);
        ++rows;
    }
    ASSERT_EQ(rows, 27);
    EXPECT_NEAR(timing.launch_overhead, sum / rows, 0.01 * sum / rows);
}

/// Which the H200's are by up to 240 cycles and an H100's are not.
TEST_P(GpuParameters, launches_of_more_blocks_than_sms_take_longer_beside_their_sms_as_measured) {
    std::vector<double> beside, short_ones;
    for (const MeasuredRow& row : read_measured_table(table_of(name, "launches.csv"))) {
        const std::string& work = row.text("launch");
        if (row.text("caches") != "cold" || (work != "read" && work != "copy")) continue;
        Overrides parameters = read_parameters(row.text("parameters"));
        const int threads = std::stoi(parameters["threads"]);
        // Short blocks wait for the queue of finished ones.
        if (threads < 256 || std::stoi(parameters["n"]) <= gpu.sm_count * threads) continue;
        const double cycles = row.real("cycles_elapsed_max");
        const double sm_cycles = row.real("sm_cycles_active_max");
        const double more = cycles - sm_cycles - timing.launch_overhead - simt::clocks_apart(timing, cycles) -
                            simt::more_blocks_take(timing, sm_cycles);
        beside.push_back(more);
        if (sm_cycles < 3000) short_ones.push_back(more);
    }
    ASSERT_EQ(beside.size(), 18u);
    std::ranges::sort(beside);
    EXPECT_NEAR((beside[8] + beside[9]) / 2, 0, 60);
    ASSERT_EQ(short_ones.size(), 6u);
    std::ranges::sort(short_ones);
    EXPECT_NEAR((short_ones[2] + short_ones[3]) / 2, 0, 60);
}

TEST_P(GpuParameters, a_chain_of_loads_has_the_measured_latency) {
    constexpr std::uint32_t l1_of_one_warp_blocks = 224 * 1024;
    double sum = 0;
    int rows = 0;
    for (const MeasuredRow& row : read_measured_table(table_of(name, "staircase.csv"))) {
        if (row.number("stride") != 128) continue;
        const double modelled =
            simt::chase_latency(timing, l1_of_one_warp_blocks, row.number("bytes")).cycles;
        const double error = std::abs(modelled - row.real("cycles")) / row.real("cycles");
        const double mebibytes = row.real("bytes") / (1 << 20);
        const bool in_l2 = mebibytes >= 1 && mebibytes <= 16, in_dram = mebibytes >= 96;
        EXPECT_LT(error, in_l2 ? 0.02 : in_dram ? 0.06 : 0.5) << row.text("bytes");
        sum += error;
        ++rows;
    }
    ASSERT_EQ(rows, 37);
    EXPECT_LT(sum / rows, 0.05);
}

TEST_P(GpuParameters, launches_of_one_element_per_thread_take_the_measured_cycles) {
    const auto rows = compare_launch_table(name);
    const Accuracy found = accuracy_of(rows);
    EXPECT_TRUE(found.problems.empty()) << found.problems.front();
    ASSERT_EQ(found.rows, 144u * simt::start_count);
    double signed_sum = 0;
    for (const Comparison& row : rows) signed_sum += row.error();
    EXPECT_LT(found.mean, 0.08);
    EXPECT_LT(std::abs(signed_sum / double(found.rows)), 0.05);
}

TEST_P(GpuParameters, loads_one_by_one_and_four_at_once_read_an_idle_dram_at_the_measured_rate) {
    int rows = 0;
    for (const Comparison& row : compare_idle_reads(name)) {
        EXPECT_EQ(row.problem, "") << row.name;
        const bool one_by_one = row.name.find("ilp=1") != std::string::npos;
        EXPECT_LT(std::abs(row.error()), one_by_one ? 0.03 : 0.08) << row.name;
        ++rows;
    }
    EXPECT_EQ(rows, 6);
}

TEST_P(GpuParameters, a_far_line_takes_as_much_longer_as_measured) {
    std::array<std::vector<double>, 2> reads, atomics;
    for (const MeasuredRow& row : read_measured_table(table_of(name, "places.csv"))) {
        const std::uint64_t address = std::stoull(row.text("address"), nullptr, 16);
        const unsigned side = simt::partition_of(address / 32, places);
        reads[side].push_back(row.real("first_load"));
        atomics[side].push_back(row.real("atomic"));
    }
    for (auto* sides : {&reads, &atomics})
        for (auto& side : *sides) {
            ASSERT_EQ(side.size(), 1024u);
            std::ranges::sort(side);
        }
    // Every atomic is on the side that its address says.
    const bool second_is_far = atomics[1].front() > atomics[0].front();
    const auto& near = second_is_far ? atomics[0] : atomics[1];
    const auto& far = second_is_far ? atomics[1] : atomics[0];
    EXPECT_LT(near.back(), far.front());
    const auto mean = [](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
    };
    EXPECT_NEAR(places.atomic_far, mean(far) - mean(near), 4);
    EXPECT_NEAR(timing.atomic_latency, (mean(far) + mean(near)) / 2, 5);
    EXPECT_NEAR(places.dram_far, std::abs(reads[1][512] - reads[0][512]), 2);
}

TEST_P(GpuParameters, are_the_means_of_lines_near_and_far) {
    std::map<std::string, double> sums;
    for (const MeasuredRow& row : read_measured_table(table_of(name, "lines.csv")))
        sums[row.text("kind")] += row.real("mean");
    constexpr int blocks = 132;
    // An H200's 692 cycles are of a chain (h200_latency.csv); single reads of many lines take 4 % more.
    EXPECT_NEAR(timing.dram_latency, sums["first load"] / blocks, 0.05 * timing.dram_latency);
    EXPECT_NEAR(timing.l2_hit_latency, sums["load"] / blocks, 0.05 * timing.l2_hit_latency);
    EXPECT_NEAR(timing.atomic_latency, sums["atomic"] / blocks, 5);
}

TEST_P(GpuParameters, have_the_latencies_of_the_sm_that_is_farthest_from_l2) {
    std::map<std::string, double> most;
    for (const MeasuredRow& row : read_measured_table(table_of(name, "lines.csv"))) {
        double& mean = most[row.text("kind")];
        mean = std::max(mean, row.real("mean"));
    }
    constexpr double clock = 2;
    EXPECT_NEAR(timing.l2_hit_latency + places.l2_hit_farthest, most["load"] - clock, 1.5);
    EXPECT_NEAR(timing.atomic_latency + places.atomic_farthest, most["atomic"] - clock, 1.5);
}

TEST(gpu_parameters, the_nearest_block_of_a_cluster_is_as_far_as_an_h100_s) {
    const SmTiming& timing = sm_timing(**find_gpu("H100"));
    double nearest = 1000;
    for (const MeasuredRow& row : read_measured_table("h100_cluster_latency.csv"))
        if (row.number("blocks") == 8 && row.number("of_block") > 0)
            nearest = std::min(nearest, row.real("cycles"));
    EXPECT_NEAR(timing.cluster_load_latency, nearest, 1);
    double sum = 0;
    for (const MeasuredRow& row : read_measured_table("h100_lines.csv"))
        if (row.text("kind") == "first load") sum += row.real("mean");
    constexpr int blocks = 132;
    EXPECT_NEAR(timing.dram_latency, sum / blocks, 5);
}

INSTANTIATE_TEST_SUITE_P(both, GpuParameters, testing::Values("H100", "H200"));

}  // namespace
}  // namespace warplens::hardware
