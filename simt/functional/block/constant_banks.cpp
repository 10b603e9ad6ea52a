#include "simt/functional/block/constant_banks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "core/cluster.h"
#include "simt/functional/memory/memory_access.h"

namespace warplens::simt {

namespace {

enum class Holds : u8 {
    block,
    grid,
    cluster,
    clusters,         // of the grid, in each dimension
    cluster_inverse,  // 1 / blocks of a cluster, single precision
    cluster_blocks,
    explicit_cluster,
    local_window,     // the generic address of local memory
    constant_window,  // the generic address of constant bank 3
    stack,            // where a thread's stack begins: it grows downwards
    dynamic_shared,
    grid_id,
    sm_count,
    workspace,   // of a cooperative grid: the upper half of its address, then the lower
    descriptor,  // of global memory, which the engine does not need
};

struct LaunchConstant {
    u32 at;  // in bank 0, bytes
    Holds holds;
};

// As the code that ptxas 13.0 makes of %ntid, %nctaid, %cluster_nctaid, %envreg1 and so on reads them.
constexpr LaunchConstant until_ada[] = {
    {0x00, Holds::block},           {0x0c, Holds::grid},           {0x20, Holds::local_window},
    {0x28, Holds::stack},           {0x2c, Holds::dynamic_shared}, {0x30, Holds::grid_id},
    {0x50, Holds::constant_window}, {0x8c, Holds::workspace},      {0x10c, Holds::sm_count},
    {0x118, Holds::descriptor},
};
constexpr LaunchConstant hopper[] = {
    {0x00, Holds::block},          {0x0c, Holds::grid},
    {0x20, Holds::local_window},   {0x28, Holds::stack},
    {0x2c, Holds::dynamic_shared}, {0x30, Holds::grid_id},
    {0x44, Holds::workspace},      {0xd0, Holds::constant_window},
    {0x10c, Holds::sm_count},      {0x140, Holds::explicit_cluster},
    {0x144, Holds::cluster},       {0x150, Holds::cluster_inverse},
    {0x15c, Holds::clusters},      {0x188, Holds::cluster_blocks},
    {0x208, Holds::descriptor},
};
/// Those from 0x250 to 0x2cf are there several times, 0xa0 bytes apart; SR_CgaSize says which copy is the
/// launch's. The engine has one, which is the first.
constexpr LaunchConstant since_blackwell[] = {
    {0x120, Holds::constant_window},  {0x140, Holds::grid_id},        {0x254, Holds::workspace},
    {0x2a0, Holds::cluster},          {0x2ac, Holds::dynamic_shared}, {0x2b0, Holds::cluster_inverse},
    {0x2c0, Holds::clusters},         {0x2cc, Holds::cluster_blocks}, {0x2d0, Holds::sm_count},
    {0x2f8, Holds::local_window},     {0x358, Holds::descriptor},     {0x360, Holds::block},
    {0x36c, Holds::explicit_cluster}, {0x370, Holds::grid},           {0x37c, Holds::stack},
};

std::span<const LaunchConstant> constants_of(int sm) {
    if (sm < 90) return until_ada;
    return sm < 100 ? std::span<const LaunchConstant>(hopper) : since_blackwell;
}

u32 lower_half(u64 value) { return static_cast<u32>(value); }
u32 upper_half(u64 value) { return static_cast<u32>(value >> 32); }
u32 inverse(u64 of) { return std::bit_cast<u32>(1.0f / static_cast<float>(of)); }

std::vector<u32> words_of(const Dim3& extent) {
    return {lower_half(extent.x), lower_half(extent.y), lower_half(extent.z)};
}

std::vector<u32> words_of(Holds what, const LaunchState& state) {
    const LaunchGeometry& geometry = state.geometry;
    switch (what) {
        case Holds::block:
            return words_of(geometry.block);
        case Holds::grid:
            return words_of(geometry.grid);
        case Holds::cluster:
            return words_of(geometry.cluster);
        case Holds::clusters:
            return words_of(clusters_of(geometry));
        case Holds::cluster_inverse:
            return {inverse(geometry.cluster.x), inverse(geometry.cluster.y), inverse(geometry.cluster.z)};
        case Holds::cluster_blocks:
            return {lower_half(geometry.cluster.count())};
        case Holds::explicit_cluster:
            return {u32{geometry.cluster.count() > 1}};
        case Holds::local_window:
            return {lower_half(local_window), upper_half(local_window)};
        case Holds::constant_window:
            return {lower_half(constant_window), upper_half(constant_window)};
        case Holds::stack:
            return {state.local_bytes};
        case Holds::dynamic_shared:
            return {lower_half(geometry.dynamic_shared_bytes)};
        case Holds::sm_count:
            return {1};  // the engine's machine has one, as %nsmid says
        case Holds::workspace:
            return {upper_half(state.grid_workspace), lower_half(state.grid_workspace)};
        case Holds::grid_id:
        case Holds::descriptor:
            break;
    }
    return {0, 0};
}

}  // namespace

bool executes_target(int sm) { return sm >= 75 && sm <= 121; }

bool knows_launch_constant(int sm, u32 offset) {
    static const LaunchState any;  // how many words there are does not depend on the launch
    return std::ranges::any_of(constants_of(sm), [&](const LaunchConstant& constant) {
        const u64 end = constant.at + 4 * words_of(constant.holds, any).size();
        return offset >= constant.at && offset < end;
    });
}

u32 place_of_constant_window(int sm) {
    return std::ranges::find(constants_of(sm), Holds::constant_window, &LaunchConstant::holds)->at;
}

void fill_constant_banks(LaunchState& state) {
    const MachineLayout& machine = *state.kernel->machine;
    state.banks = machine.images;
    std::vector<std::byte>& launch = state.banks[0];
    launch.assign(machine.parameter_base, std::byte{0});
    for (const LaunchConstant& constant : constants_of(machine.sm)) {
        const std::vector<u32> words = words_of(constant.holds, state);
        const u64 end = constant.at + 4 * words.size();
        if (launch.size() < end) launch.resize(end);
        std::memcpy(launch.data() + constant.at, words.data(), 4 * words.size());
    }
    launch.resize(machine.parameter_base);
    launch.insert(launch.end(), state.arguments->begin(), state.arguments->end());
}

}  // namespace warplens::simt
