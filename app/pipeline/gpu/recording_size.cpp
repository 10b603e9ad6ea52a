#include "app/pipeline/gpu/recording_size.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/lane_mask.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::app {

namespace instr = instrumentation;

namespace {

constexpr double head_units = 2;
/// The largest first chunk: of a warp that writes more, taking the next ones is a small part of its time.
constexpr std::uint32_t most_units = 1024;
constexpr std::uint32_t largest_slab = 1u << 20;  // where all of a warp's records must be in it
constexpr double spare = 1.1;                     // warps differ
constexpr std::uint64_t smallest_pool = std::uint64_t{32} << 20;
constexpr double unknown_loops = 8;  // a kernel not yet seen may loop; dropping costs a second run

double tally_units(const instr::RecordingPlan& plan) {
    return plan.tallies > 0 ? (1 + plan.tallies) * 4.0 * warp_size / instr::unit_bytes : 0;
}

}  // namespace

double least_units_a_warp(const instr::RecordingPlan& plan) {
    double units = head_units + (plan.mode == instr::RecordMode::proof ? plan.hash_offset / 16.0 + 8 : 0);
    if (plan.tallies > 0) units += tally_units(plan);
    for (const instr::BlockPlan& block : plan.blocks)
        if (block.source == instr::BlockPlan::Source::recorded) units += block.units;
    return units;
}

RecordingSize recording_size(const instr::RecordingPlan& plan, std::uint64_t warps,
                             std::optional<double> units_a_warp, std::uint64_t most_bytes,
                             bool in_first_chunks) {
    // What was seen may have been of another form, without tallies.
    const double chunk_for = units_a_warp ? *units_a_warp + tally_units(plan) : least_units_a_warp(plan);
    const double expected = units_a_warp.value_or(unknown_loops * least_units_a_warp(plan));
    const double bounded =
        std::clamp(std::ceil(spare * chunk_for), 1.0, double(in_first_chunks ? largest_slab : most_units));
    RecordingSize size;
    size.chunk_units = std::bit_ceil(static_cast<std::uint32_t>(bounded));
    while (double(warps) * size.chunk_units * instr::unit_bytes > 0.5 * double(most_bytes) &&
           size.chunk_units > 1)
        size.chunk_units /= 2;
    size.chunk_units = std::max(size.chunk_units, std::bit_ceil(std::max(plan.min_chunk_units, 1u)));
    const double chunk_bytes = double(size.chunk_units) * instr::unit_bytes;
    const double slabs = double(warps) * chunk_bytes;
    const double records = double(warps) * expected * instr::unit_bytes;
    const double wanted = slabs + std::max(1.5 * records, double(smallest_pool));
    size.space_bytes = static_cast<std::uint64_t>(std::min(wanted, double(most_bytes)));
    return size;
}

bool takes_many_chunks(const instr::GpuVariantResult& result) {
    instr::SpaceHead head;
    if (result.space.size() < sizeof(head)) return false;
    std::memcpy(&head, result.space.data(), sizeof(head));
    const std::uint64_t slabs = result.parameter.slabs;
    return slabs > 0 && head.next_chunk > 1 + slabs + slabs / 20;
}

}  // namespace warplens::app
