#include "analysis/warps/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/wording.h"
#include "core/lane_mask.h"

namespace warplens::analysis {
namespace {

constexpr std::size_t index(Limiter limiter) { return static_cast<std::size_t>(limiter); }
constexpr int divide_up(int value, int unit) { return (value + unit - 1) / unit; }
constexpr int round_up(int value, int unit) { return unit > 0 ? divide_up(value, unit) * unit : value; }
constexpr int round_down(int value, int unit) { return unit > 0 ? value / unit * unit : value; }

/// The resources of one block, rounded up to allocation units.
struct Share {
    int warps = 0;
    int registers_per_warp = 0;  // 0: not known
    int registers = 0;
    int shared_bytes = 0;
};

Share share_of_block(const GpuSpec& gpu, const OccupancyInput& input) {
    Share share;
    share.warps = divide_up(input.threads_per_block, warp_size);
    if (input.registers_per_thread > 0) {
        const int registers = std::max(input.registers_per_thread, gpu.min_registers_per_thread);
        share.registers_per_warp = round_up(registers * warp_size, gpu.register_allocation_unit);
        share.registers = share.registers_per_warp * share.warps;
    }
    share.shared_bytes = round_up(input.shared_bytes_per_block + gpu.reserved_shared_bytes_per_block,
                                  gpu.shared_allocation_unit);
    return share;
}

/// The first requirement of the block that no empty SM of this GPU can meet; empty: none.
std::string why_impossible(const GpuSpec& gpu, const OccupancyInput& input, const Share& share) {
    if (input.threads_per_block < 1) return "A block needs at least one thread.";
    if (input.threads_per_block > gpu.max_threads_per_block)
        return fmt::format("{} threads per block; the limit of {} is {}.", input.threads_per_block, gpu.name,
                           gpu.max_threads_per_block);
    if (input.registers_per_thread > gpu.max_registers_per_thread)
        return fmt::format("{} registers per thread; the limit of {} is {}.", input.registers_per_thread,
                           gpu.name, gpu.max_registers_per_thread);
    if (input.shared_bytes_per_block > gpu.max_shared_bytes_per_block)
        return fmt::format("{} bytes of shared memory per block; the limit of {} is {}.",
                           input.shared_bytes_per_block, gpu.name, gpu.max_shared_bytes_per_block);
    // A launch must fit with its warps spread evenly over the schedulers.
    if (share.registers_per_warp * round_up(share.warps, gpu.warp_allocation_granularity) >
        gpu.registers_per_sm)
        return fmt::format("{} warps of {} registers need {}; an SM of {} has {}.", share.warps,
                           share.registers_per_warp, share.registers, gpu.name, gpu.registers_per_sm);
    return {};
}

/// "65,536"; none of these amounts is negative.
std::string amount(int value) { return grouped(static_cast<std::uint64_t>(value)); }

void allow_by_warps(const GpuSpec& gpu, const OccupancyInput& input, const Share& share, Occupancy& out) {
    const int blocks = gpu.max_warps_per_sm / share.warps;
    out.blocks_allowed[index(Limiter::warps)] = blocks;
    out.steps.push_back(fmt::format(
        "Warps: {} threads are {} {} per block; an SM holds {} warps: {} / {} = {} {}.",
        amount(input.threads_per_block), share.warps, share.warps == 1 ? "warp" : "warps",
        gpu.max_warps_per_sm, gpu.max_warps_per_sm, share.warps, blocks, blocks == 1 ? "block" : "blocks"));
}

void allow_by_blocks(const GpuSpec& gpu, Occupancy& out) {
    out.blocks_allowed[index(Limiter::blocks)] = gpu.max_blocks_per_sm;
    out.steps.push_back(fmt::format("Blocks: an SM holds at most {} blocks.", gpu.max_blocks_per_sm));
}

void allow_by_registers(const GpuSpec& gpu, const OccupancyInput& input, const Share& share, Occupancy& out) {
    if (share.registers_per_warp == 0) {
        out.blocks_allowed[index(Limiter::registers)] = gpu.max_blocks_per_sm;
        out.steps.emplace_back(
            "Registers: the number a thread needs is not known, so they are assumed to limit nothing.");
        return;
    }
    const int warps =
        round_down(gpu.registers_per_sm / share.registers_per_warp, gpu.warp_allocation_granularity);
    const int blocks = warps / share.warps;
    out.blocks_allowed[index(Limiter::registers)] = blocks;
    const int registers = std::max(input.registers_per_thread, gpu.min_registers_per_thread);
    std::string minimum;
    if (registers > input.registers_per_thread)
        minimum = fmt::format(" ({} requested, the minimum is {})", input.registers_per_thread, registers);
    out.steps.push_back(fmt::format(
        "Registers: {} per thread{} × {} threads = {}, granted in steps of {}: {} per warp; {} / {} = {} "
        "warps"
        ", in whole rounds of {} schedulers {}; {} / {} = {} {}.",
        registers, minimum, warp_size, amount(registers * warp_size), gpu.register_allocation_unit,
        amount(share.registers_per_warp), amount(gpu.registers_per_sm), amount(share.registers_per_warp),
        gpu.registers_per_sm / share.registers_per_warp, gpu.warp_allocation_granularity, warps, warps,
        share.warps, blocks, blocks == 1 ? "block" : "blocks"));
}

void allow_by_shared_memory(const GpuSpec& gpu, const OccupancyInput& input, const Share& share,
                            Occupancy& out) {
    if (share.shared_bytes == 0) {
        out.blocks_allowed[index(Limiter::shared_memory)] = gpu.max_blocks_per_sm;
        out.steps.emplace_back("Shared memory: none is used, so it limits nothing.");
        return;
    }
    const int blocks = gpu.shared_bytes_per_sm / share.shared_bytes;
    out.blocks_allowed[index(Limiter::shared_memory)] = blocks;
    std::string reserved;
    if (gpu.reserved_shared_bytes_per_block > 0)
        reserved = fmt::format(" + {} reserved by the system", amount(gpu.reserved_shared_bytes_per_block));
    out.steps.push_back(fmt::format(
        "Shared memory: {} bytes{}, granted in steps of {}: {} per block; an SM has up to {}: {} {}.",
        amount(input.shared_bytes_per_block), reserved, gpu.shared_allocation_unit,
        amount(share.shared_bytes), amount(gpu.shared_bytes_per_sm), blocks,
        blocks == 1 ? "block" : "blocks"));
}

}  // namespace

std::string_view to_string(Limiter limiter) {
    switch (limiter) {
        case Limiter::warps:
            return "warps";
        case Limiter::blocks:
            return "blocks";
        case Limiter::registers:
            return "registers";
        case Limiter::shared_memory:
            return "shared memory";
    }
    return "";
}

bool is_limit(const Occupancy& occupancy, std::size_t resource) {
    return occupancy.blocks_allowed[resource] == std::ranges::min(occupancy.blocks_allowed);
}

std::string limiters_in_words(const Occupancy& occupancy) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < occupancy.blocks_allowed.size(); ++i)
        if (is_limit(occupancy, i)) names.push_back(to_string(static_cast<Limiter>(i)));
    std::string words(names.front());
    for (std::size_t i = 1; i < names.size(); ++i)
        words += fmt::format("{}{}", i + 1 == names.size() ? " and " : ", ", names[i]);
    return words;
}

