// What a launch on the GPU left: where its buffers were, and its events and times.
#include <algorithm>
#include <optional>

#include "app/pipeline/gpu/measured_of.h"
#include "app/pipeline/gpu/recording.h"
#include "app/pipeline/gpu/recording_size.h"
#include "app/pipeline/gpu/register_limit.h"
#include "instrumentation/catalog/arguments.h"
#include "instrumentation/rewrite/recording_space.h"
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

instr::GpuResult<void> GpuLauncher::Recording::take(Pass& pass, const instr::GpuRunResult& run,
                                                    const instr::GpuVariantResult& result) {
    if (pass.slabs && result.parameter.slabs == 0) {
        pass.slabs = false;  // less room than requested, which the code must know
        return {};
    }
    if (auto status = decode(pass, result); !status)
        return tl::unexpected(instr::GpuFailure{instr::GpuFailure::Kind::protocol, status.error().message});
    const instr::Decoded& decoded = pass.decoded;
    // Records that cannot be read may be what a wrong prediction left.
    const bool full = decoded.slabs_full, apart = decoded.warps_apart || !decoded.damaged.empty();
    if (mispredicted(pass, apart && !full, full)) return {};
    if (full) {
        // Launches that do not do the same need different room.
        Seen& seen = seen_[pass.mode];
        const bool sized = seen.lane_room.lane_units + seen.lane_room.value_words > 0;
        if (sized && seen.part_growth < most_part_growth) seen.part_growth *= 2;
        else pass.parts = false;
        return {};
    }
    if (left_out_too_much(pass)) return {};
    pass.perturbation = perturbation_of(pass.mode, run.clean, options_.repeats, result, decoded);
    if (!decoded.warps.empty()) {
        seen_[pass.mode].units_a_warp = units_a_warp(pass.form->plan, decoded);
        add_parting_checks(pass.form->plan, decoded, seen_[pass.mode].parting);
        if (pass.form->plan.predicted > 0 || pass.form->plan.lane_units > 0 || !pass.parts)
            seen_[pass.mode].lane_room =
                lane_room(pass.form->plan, launch_.program, decoded, warps(pass.blocks), pass.most_bytes / 4);
    }
    pass.done = true;
    if ((decoded.outside_narrow && pass.narrow) || decoded.replay_differs) {
        pass.narrow &= !decoded.outside_narrow;
        if (decoded.replay_differs) replay_less(pass);
        pass.done = false;
        return {};
    }
    show_addresses(pass);
    const bool resizes = pass.mode != instr::RecordMode::full && !pass.resized && takes_many_chunks(result);
    const bool improves =
        decoded.dropped_records == 0 && pass.may_predict && pass.form->plan.predicted > 0 && !options_.live;
    if (resizes || (improves && seen_[pass.mode].apart < most_times_apart)) {
        pass.resized = pass.resized || resizes;
        pass.done = !resizes && !pass.slabs;
        if (!pass.done) return {};
    }
    if (spills_by_limit(pass, run, result)) {
        ++seen_[pass.mode].spills;
        pass.done = false;
        return {};
    }
    if (takes_more_registers(pass, run, result)) {
        seen_[pass.mode].few_registers = true;
        pass.done = false;
        return {};
    }
    const LaneRoom& room = seen_[pass.mode].lane_room;
    if (!pass.parts && decoded.dropped_records == 0 && room.lane_units + room.value_words > 0 &&
        !std::exchange(pass.parts_resized, true)) {
        pass.parts = true;
        pass.done = false;
        return {};
    }
    if (decoded.dropped_records == 0) return {};
    const std::uint64_t enough = decoded.enough_bytes + decoded.enough_bytes / 8;
    pass.given_bytes = std::min(
        pass.given_bytes, instr::chunk_offset(std::max(result.parameter.chunks, 1u),
                                              result.parameter.chunk_units, pass.form->plan.symbols.size()));
    if (pass.given_bytes < pass.most_bytes && enough > pass.given_bytes) {
        pass.enough_bytes = enough;
        pass.done = false;
    }
    return {};
}

void GpuLauncher::Recording::show_addresses(Pass& pass) {
    Seen& seen = seen_[pass.mode];
    if (pass.leaves_out || seen.ways_differ || !pass.form->plan.hashes_addresses ||
        pass.decoded.dropped_records > 0 || pass.decoded.left_out() > 0)
        return;
    seen.shown = shown_launch(launch_.launch.geometry, pass.read, pass.decoded);
    if (pass.mode != instr::RecordMode::proof) return;  // else the CPU engine has still to be asked
    auto shows = std::make_shared<Shows>();
    const std::size_t head = instr::head_bytes(pass.form->plan.symbols.size());
    const auto bytes = pass.read.bytes.first(std::min(head, pass.read.bytes.size()));
    shows->form = pass.form;
    shows->bytes.assign(bytes.begin(), bytes.end());
    shows->read.bytes = shows->bytes;
    shows->read.symbol_bases = pass.read.symbol_bases;
    shows->decoded.warps = pass.decoded.warps;
    shows->decoded.hashes = pass.decoded.hashes;
    pass.shows = std::move(shows);
}

bool GpuLauncher::Recording::left_out_too_much(Pass& pass) {
    if (!pass.leaves_out) return false;
    Seen& seen = seen_[pass.mode];
    const ShownLaunch now = shown_launch(launch_.launch.geometry, pass.read, pass.decoded);
    if (seen.shown == now) return false;
    seen.ways_differ |= seen.shown && seen.shown->arguments == now.arguments;
    seen.shown.reset();
    return true;
}

bool GpuLauncher::Recording::mispredicted(Pass& pass, bool apart, bool full) {
    if (!pass.predicts || (!apart && !full)) return false;
    // Launches that go different ways need different room.
    if (!apart && !std::exchange(seen_[pass.mode].needs_more_room, true)) return true;
    // That warps leave at once is given up first, then bounds checks, then loads.
    Seen& seen = seen_[pass.mode];
    if (apart && pass.form->plan.leaves_at_once() && !std::exchange(seen.parts_elsewhere, true)) return true;
    if (apart && seen.apart >= times_apart_with_bounds && pass.replays_loads &&
        pass.form->plan.replays_loads()) {
        replay_less(pass);
        return true;
    }
    pass.predicts = apart;
    if (!apart) return true;
    // Where no bounds check parts a warp, or each does, there is nothing between relying on all and on none.
    const auto checks = std::ranges::count_if(pass.form->plan.blocks, &instr::BlockPlan::checks_bounds);
    const bool some = !seen.parting.empty() && std::cmp_less(seen.parting.size(), checks);
    seen.apart += seen.apart == 0 && !some ? 2 : 1;
    pass.predicts = seen.apart < most_times_apart;
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

bool GpuLauncher::Recording::takes_more_registers(const Pass& pass, const instr::GpuRunResult& run,
                                                  const instr::GpuVariantResult& result) {
    return !options_.live && pass.mode == instr::RecordMode::light && !seen_[pass.mode].few_registers &&
           run.driver_assembles.empty() && most_registers(pass.mode) > 0 &&
           result.kernel.registers > run.clean.registers + static_cast<int>(most_more_registers);
}

}  // namespace warplens::app
