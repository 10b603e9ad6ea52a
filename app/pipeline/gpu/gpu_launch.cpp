#include "app/pipeline/gpu/gpu_launch.h"

#include <algorithm>

#include "app/pipeline/kernel_code.h"
#include "core/image_words.h"
#include "core/variable_contents.h"
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

/// A variable of the module that holds something else than its initializer; empty: none does.
std::string given_variable(const LoadedLaunch& launch) {
    const instr::KernelFile& kernel = *launch.kernel;
    for (const Variable& variable : launch.program.variables) {
        const bool initialised = std::ranges::any_of(
            kernel.initializers, [&](const auto& one) { return is_variable(variable.name, one.first); });
        if (const auto* const given = contents_of(variable.name, kernel.variables); given && !initialised)
            return given->name;
    }
    return {};
}

}  // namespace

Status check_gpu_takes(const instr::KernelFile& kernel) {
    if (!kernel.images.empty()) return refuse_images(kernel.name);
    if (kernel.linked)
        return fail(
            "{} is not recorded on a GPU: memory that the program has filled holds addresses, which only the "
            "CPU engine can keep (--engine simt)",
            kernel.name);
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
    if (const std::string variable = given_variable(launch); !variable.empty())
        return fail(
            "{} is not recorded on a GPU: what the program has put into `{}` can be given to the CPU engine "
            "alone (--engine simt)",
            launch.launch.kernel, variable);
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
        const instr::PreparedArgument& argument = launch.prepared.arguments[i];
        const std::uint32_t offset = launch.program.parameters[i].offset;
        if (argument.buffer) gpu.pointers.push_back({offset, static_cast<std::uint32_t>(*argument.buffer)});
        if (!argument.structure) continue;
        for (const instr::PreparedMember& member : argument.structure->members)
            if (member.buffer)
                gpu.pointers.push_back({offset + member.offset, static_cast<std::uint32_t>(*member.buffer)});
    }
    return gpu;
}

}  // namespace warplens::app
