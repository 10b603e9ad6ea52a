// What a launch on the GPU left: where its buffers were, and its events and times.
#include <algorithm>
#include <optional>

#include "app/pipeline/gpu/recording.h"
#include "app/pipeline/gpu/recording_size.h"
#include "app/pipeline/gpu/register_limit.h"
#include "instrumentation/catalog/arguments.h"
#include "trace/fanout.h"
#include "trace/module_variables.h"

namespace warplens::app {

namespace instr = instrumentation;

void GpuLauncher::Recording::place(const instr::GpuRunResult& run) {
    if (placed_) launch_.launch.buffers.clear();
    placed_ = true;
    for (std::size_t i = 0; i < launch_.prepared.buffers.size(); ++i) {
        const instr::PreparedBuffer& buffer = launch_.prepared.buffers[i];
        const std::uint64_t base = i < run.buffer_addresses.size() ? run.buffer_addresses[i] : 0;
        launch_.launch.buffers.push_back(
            {buffer.name, buffer.element_type, buffer.element_bytes, base, buffer.data.size()});
    }
    launch_.launch.resources.registers_per_thread = static_cast<std::uint32_t>(run.clean.registers);
    launch_.launch.resources.shared_static_bytes = static_cast<std::uint32_t>(run.clean.shared_static_bytes);
    launch_.launch.resources.stack_bytes = static_cast<std::uint32_t>(run.clean.local_bytes);
    launch_.launch.resources.target = fmt::format("sm_{}{}", device_.compute_major, device_.compute_minor);
}

Status GpuLauncher::Recording::decode(Pass& pass, const instr::GpuVariantResult& result) {
    const instr::RecordingPlan& plan = pass.form->plan;
    std::vector<std::uint64_t> addresses;
    for (const trace::Buffer& buffer : launch_.launch.buffers) addresses.push_back(buffer.base);
    WARPLENS_TRY(auto arguments,
                 instr::lay_out_arguments(launch_.prepared, launch_.program.parameters, addresses));
    pass.read = {};
    pass.read.bytes = result.space;
    pass.read.parameter = result.parameter;
    pass.read.blocks = pass.blocks;
    pass.read.symbol_bases = instr::engine_symbol_bases(plan, launch_.program);
    pass.read.arguments = std::move(arguments);
    for (std::size_t i = 0; i < launch_.prepared.buffers.size(); ++i)
        pass.read.memory.push_back({addresses[i], launch_.prepared.buffers[i].data});
    std::optional<analysis::LaunchFold> fold;
    std::optional<trace::Recorder> recorder;
    std::optional<trace::Fanout> fanout;
    trace::Observer* observer = nullptr;
    if (pass.reported) {
        observer = &fold.emplace(launch_.program);
        if (options_.keep_trace) {
            recorder.emplace(launch_.launch, launch_.program, options_.kept);
            observer = &fanout.emplace(std::vector<trace::Observer*>{&*fold, &*recorder});
        }
    }
    WARPLENS_TRY(auto decoded,
                 instr::decode(plan, launch_.program, launch_.launch.geometry, pass.read, observer));
    pass.decoded = std::move(decoded);
    if (!pass.reported) return {};
    launch_.launch.variables = trace::module_variables(launch_.program, [&](const std::string& name) {
        const auto held = std::ranges::find(pass.decoded.variables, name, &instr::DeviceVariable::name);
        return held != pass.decoded.variables.end() ? std::optional(held->address) : std::nullopt;
    });
    reported_ = launch_.launch;
    report_ = std::make_shared<analysis::LaunchReport>(fold->report(reported_));
    if (recorder) trace_ = std::make_shared<trace::Trace>(recorder->take());
    return {};
}

bool GpuLauncher::Recording::mispredicted(Pass& pass, bool apart, bool full) {
    if (!pass.predicts || (!apart && !full)) return false;
    // Bounds checks are given up first, then loads.
    if (apart && seen_[pass.mode].apart > 0 && pass.replays_loads && pass.form->plan.replays_loads()) {
        replay_less(pass);
        return true;
    }
    pass.predicts = apart && ++seen_[pass.mode].apart < most_times_apart;
    return true;
}

void GpuLauncher::Recording::replay_less(Pass& pass) {
    const bool loads = pass.form->plan.replays_loads();
    (loads ? pass.replays_loads : pass.replays) = false;
    (loads ? seen_[pass.mode].loads_differ : seen_[pass.mode].replay_differs) = true;
}

/// The state of functions that the kernel calls is in local memory as well.
bool GpuLauncher::Recording::spills_by_limit(const Pass& pass, const instr::GpuRunResult& run,
                                             const instr::GpuVariantResult& result) {
    return !options_.live && most_registers(pass.mode) > 0 && !calls_functions(launch_.program) &&
           spills_more(static_cast<std::uint32_t>(result.kernel.local_bytes),
                       static_cast<std::uint32_t>(run.clean.local_bytes));
}

}  // namespace warplens::app
