#include "app/gpu/gpu_launch.h"

#include "instrumentation/catalog/arguments.h"

namespace warplens::app {

namespace instr = instrumentation;

Result<instr::GpuLaunch> gpu_launch(const LoadedLaunch& launch) {
    instr::GpuLaunch gpu;
    gpu.ptx = launch.program.ptx;
    gpu.entry = launch.program.entry;
    gpu.geometry = launch.launch.geometry;
    for (const instr::PreparedBuffer& buffer : launch.prepared.buffers)
        gpu.buffers.push_back({buffer.name, buffer.data});
    const std::vector<std::uint64_t> nowhere(gpu.buffers.size());
    auto arguments = instr::lay_out_arguments(launch.prepared, launch.program.parameters, nowhere);
    if (!arguments) return tl::unexpected(arguments.error());
    gpu.arguments = std::move(*arguments);
    for (std::size_t i = 0; i < launch.prepared.arguments.size(); ++i) {
        if (const auto buffer = launch.prepared.arguments[i].buffer)
            gpu.pointers.push_back(
                {launch.program.parameters[i].offset, static_cast<std::uint32_t>(*buffer)});
    }
    return gpu;
}

}  // namespace warplens::app
