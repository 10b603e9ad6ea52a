// Warp instructions of recorded forms, without a GPU: what ptxas makes of a form is executed at the machine
// level of the CPU engine, with a recording space among its buffers.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "app/pipeline/bind_images.h"
#include "app/pipeline/pipeline.h"
#include "instrumentation/catalog/arguments.h"
#include "instrumentation/rewrite/instrument.h"
#include "instrumentation/rewrite/recording_space.h"
#include "sass/cubin.h"
#include "simt/functional/engine.h"
#include "simt/functional/machine/machine.h"

namespace warplens {

/// Warp instructions that these blocks execute, those under a predicate that does not hold included. `plan`:
/// of the recorded form, whose last parameter says where it records; null: the kernel as it is.
inline Result<std::uint64_t> executed_instructions(app::LoadedLaunch& loaded, const sass::Cubin& cubin,
                                                   const instrumentation::RecordingPlan* plan,
                                                   const std::vector<std::uint64_t>& blocks) {
    namespace instr = instrumentation;
    WARPLENS_TRY(const auto kernel, simt::load_machine_code(cubin, loaded.program.entry));
    simt::GlobalMemory memory;
    std::vector<std::uint64_t> addresses;
    for (const instr::PreparedBuffer& buffer : loaded.prepared.buffers)
        addresses.push_back(memory.allocate(buffer.name, buffer.data));
    const auto& parameters = loaded.program.parameters;
    WARPLENS_TRY(auto arguments,
                 instr::lay_out_arguments(loaded.prepared, parameters, addresses,
                                          app::bind_images(loaded.prepared, addresses, memory)));
    if (plan != nullptr) {
        const LaunchGeometry& geometry = loaded.launch.geometry;
        constexpr std::uint32_t pool = 64;
        instr::SpaceParameter parameter;
        parameter.base = 0x1'0000'0000;  // below the engine's buffers
        parameter.chunk_units = plan->min_chunk_units;
        parameter.slabs = static_cast<std::uint32_t>(geometry.blocks() *
                                                     static_cast<std::uint64_t>(geometry.warps_per_block()));
        parameter.chunks = 1 + parameter.slabs + pool;
        if (!addresses.empty()) parameter.address_high = static_cast<std::uint32_t>(addresses.front() >> 32);
        std::vector<std::byte> space(
            instr::chunk_offset(parameter.chunks, parameter.chunk_units, plan->symbols.size()));
        instr::SpaceHead head;
        head.next_chunk = 1 + parameter.slabs;
        std::memcpy(space.data(), &head, sizeof head);
        if (auto status = memory.allocate_at(parameter.base, "recording space", std::move(space)); !status)
            return tl::unexpected(status.error());
        std::size_t at = parameters.empty() ? 0 : parameters.back().offset + parameters.back().bytes;
        at = (at + 7) / 8 * 8;
        arguments.resize(at + sizeof parameter);
        std::memcpy(arguments.data() + at, &parameter, sizeof parameter);
    }
    simt::RunOptions how;
    how.blocks = blocks;
    const auto result = simt::run(*kernel, loaded.launch.geometry, arguments, memory, how, nullptr);
    for (const Problem& problem : result.problems) return fail("{}", problem.message);
    if (!result.completed) return fail("the run did not complete");
    return result.steps;
}

}  // namespace warplens
