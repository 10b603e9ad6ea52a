#include "app/pipeline/gpu/shown_launch.h"

#include <array>
#include <string_view>

#include "core/lane_mask.h"

namespace warplens::app {

namespace instr = instrumentation;

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

/// One number for each lane: the blocks that it visited, one after the other.
std::array<std::uint32_t, warp_size> ways_of(const instr::Decoded& decoded, const trace::MeasuredWarp& warp) {
    constexpr std::uint32_t factor = 0x85EBCA77u;
    std::array<std::uint32_t, warp_size> ways{};
    for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
        const trace::MeasuredVisit& visit = decoded.visits[i];
        for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
            const std::uint32_t next = (ways[lane] ^ (visit.basic_block + 1)) * factor;
            ways[lane] = (visit.active >> lane & 1u) != 0 ? next ^ (next >> 15) : ways[lane];
        }
    }
    return ways;
}

}  // namespace

ShownLaunch shown_launch(const LaunchGeometry& geometry, const instr::ReadBack& read,
                         const instr::Decoded& decoded) {
    ShownLaunch shown;
    for (const Dim3& extents : {geometry.grid, geometry.block, geometry.cluster})
        for (const std::uint32_t extent : {extents.x, extents.y, extents.z})
            shown.arguments = mixed(shown.arguments, extent);
    shown.arguments = mixed(shown.arguments, geometry.dynamic_shared_bytes);
    for (const std::byte byte : read.arguments)
        shown.arguments = mixed(shown.arguments, std::to_integer<std::uint64_t>(byte));
    for (const std::uint64_t block : read.blocks) shown.arguments = mixed(shown.arguments, block);
    for (const trace::MeasuredWarp& warp : decoded.warps) {
        shown.ways = mixed(mixed(shown.ways, warp.block), warp.warp);
        for (const std::uint32_t way : ways_of(decoded, warp)) shown.ways = mixed(shown.ways, way);
    }
    return shown;
}

}  // namespace warplens::app
