#include "core/sm_timing.h"

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

/// Compute capability 9.0, from tests/hardware/h200_latency.csv.
constexpr SmTiming hopper() {
    SmTiming sm;
    sm.measured_on = "H200";
    sm.clock_hz = 1.98e9;
    sm.pipes[at(Pipe::fma)] = {1, 4};
    sm.pipes[at(Pipe::fma_heavy)] = {2, 4};
    sm.pipes[at(Pipe::alu)] = {2, 4};
    sm.pipes[at(Pipe::fp16)] = {2, 8};
    sm.pipes[at(Pipe::fp64)] = {2, 8};
    sm.pipes[at(Pipe::xu)] = {8, 17};
    sm.pipes[at(Pipe::uniform)] = {2, 5};
    sm.pipes[at(Pipe::branch)] = {1, 4};
    sm.pipes[at(Pipe::mio)] = {2, 0};
    sm.pipes[at(Pipe::lsu)] = {2, 0};
    sm.pipes[at(Pipe::none)] = {1, 1};
    sm.branch_latency = 9;
    sm.branch_operand_latency = 11;
    sm.reconvergence_latency = 20;
    sm.instruction_fetch = 130;
    sm.cold_fetch = 170;
    sm.warp_start_interval = 2;
    sm.block_launch_interval = 24;
    sm.block_launch_cycles_per_warp = 3.3;
    sm.retire_interval = 1.19;
    sm.block_replacement = 270;
    sm.vote_latency = 13;
    sm.mio_warp_interval = 4;
    sm.mio_queue = 12;
    sm.lsu_warp_interval = 4;
    sm.lsu_queue = 12;
    sm.first_access_latency = 300;
    sm.l2_line_interval = 1.1;
    sm.l2_sector_interval = 0.29;
    sm.l2_lines_per_cycle = 88;
    sm.l2_sectors_per_cycle = 150;
    sm.atomic_lane_interval = 1.28;
    sm.atomic_line_interval = 0.87;
    sm.atomic_kib_interval = 0.58;
    sm.atomic_interval = 1.0 / 60;
    sm.l1_pending_sectors = 2048;
    sm.l1_bytes = 256 * 1024;
    sm.l2_bytes = std::uint64_t{60} * 1024 * 1024;
    sm.dram_efficiency = 0.89;
    sm.dram_turnaround = 0.155;
    sm.dram_queue_latency = 210;
    sm.dram_turnaround_latency = 300;
    sm.launch_overhead = 3000;
    return sm;
}

constexpr SmTiming hopper_row = hopper();

}  // namespace

const SmTiming& sm_timing(const GpuSpec& /*gpu*/) { return hopper_row; }

}  // namespace warplens
