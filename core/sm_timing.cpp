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
    sm.pipes[at(Pipe::fp16)] = {1, 4};
    sm.pipes[at(Pipe::fp64)] = {2, 8};
    sm.pipes[at(Pipe::xu)] = {8, 17};
    sm.pipes[at(Pipe::uniform)] = {2, 6};
    sm.pipes[at(Pipe::branch)] = {1, 4};
    sm.pipes[at(Pipe::mio)] = {2, 0};
    sm.pipes[at(Pipe::lsu)] = {2, 0};
    sm.pipes[at(Pipe::none)] = {1, 1};
    sm.branch_latency = 10;
    sm.branch_operand_latency = 9;
    sm.mio_warp_interval = 4;
    sm.mio_queue = 8;
    sm.lsu_queue = 8;
    sm.l1_pending_sectors = 2048;
    sm.l1_bytes = 256 * 1024;
    sm.l2_bytes = std::uint64_t{50} * 1024 * 1024;
    sm.l2_total_sectors_per_cycle = 100;
    sm.atomics_per_cycle = 48;
    sm.atomic_sector_interval = 1;
    return sm;
}

constexpr SmTiming hopper_row = hopper();

}  // namespace

const SmTiming& sm_timing(const GpuSpec& /*gpu*/) { return hopper_row; }

}  // namespace warplens
