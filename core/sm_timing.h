// SmTiming: the costs of one SM and its path to memory in cycles — the timing model's parameters, one row per
// GPU generation in sm_timing.cpp, each figure with its source in docs/timing_model.md. Cycles are SM cycles;
// "interval" is the time for which one warp instruction occupies a unit, "latency" the time until a dependent
// instruction may issue.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/gpu_spec.h"

namespace warplens {

/// The execution pipes of a scheduler (one of each per sub-partition), and the two that the SM's four share.
enum class Pipe : std::uint8_t {
    fma,        // FP32 add, multiply, fused; the integer multiply-add on `fma_heavy` takes it too
    fma_heavy,  // integer multiply-add
    alu,        // integer add, logic, compare, select, min/max
    fp16,       // packed half
    fp64,
    tensor,   // matrix units: mma, wmma.mma
    xu,       // special functions, conversions to and from other widths
    uniform,  // uniform datapath: same value in all lanes
    branch,   // branches, convergence barriers
    mio,      // shared memory, shuffles, votes: one queue per sub-partition, one pipe per SM
    lsu,      // global and local memory: the same for the L1's pipe
    none,     // takes an issue slot and no pipe: barriers, exits, special register moves that are free
};
inline constexpr std::size_t pipe_count = static_cast<std::size_t>(Pipe::none) + 1;
std::string_view to_string(Pipe pipe);

/// Of a warp: counters that machine instructions set and wait for.
inline constexpr std::uint8_t scoreboard_count = 6;

struct PipeTiming {
    std::uint16_t interval = 1;  // cycles for which a warp instruction occupies the pipe
    std::uint16_t latency = 4;   // of the result, where the pipe alone decides it
};

struct SmTiming {
    std::string_view measured_on;  // "H200"; empty: nothing of this row was measured, and the model says so
    double clock_hz = 0;           // SM clock that cycles count

    std::array<PipeTiming, pipe_count> pipes{};
    const PipeTiming& operator[](Pipe pipe) const { return pipes[static_cast<std::size_t>(pipe)]; }

    // control
    int branch_operand_latency = 0;  // on top of a predicate's latency, when a branch reads it
    int branch_latency = 0;          // from a branch to the next instruction of the warp
    int reconvergence_latency = 0;   // where lanes that may have diverged reconverge, even if none did
    int operand_read_latency =
        0;                     // from the issue of an instruction for MIO, LSU or XU to its sources' reading
    int branch_dispatch = 1;   // cycles until the scheduler has instructions again after a taken branch
    int barrier_latency = 12;  // of a block-wide barrier, and for each warp of the block:
    int barrier_cycles_per_warp = 2;
    int instruction_fetch = 0;      // from the arrival of a launch's first blocks to their first issue
    int cold_fetch = 0;             // on top for the first block on an SM: nothing of the code is cached
    int warp_start_interval = 0;    // between the warps of a block that arrives
    int block_launch_interval = 0;  // between two blocks that arrive on one SM, at least, and for each warp:
    double block_launch_cycles_per_warp = 0;
    double retire_interval =
        0;  // between two blocks that end, all SMs together: the GPU handles them one by one
    int block_replacement = 0;  // from handling a block's end to the first issue of the next in its place

    // shared memory and the other clients of the MIO
    int shared_load_latency = 29;       // of a conflict-free load
    int shared_wavefront_interval = 1;  // of the SM's pipe, per wavefront
    int warp_wavefront_interval = 2;    // the same for one warp alone
    int cluster_load_latency = 0;       // of a load from another block's shared memory in a cluster, at least
    int shuffle_latency = 24, vote_latency = 12, reduce_latency = 44;
    int shared_atomic_latency =
        36;  // of lanes at different addresses; each further round takes a wavefront's time
    double shared_atomic_write = 0;  // cycles of the SM's pipe in addition to a shared atomic's wavefronts
    int mio_warp_interval = 1;       // between two such instructions of one warp
    int mio_queue = 0;               // instructions that a sub-partition's queue holds

    int constant_miss_latency = 0;  // of a line of a constant bank that the launch has not read before
    // a constant load of lanes that want different words serves one word after another:
    int constant_word_latency = 0;      // of each word after the first, added to `shared_load_latency`
    double constant_word_interval = 0;  // for which a word occupies the SM's constant unit

    // global memory
    int l1_hit_latency = 40, l2_hit_latency = 288, dram_latency = 692;
    int lsu_warp_interval = 1;        // between two such instructions of one warp
    int lsu_queue = 0;                // instructions that a sub-partition's queue to the L1 holds
    double l1_tags_per_cycle = 4;     // 128-byte lines looked up, per SM
    int l1_wavefront_latency = 2;     // each further wavefront over the L1's banks
    int first_access_latency = 0;     // on top of an SM's first request: no translation is cached
    double l2_line_interval = 1;      // cycles for which a line of a miss occupies the SM's port, at least,
    double l2_sector_interval = 0.5;  // and for each of its sectors
    double l2_lines_per_cycle = 0;    // read or written, all SMs together; 0: no limit
    double l2_sectors_per_cycle = 0;  // read, all SMs together; 0: no limit
    double store_line_cycles = 1;     // a line of a store occupies the port to L2, one SM alone,
    double store_sector_cycles = 1;   // and for each of its sectors
    int store_buffer_sectors = 64;    // on the way to L2 before the L1's pipe must wait
    int l1_pending_sectors = 0;       // misses that an SM can have in flight before the L1's pipe waits
    int atomic_latency = 150;         // of a global atomic that returns a value
    double atomic_lane_interval = 0;  // at a slice of L2, between two lanes at one address, all SMs together,
    double real_atomic_lane_interval = 0;  // likewise, of additions of f32 and f64
    double atomic_interval = 0;            // or, at all slices together, anywhere
    std::uint32_t l1_bytes = 0;            // L1 and shared memory together
    std::uint64_t l2_bytes = 0;
    // Shares of l2_bytes: once an SM has read that much since, L2 begins to replace a line, and has surely
    // replaced it.
    double l2_first_replaced = 0.4, l2_all_replaced = 1.1;
    double dram_efficiency = 0.9;  // attainable share of the published bandwidth, all in one direction
    double dram_turnaround = 0;    // share of that rate that is lost when half of the accesses are writes
    // Cycles on top of the latency at a load of u (0 to 1): this times u² / √(1 − u), and this times u when
    // reads and writes are half and half.
    double dram_queue_latency = 0, dram_turnaround_latency = 0;

    // launch
    double launch_overhead =
        0;  // cycles of an empty launch besides the SMs' own, as cycles_elapsed_max counts
    // At most as many more where SMs have more than one block: more as the launch is longer
    // (launch_time.cpp).
    double more_blocks_overhead = 0;
    // When a launch begins, the SMs' clocks part by this share until they settle (launch_time.cpp).
    double clock_drift = 0;
};

/// The row of a GPU's generation.
const SmTiming& sm_timing(const GpuSpec& gpu);

}  // namespace warplens
