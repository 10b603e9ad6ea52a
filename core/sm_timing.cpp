#include "core/sm_timing.h"

#include <algorithm>
#include <array>
#include <vector>

namespace warplens {

std::string_view to_string(Pipe pipe) {
    switch (pipe) {
        case Pipe::fma:
            return "FMA";
        case Pipe::fma_heavy:
            return "FMA heavy";
        case Pipe::alu:
            return "ALU";
        case Pipe::fp16:
            return "FP16";
        case Pipe::fp64:
            return "FP64";
        case Pipe::tensor:
            return "tensor";
        case Pipe::xu:
            return "XU";
        case Pipe::uniform:
            return "uniform";
        case Pipe::branch:
            return "branch";
        case Pipe::mio:
            return "MIO";
        case Pipe::lsu:
            return "LSU";
        case Pipe::none:
            return "none";
    }
    return "unknown";
}

namespace {

constexpr std::size_t at(Pipe pipe) { return static_cast<std::size_t>(pipe); }

/// Compute capability 9.0. docs/timing_model.md says where each figure comes from.
constexpr SmTiming h200_timing() {
    SmTiming sm;
    sm.measured_on = "H200";
    sm.pipes[at(Pipe::fma)] = {1, 4};
    sm.pipes[at(Pipe::fma_heavy)] = {2, 4};
    sm.pipes[at(Pipe::alu)] = {2, 4};
    sm.pipes[at(Pipe::fp16)] = {2, 8};
    sm.pipes[at(Pipe::fp64)] = {2, 8};
    sm.pipes[at(Pipe::tensor)] = {6, 24};
    sm.pipes[at(Pipe::xu)] = {8, 17};
    sm.pipes[at(Pipe::uniform)] = {2, 5};
    sm.pipes[at(Pipe::branch)] = {1, 4};
    sm.pipes[at(Pipe::mio)] = {2, 0};
    sm.pipes[at(Pipe::lsu)] = {2, 0};
    sm.pipes[at(Pipe::none)] = {1, 1};
    sm.branch_latency = 9;
    sm.branch_operand_latency = 11;
    sm.reconvergence_latency = 20;
    sm.operand_read_latency = 10;
    sm.constant_miss_latency = 100;
    sm.constant_word_latency = 11;
    sm.constant_word_interval = 2;
    sm.branch_dispatch = 2;
    sm.instruction_fetch = 130;
    sm.cold_fetch = 145;
    sm.warp_start_interval = 2;
    sm.block_launch_interval = 24;
    sm.block_launch_cycles_per_warp = 3.3;
    sm.retire_interval = 1.19;
    sm.block_replacement = 235;
    sm.vote_latency = 13;
    sm.shared_atomic_latency = 26;
    sm.shared_atomic_write = 0.85;
    sm.atomic_latency = 404;
    sm.mio_warp_interval = 4;
    sm.mio_queue = 12;
    sm.lsu_warp_interval = 4;
    sm.lsu_queue = 9;
    sm.first_access_latency = 100;
    sm.l2_line_interval = 1.1;
    sm.l2_sector_interval = 0.29;
    sm.store_line_cycles = 1.2;
    sm.store_sector_cycles = 0.8;
    sm.l2_lines_per_cycle = 88;
    sm.l2_sectors_per_cycle = 150;
    sm.atomic_lane_interval = 1.28;
    sm.real_atomic_lane_interval = 3.06;
    sm.atomic_interval = 1.0 / 60;
    sm.cluster_load_latency = 213;
    sm.l1_pending_sectors = 1500;
    sm.l1_bytes = 256 * 1024;
    sm.dram_efficiency = 0.89;
    sm.dram_turnaround = 0.155;
    sm.dram_queue_latency = 150;
    sm.dram_turnaround_latency = 300;
    sm.launch_overhead = 2960;
    sm.more_blocks_overhead = 240;
    sm.clock_drift = 0.011;
    return sm;
}

/// The SMs are those of an H200, as the same probes show; L2, DRAM and the launch are its own.
constexpr SmTiming h100_timing() {
    SmTiming sm = h200_timing();
    sm.measured_on = "H100";
    sm.l2_hit_latency = 283;
    sm.dram_latency = 716;
    sm.l2_lines_per_cycle = 76;
    sm.l2_sectors_per_cycle = 132;
    sm.atomic_latency = 405;
    sm.atomic_interval = 1.0 / 51;
    sm.cluster_load_latency = 283;
    sm.dram_efficiency = 0.9;
    sm.dram_turnaround = 0.12;
    sm.launch_overhead = 4100;
    sm.more_blocks_overhead = 0;
    sm.clock_drift = 0;
    return sm;
}

constexpr std::array measured{h200_timing(), h100_timing()};

// The other generations were not measured. Their pipes have the widths of the arithmetic throughput table of
// the CUDA programming guide, L1 and L2 the published sizes; every latency and queue is the H200's, each
// line's the mean. A row with assumed values names no GPU on which it was measured.

/// Cycles for which a warp instruction occupies a pipe with `results` per cycle per SM of four schedulers.
constexpr std::uint16_t interval_of(int results) {
    constexpr int lanes = 32, schedulers = 4;
    return static_cast<std::uint16_t>(lanes * schedulers / results);
}

struct Widths {  // results per cycle per SM
    int fp32, fp64, half_pairs;
    int integer = 64;
};

constexpr SmTiming unmeasured(Widths widths, std::uint32_t l1_kib) {
    SmTiming sm = h200_timing();
    sm.measured_on = {};
    sm.pipes[at(Pipe::fma)].interval = interval_of(widths.fp32);
    sm.pipes[at(Pipe::fp64)].interval = interval_of(widths.fp64);
    sm.pipes[at(Pipe::fp16)].interval = interval_of(widths.half_pairs);
    sm.pipes[at(Pipe::alu)].interval = interval_of(widths.integer);
    sm.l1_bytes = l1_kib * 1024;
    sm.more_blocks_overhead = 0;  // one of the two that were measured has none
    return sm;
}

constexpr SmTiming timing_of_capability(int major, int minor) {
    switch (major * 10 + minor) {
        case 70:
            return unmeasured({64, 32, 64}, 128);
        case 75:
            return unmeasured({64, 2, 64}, 96);
        case 80:
            return unmeasured({64, 32, 128}, 192);
        case 86:
            return unmeasured({128, 2, 64}, 128);
        case 87:
            return unmeasured({128, 2, 64}, 192);
        case 89:
            return unmeasured({128, 2, 64}, 128);
        case 100:
            return unmeasured({128, 64, 128}, 256);
        case 120:
            return unmeasured({128, 2, 64, 128}, 128);
        default:
            return h200_timing();
    }
}

/// What was measured on the GPU itself, else its generation's row, with the GPU's own clock and L2.
SmTiming timing_of(const GpuSpec& gpu) {
    const auto own = std::find_if(measured.begin(), measured.end(),
                                  [&](const SmTiming& row) { return row.measured_on == gpu.name; });
    SmTiming sm = own != measured.end() ? *own : timing_of_capability(gpu.major, gpu.minor);
    if (gpu.boost_clock_hz > 0) sm.clock_hz = gpu.boost_clock_hz;
    if (gpu.l2_bytes > 0) sm.l2_bytes = gpu.l2_bytes;
    return sm;
}

}  // namespace

const SmTiming& sm_timing(const GpuSpec& gpu) {
    static const std::vector<SmTiming> rows = [] {
        std::vector<SmTiming> out;
        for (const GpuSpec& each : gpu_specs()) out.push_back(timing_of(each));
        return out;
    }();
    const auto specs = gpu_specs();
    const std::string_view name = gpu.based_on.empty() ? gpu.name : gpu.based_on;
    const auto same =
        std::find_if(specs.begin(), specs.end(), [&](const GpuSpec& each) { return each.name == name; });
    const auto row =
        same != specs.end() ? same : std::find_if(specs.begin(), specs.end(), [&](const auto& each) {
            return each.major == gpu.major && each.minor == gpu.minor;
        });
    return row != specs.end() ? rows[static_cast<std::size_t>(row - specs.begin())]
                              : sm_timing(default_gpu());
}

}  // namespace warplens
