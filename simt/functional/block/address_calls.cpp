// Calls of machine code by address, of functions that CUDA provides (vprintf and its like). Their code is not
// in the cubin: the engine does what they do for the arguments in registers, and the lanes go on where the
// caller's return address says.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/functional/block/block_runner.h"

namespace warplens::simt {

namespace {

/// Of one register, 4 bytes per lane.
constexpr u32 register_row_bytes = warp_size * 4;

void pass_arguments(Warp& warp, const ProvidedFunction& function, const CallSite& call, u32 lanes) {
    for_each_lane({lanes}, [&](int lane) {
        std::byte* const params = warp.params + static_cast<u32>(lane) * warp.param_bytes;
        for (std::size_t i = 0; i < call.arguments.size(); ++i)
            for (u32 at = 0; at < call.arguments[i].bytes; at += 4)
                std::memcpy(params + call.arguments[i].from + at,
                            row<const u32>(warp, function.arguments[i] + at / 4 * register_row_bytes) + lane,
                            4);
    });
}

void take_results(Warp& warp, const ProvidedFunction& function, const CallSite& call, u32 lanes) {
    for_each_lane({lanes}, [&](int lane) {
        const std::byte* const params = warp.params + static_cast<u32>(lane) * warp.param_bytes;
        for (const CopiedParameter& result : call.results)
            for (u32 at = 0; at < result.bytes; at += 4)
                std::memcpy(row<u32>(warp, function.result + at / 4 * register_row_bytes) + lane,
                            params + result.to + at, 4);
    });
}

}  // namespace

/// Lanes with the same address call together, those of the lowest lane first.
void BlockRunner::call_address(Warp& warp, const DecodedBlock& block, Group& group) {
    const MachineLayout& machine = *kernel().machine;
    const u32 *lower = row<const u32>(warp, block.table_index),
              *upper = row<const u32>(warp, block.table_index + register_row_bytes);
    const auto to = [&](int lane) { return (u64{upper[lane]} << 32 | lower[lane]) + block.offset; };
    u32 calling = guarded_lanes(warp, block, group.mask);
    group = {block.next, group.mask & ~calling, group.frame, group.yielded};
    u32 returning = 0;
    while (calling != 0) {
        const u64 address = to(std::countr_zero(calling));
        u32 lanes = 0;
        for_each_lane({calling}, [&](int lane) { lanes |= u32{to(lane) == address} << lane; });
        calling &= ~lanes;
        const auto function = std::ranges::find(machine.provided, address, &ProvidedFunction::address);
        if (function == machine.provided.end()) {
            report(warp, block.control_site, lanes, ProblemKind::out_of_bounds, address,
                   fmt::format("calls {:#x}, which is not the address of a function that CUDA provides",
                               address));
            exit_lanes(warp, lanes);
            continue;
        }
        const CallSite& call = kernel().calls[function->call];
        pass_arguments(warp, *function, call, lanes);
        call_provided(warp, call, block.control_site, lanes);
        take_results(warp, *function, call, lanes);
        if (call.callee != Callee::assertion) returning |= lanes;
    }
    jump_lanes(warp, block, group, returning, machine.return_address, 0);
}

}  // namespace warplens::simt
