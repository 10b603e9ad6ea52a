#include "app/gpu/recording_size.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "instrumentation/rewrite/recording_space.h"

namespace warplens::app {

namespace instr = instrumentation;

namespace {

constexpr double head_units = 2;
constexpr std::uint32_t short_chunk = 64, long_chunk = 256;
constexpr double long_warp = 1024;  // units from which chunks are taken rarely enough only if they are long
constexpr std::uint64_t smallest_pool = std::uint64_t{32} << 20;
constexpr double unknown_loops = 8;  // a kernel not yet seen may loop; dropping costs a second run

}  // namespace

double least_units_a_warp(const instr::RecordingPlan& plan) {
    double units = head_units + (plan.mode == instr::RecordMode::proof ? plan.hash_offset / 16.0 + 8 : 0);
    for (const instr::BlockPlan& block : plan.blocks)
        if (block.told == instr::BlockPlan::Told::recorded) units += block.units;
    return units;
}

RecordingSize recording_size(const instr::RecordingPlan& plan, std::uint64_t warps,
                             std::optional<double> units_a_warp, std::uint64_t most_bytes) {
    const double chunk_for = units_a_warp.value_or(least_units_a_warp(plan));
    const double expected = units_a_warp.value_or(unknown_loops * least_units_a_warp(plan));
    const double bounded = std::clamp(std::ceil(chunk_for), 1.0, double(short_chunk));
    RecordingSize size;
    size.chunk_units =
        chunk_for >= long_warp ? long_chunk : std::bit_ceil(static_cast<std::uint32_t>(bounded));
    size.chunk_units = std::max(size.chunk_units, std::bit_ceil(std::max(plan.min_chunk_units, 1u)));
    const double chunk_bytes = double(size.chunk_units) * instr::unit_bytes;
    const double slabs = double(warps) * chunk_bytes;
    const double records = double(warps) * expected * instr::unit_bytes;
    const double wanted = slabs + std::max(1.5 * records, double(smallest_pool));
    size.space_bytes = static_cast<std::uint64_t>(std::min(wanted, double(most_bytes)));
    return size;
}

}  // namespace warplens::app
