// Occupancy: how many blocks of a launch can be resident on an SM, the limiting resource, and what-if curves.
// Theoretical occupancy is exact; achieved occupancy needs a schedule and is not computed here.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu_spec.h"

namespace warplens::analysis {

struct OccupancyInput {
    int threads_per_block = 0;
    int registers_per_thread = 0;
    int shared_bytes_per_block = 0;  // static + dynamic, without the system's reserve
};

enum class Limiter { warps, blocks, registers, shared_memory };
std::string_view to_string(Limiter limiter);  // "warps", "blocks", "registers", "shared memory"

struct Occupancy {
    int blocks_per_sm = 0;  // 0: the block cannot run on this GPU; see `reason`
    int warps_per_sm = 0;
    double theoretical = 0;            // warps_per_sm / max_warps_per_sm
    Limiter limiter = Limiter::warps;  // the smallest of the four; the first of a tie, see limiters_in_words
    std::array<int, 4> blocks_allowed{};  // by each limiter on its own, in the enum's order
    std::array<int, 4> used{};  // warps, blocks, registers, shared bytes in use with blocks_per_sm resident
    std::array<int, 4> available{};  // the SM's amount of each
    std::vector<std::string> steps;  // the arithmetic, one line per step
    std::string reason;              // why nothing fits; empty otherwise
};

/// Whether that resource, a Limiter as an index, runs out first, alone or with others.
bool is_limit(const Occupancy& occupancy, std::size_t resource);

/// All of them: "warps and registers".
std::string limiters_in_words(const Occupancy& occupancy);

Occupancy occupancy(const GpuSpec& gpu, const OccupancyInput& input);

/// What-if: one point of a curve.
struct OccupancyPoint {
    int value = 0;  // threads per block, registers per thread, or shared bytes per block
    int warps_per_sm = 0;
};
enum class OccupancyKnob { threads_per_block, registers_per_thread, shared_bytes_per_block };
std::vector<OccupancyPoint> occupancy_curve(const GpuSpec& gpu, OccupancyInput input, OccupancyKnob knob);

}  // namespace warplens::analysis