Occupancy occupancy(const GpuSpec& gpu, const OccupancyInput& input) {
    Occupancy out;
    out.available = {gpu.max_warps_per_sm, gpu.max_blocks_per_sm, gpu.registers_per_sm,
                     gpu.shared_bytes_per_sm};
    const Share share = share_of_block(gpu, input);
    out.reason = why_impossible(gpu, input, share);
    if (share.warps == 0) return out;
    allow_by_warps(gpu, input, share, out);
    allow_by_blocks(gpu, out);
    allow_by_registers(gpu, input, share, out);
    allow_by_shared_memory(gpu, input, share, out);
    const auto least = std::min_element(out.blocks_allowed.begin(), out.blocks_allowed.end());
    out.limiter = static_cast<Limiter>(least - out.blocks_allowed.begin());
    if (!out.reason.empty()) return out;
    if (*least == 0) {
        out.reason = fmt::format("An SM of {} does not have enough {} for one block.", gpu.name,
                                 to_string(out.limiter));
        return out;
    }
    out.blocks_per_sm = *least;
    out.warps_per_sm = *least * share.warps;
    out.theoretical = double(out.warps_per_sm) / gpu.max_warps_per_sm;
    out.used = {out.warps_per_sm, *least, *least * share.registers, *least * share.shared_bytes};
    out.steps.push_back(fmt::format("The minimum is {} {}, by {}: {} of {} warps, {:.4g} % occupancy.",
                                    *least, *least == 1 ? "block" : "blocks", limiters_in_words(out),
                                    out.warps_per_sm, gpu.max_warps_per_sm, 100 * out.theoretical));
    return out;
}

std::vector<OccupancyPoint> occupancy_curve(const GpuSpec& gpu, OccupancyInput input, OccupancyKnob knob) {
    int* value = &input.threads_per_block;
    int first = warp_size;
    int last = gpu.max_threads_per_block;
    int step = warp_size;
    if (knob == OccupancyKnob::registers_per_thread) {
        value = &input.registers_per_thread;
        first = step = 1;
        last = gpu.max_registers_per_thread;
    } else if (knob == OccupancyKnob::shared_bytes_per_block) {
        value = &input.shared_bytes_per_block;
        first = 0;
        last = gpu.max_shared_bytes_per_block;
        step = 512;
    }
    std::vector<OccupancyPoint> curve;
    for (*value = first; *value <= last; *value += step) {
        curve.push_back({*value, occupancy(gpu, input).warps_per_sm});
    }
    return curve;
}

}  // namespace warplens::analysis
