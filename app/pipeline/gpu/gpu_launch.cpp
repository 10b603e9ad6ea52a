#include "app/pipeline/gpu/gpu_launch.h"

#include <algorithm>

#include "app/pipeline/kernel_code.h"
#include "core/image_words.h"
#include "instrumentation/catalog/arguments.h"

namespace warplens::app {

namespace instr = instrumentation;

namespace {

/// The recorder supports neither texture objects nor the instructions that read them.
tl::unexpected<Error> refuse_images(const std::string& kernel) {
    return fail(
        "{} is not recorded on a GPU: kernels with textures or surfaces are executed by the CPU engine "
        "alone (--engine simt)",
        kernel);
}

}  // namespace

Status check_gpu_takes(const instr::KernelFile& kernel) {
    if (!kernel.images.empty()) return refuse_images(kernel.name);
    return {};
}

Result<instr::GpuLaunch> gpu_launch(const LoadedLaunch& launch) {
    if (!launch.prepared.images.empty() || std::ranges::any_of(launch.program.sites, is_image, &Site::space))
        return refuse_images(launch.launch.kernel);
    if (launch.code->launches_grids())
        return fail(
            "{} is not recorded on a GPU: kernels that launch kernels need CUDA's device run-time, which is "
            "not linked to a recording; the CPU engine executes them (--engine simt)",
            launch.launch.kernel);
    instr::GpuLaunch gpu;
    gpu.ptx = launch.program.ptx;
    if (launch.built) {
        gpu.cubin = launch.built->cubin;
        gpu.target = launch.built->target;
    }
    gpu.entry = launch.program.entry;
    gpu.geometry = launch.launch.geometry;
    for (const instr::PreparedBuffer& buffer : launch.prepared.buffers)
        gpu.buffers.push_back({buffer.name, buffer.data});
    const std::vector<std::uint64_t> nowhere(gpu.buffers.size());
    WARPLENS_TRY(auto arguments,
                 instr::lay_out_arguments(launch.prepared, launch.program.parameters, nowhere));
    gpu.arguments = std::move(arguments);
    for (std::size_t i = 0; i < launch.prepared.arguments.size(); ++i) {
        if (const auto buffer = launch.prepared.arguments[i].buffer)
            gpu.pointers.push_back(
                {launch.program.parameters[i].offset, static_cast<std::uint32_t>(*buffer)});
    }
    return gpu;
}

}  // namespace warplens::app
