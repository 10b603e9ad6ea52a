#include "app/pipeline/gpu/recording.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "app/pipeline/gpu/gpu_launch.h"
#include "app/pipeline/gpu/measured_of.h"
#include "app/pipeline/gpu/prove_addresses.h"
#include "app/pipeline/gpu/record_activities.h"
#include "app/pipeline/gpu/recording_size.h"
#include "app/pipeline/gpu/register_limit.h"
#include "app/pipeline/launch_run.h"
#include "instrumentation/compile/shipped_ptx.h"
#include "instrumentation/device/protocol.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::app {

namespace instr = instrumentation;
using instr::GpuFailure;
using instr::GpuResult;
using instr::RecordMode;

namespace {

constexpr int most_attempts =
    14;  // for wide addresses, sizes, ways, three predictions, none, loads, room, again

tl::unexpected<GpuFailure> failed(GpuFailure::Kind kind, std::string message) {
    return tl::unexpected(GpuFailure{kind, std::move(message)});
}

}  // namespace

GpuLauncher::Recording::Recording(GpuLauncher& launcher, LoadedLaunch launch,
                                  const GpuRecordOptions& gpu_options, instr::DeviceFacts device)
    : launcher_(launcher), launch_(std::move(launch)), options_(gpu_options), device_(std::move(device)) {
    code_key_ = instr::source_hash(launch_.program.ptx) + " " + launch_.program.entry;
    seen_ = launcher_.seen(code_key_);
    if (seen_.empty() && options_.live) seen_ = launcher_.written_by(kernel_key());
    if (const GpuSpec* spec = spec_of(device_)) launch_.gpu = spec;
    launch_.launch.gpu = std::string(launch_.gpu->name);
    launch_.launch.engine = "cuda";
    launch_.launch.provenance = Provenance::measured;
}

GpuLauncher::Recording::Pass GpuLauncher::Recording::pass(RecordMode mode,
                                                          const std::vector<std::uint64_t>& blocks,
                                                          bool reported) {
    Pass pass;
    pass.mode = mode;
    pass.blocks = blocks;
    pass.reported = reported;
    const std::uint64_t free = device_.free_bytes / 10 * 8;
    pass.replays = !seen_[mode].replay_differs;
    pass.replays_loads = !seen_[mode].loads_differ;
    pass.slabs = options_.sms.empty();
    pass.may_predict = options_.predict_whole;
    pass.most_bytes = free ? std::min(options_.most_space_bytes, free) : options_.most_space_bytes;
    return pass;
}

std::vector<GpuLauncher::Recording::Pass> GpuLauncher::Recording::passes() {
    switch (options_.mode) {
        case RecordMode::light:
            return {pass(RecordMode::light, options_.blocks, true)};
        case RecordMode::proof:
            return {pass(RecordMode::proof, options_.blocks, false)};
        case RecordMode::full:
            break;
    }
    const bool whole = times_the_whole_grid();
    return {pass(RecordMode::light,
                 whole                    ? std::vector<std::uint64_t>{}
                 : options_.timed.empty() ? options_.blocks
                                          : options_.timed,
                 false),
            pass(RecordMode::full, options_.blocks, true)};
}

std::uint64_t GpuLauncher::Recording::warps(const std::vector<std::uint64_t>& blocks) const {
    const LaunchGeometry& geometry = launch_.launch.geometry;
    return static_cast<std::uint64_t>(geometry.warps_per_block()) *
           (blocks.empty() ? geometry.blocks() : blocks.size());
}

std::uint32_t GpuLauncher::Recording::most_registers(RecordMode mode) {
    return register_limit(mode, launch_.launch, *launch_.gpu, options_.live, seen_[mode].spills);
}

/// As much as the last launch took, or several times as much.
LaneRoom GpuLauncher::Recording::room_for(const Seen& seen, const Pass& pass) const {
    LaneRoom room = seen.lane_room;
    if (!seen.needs_more_room) return room;
    const std::uint64_t rows =
        pass.most_bytes / 4 / (4 * warp_size) / std::max<std::uint64_t>(warps(pass.blocks), 1);
    const auto more = [&](std::uint32_t& words) {
        if (words * more_room <= rows) words *= more_room;
    };
    more(room.log_words);
    more(room.value_words);
    room.log_bits = room.tally_bits = 0;  // not packed
    room.pass_bits = 0;                   // each pass has its bit
    return room;
}

Result<InstrumentCache::Form> GpuLauncher::Recording::form(const Pass& pass, bool has_slabs) {
    instr::InstrumentOptions how;
    how.mode = pass.mode;
    how.narrow = pass.narrow;
    how.predict_whole = pass.predicts && has_slabs;
    how.replay = pass.replays && has_slabs;
    how.replay_loads = how.replay && pass.replays_loads;
    how.shown = how.replay && pass.leaves_out;
    if (how.predict_whole) {
        const LaneRoom room = room_for(seen_[pass.mode], pass);
        how.log_words = room.log_words;
        how.log_bits = room.log_bits;
        how.tally_bits = room.tally_bits;
        how.pass_bits = room.pass_bits;
        how.value_words = room.value_words;
        const Seen& seen = seen_[pass.mode];
        how.predict_bounds = seen.apart < times_apart_with_bounds;
        how.predict_parting = seen.apart == 0;
        how.parting = seen.parting;
        how.leave_at_once = how.predict_bounds && !seen.parts_elsewhere;
    }
    if (has_slabs && pass.parts) {
        const LaneRoom room = with_more_parts(seen_[pass.mode].lane_room, seen_[pass.mode].part_growth,
                                              warps(pass.blocks), pass.most_bytes / 4);
        // While knobs turn, columns would be one form more that has to be assembled.
        const bool columns = how.predict_whole || !options_.live;
        how.lane_units = columns ? room.lane_units : room.lane_units_with_values;
        if (columns && !how.predict_whole) how.value_words = room.value_words;
        if (!seen_[pass.mode].units_a_warp)
            how.lane_units = lane_units_unseen(launch_.program, warps(pass.blocks), pass.most_bytes / 4);
    }
    how.shared_bytes = static_cast<std::uint32_t>(launch_.code->static_shared_bytes() +
                                                  launch_.launch.geometry.dynamic_shared_bytes);
    how.launch = instr::KnownLaunch{.geometry = launch_.launch.geometry,
                                    .exact_block = !options_.live,
                                    .selects_blocks = !pass.blocks.empty(),
                                    .selects_sms = !options_.sms.empty(),
                                    .has_slabs = has_slabs};
    how.max_registers = most_registers(pass.mode);
    how.cold_in_place = launcher_.gpu_.lowest_first;
    return launcher_.forms_.get(code_key_, *launch_.module, launch_.program.entry, how);
}

Result<instr::GpuVariant> GpuLauncher::Recording::variant(Pass& pass) {
    std::optional<UnitsAWarp> seen = seen_[pass.mode].units_a_warp;
    if (seen) predict(pass);
    if (seen && pass.predicts && seen_[pass.mode].needs_more_room) seen->most *= more_room;
    pass.leaves_out = pass.predicts && pass.replays && seen_[pass.mode].shown;
    auto made = form(pass, pass.slabs);
    if (!made) return tl::unexpected(made.error());
    pass.form = std::move(*made);
    const RecordingSize size =
        recording_size(pass.form->plan, warps(pass.blocks), seen, pass.most_bytes, pass.predicts);
    instr::GpuVariant variant;
    variant.mode = pass.mode;
    variant.chunk_units = size.chunk_units;
    variant.space_bytes = std::clamp(pass.enough_bytes, size.space_bytes, pass.most_bytes);
    variant.symbols = static_cast<std::uint32_t>(pass.form->plan.symbols.size());
    variant.blocks = pass.blocks;
    variant.sms = options_.sms;
    if (pass.slabs && instr::chunk_offset(warps(pass.blocks) + 2, variant.chunk_units, variant.symbols) >
                          variant.space_bytes) {
        pass.slabs = pass.leaves_out = false;
        made = form(pass, false);
        if (!made) return tl::unexpected(made.error());
        pass.form = std::move(*made);
    }
    variant.ptx = pass.form->ptx;
    variant.few_registers = seen_[pass.mode].few_registers;
    pass.given_bytes = variant.space_bytes;
    return variant;
}

Result<std::vector<instr::GpuVariant>> GpuLauncher::Recording::variants(const std::vector<Pass*>& passes) {
    std::vector<instr::GpuVariant> made;
    for (Pass* const pass : passes) {
        WARPLENS_TRY(auto one, variant(*pass));
        made.push_back(std::move(one));
    }
    return made;
}

void GpuLauncher::Recording::prepare() {
    const auto gpu = gpu_launch(launch_);
    if (!gpu) return;
    std::vector<Pass> all = passes();
    std::vector<Pass*> open;
    for (Pass& pass : all) open.push_back(&pass);
    const auto made = variants(open);
    if (made) launcher_.gpu_.assemble(device_, *gpu, *made, options_.cancelled);
}

void GpuLauncher::Recording::predict(Pass& pass) {
    // While knobs turn, one form more would have to be assembled.
    if (options_.live || !pass.slabs || seen_[pass.mode].apart >= most_times_apart) return;
    pass.predicts = pass.predicts || std::exchange(pass.may_predict, false);
}

void GpuLauncher::Recording::check_golden(const instr::GpuRunResult& run) {
    if (!options_.check_golden || launch_.kernel->golden.empty() ||
        run.buffers.size() != launch_.prepared.buffers.size())
        return;
    std::vector<const std::byte*> results;
    for (const auto& buffer : run.buffers) results.push_back(buffer.data());
    golden_ = golden_words(instr::check_golden(*launch_.kernel, launch_.prepared, results));
}

/// Runs the passes until each is completely recorded, or until no further try would help.
GpuResult<void> GpuLauncher::Recording::run(std::vector<Pass>& passes) {
    auto gpu = gpu_launch(launch_);
    if (!gpu) return failed(GpuFailure::Kind::launch_refused, gpu.error().message);
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        std::vector<Pass*> open;
        for (Pass& pass : passes)
            if (!pass.done) open.push_back(&pass);
        if (open.empty()) break;
        const auto made = variants(open);
        if (!made) return failed(GpuFailure::Kind::load_failed, made.error().message);
        instr::GpuRunOptions options;
        options.repeats = options_.repeats;
        options.caches = options_.caches;
        options.time_limit_s = options_.time_limit_s;
        options.read_buffers =
            options_.keep_results || (options_.check_golden && !launch_.kernel->golden.empty());
        options.cancelled = options_.cancelled;
        const auto answer = launcher_.gpu_.run(*gpu, *made, options);
        // Lanes that were taken for whole warps may wait for each other, or leave what they do not own.
        if (!answer && was_given_up(answer.error()) &&
            std::ranges::any_of(open, [&](Pass* pass) { return mispredicted(*pass, true, false); }))
            continue;
        WARPLENS_TRY(const auto run, answer);
        if (run.variants.size() != made->size() ||
            run.buffer_addresses.size() != launch_.prepared.buffers.size())
            return failed(GpuFailure::Kind::protocol,
                          "the GPU's child process answered with other buffers or recordings than requested");
        place(run);
        if (options_.live && !run.driver_assembles.empty() && !std::exchange(launcher_.said_slow_, true))
            notes_.push_back(fmt::format(
                "A changed kernel takes longer to appear: the driver assembles its forms, one after "
                "another, because {}.",
                run.driver_assembles));
        for (std::size_t i = 0; i < open.size(); ++i) WARPLENS_TRY(take(*open[i], run, run.variants[i]));
        check_golden(run);
        if (options_.keep_results) results_.assign(run.buffers.begin(), run.buffers.end());
    }
    for (const Pass& pass : passes) {
        const std::string_view mode = name_of(pass.mode);
        if (pass.decoded.dropped_records > 0)
            notes_.push_back(fmt::format(
                "{} recording lost {} records for want of room: {} MiB would have been enough, {} MiB were "
                "given; limit the recording with --blocks",
                mode, pass.decoded.dropped_records, (pass.decoded.enough_bytes >> 20) + 1,
                pass.given_bytes >> 20));
        else if (const std::size_t lost = pass.decoded.left_out(); lost > 0)
            notes_.push_back(fmt::format(
                "{} recording: {} blocks are left out because their records are invalid; the first: {}", mode,
                lost, pass.decoded.first_damage));
    }
    return {};
}

GpuResult<bool> GpuLauncher::Recording::prove(const Pass& pass) {
    if (launch_.launch.geometry.cluster.count() > 1) {
        notes_.push_back(
            "addresses in the shared memory of clusters are not proven; every address was recorded instead");
        return false;
    }
    if (const std::size_t unknown = pass.decoded.left_out(); unknown > 0) {
        notes_.push_back(fmt::format("{} blocks' hashes are unknown; addresses were recorded", unknown));
        return false;
    }
    std::vector<HashedRecording> recordings;
    if (pass.leaves_out && pass.shows)
        recordings.push_back({&pass.shows->form->plan, &pass.shows->read, &pass.shows->decoded});
    if (pass.form->plan.hashes_addresses) recordings.push_back({&pass.form->plan, &pass.read, &pass.decoded});
    auto proof = prove_addresses(launch_, recordings, options_);
    if (!proof) return failed(GpuFailure::Kind::protocol, proof.error().message);
    if (!proof->differs.empty()) {
        seen_[pass.mode].shown.reset();
        notes_.push_back(proof->differs + "; every address was recorded instead");
        return false;
    }
    reported_ = launch_.launch;
    report_ = std::move(proof->report);
    trace_ = std::move(proof->trace);
    return true;
}

GpuResult<GpuRecorded> GpuLauncher::Recording::record() {
    std::vector<Pass> all = passes();
    WARPLENS_TRY(run(all));
    std::string addresses = options_.mode == RecordMode::light ? "" : "recorded";
    if (options_.mode == RecordMode::proof) {
        WARPLENS_TRY(const auto proven, prove(all.front()));
        if (proven) {
            addresses = "proven";
        } else {
            std::vector<Pass> full{pass(RecordMode::full, options_.blocks, true)};
            WARPLENS_TRY(run(full));
            all.push_back(std::move(full.front()));
        }
    }

    auto measured = std::make_shared<trace::Measured>(measured_of(device_, all.front().decoded));
    if (!options_.blocks.empty() && times_the_whole_grid()) keep_visits_of(*measured, options_.blocks);
    measured->addresses = addresses;
    measured->caches = options_.caches;
    for (const Pass& pass : all) measured->perturbations.push_back(pass.perturbation);
    if (const std::string wrong = trace::check(*measured); !wrong.empty())
        return failed(GpuFailure::Kind::protocol, "the GPU's times are inconsistent: " + wrong);

    report_->launch = reported_;
    report_->problems = problems_;
    report_->golden = golden_;
    report_->measured = measured;
    report_->occupancy = launch_occupancy(reported_, *launch_.gpu);
    if (trace_) {
        trace_->launch = reported_;
        trace_->problems = problems_;
        trace_->measured = measured;
    }
    return GpuRecorded{std::move(report_),
                       std::move(trace_),
                       std::move(measured),
                       std::move(notes_),
                       all.back().decoded.left_out(),
                       std::move(results_)};
}

GpuResult<GpuRecorded> GpuLauncher::record(LoadedLaunch launch, const GpuRecordOptions& gpu_options) {
    WARPLENS_TRY(auto device, gpu_.device());
    GpuResult<std::vector<trace::Activity>> activities;
    if (gpu_options.streams) activities = record_activities(launch, gpu_, gpu_options.cancelled);
    Recording recording(*this, std::move(launch), gpu_options, std::move(device));
    auto recorded = recording.record();
    set_seen(recording.code_key(), recording.seen());
    set_written_by(recording.kernel_key(), recording.seen());
    if (!recorded) return recorded;
    if (!activities)
        recorded->notes.push_back("its streams were not measured: " + activities.error().message);
    else if (recorded->trace) recorded->trace->activities = std::move(*activities);
    return recorded;
}

void GpuLauncher::prepare(LoadedLaunch launch, const GpuRecordOptions& gpu_options,
                          const instr::DeviceFacts& device) {
    if (gpu_.assemble) Recording(*this, std::move(launch), gpu_options, device).prepare();
}

GpuLauncher::SeenByMode GpuLauncher::seen(const std::string& code_key) {
    const std::lock_guard lock(mutex_);
    const auto found = seen_.find(code_key);
    return found == seen_.end() ? SeenByMode{} : found->second;
}

void GpuLauncher::set_seen(const std::string& code_key, SeenByMode seen) {
    const std::lock_guard lock(mutex_);
    seen_[code_key] = std::move(seen);
}

GpuLauncher::SeenByMode GpuLauncher::written_by(const std::string& kernel) {
    const std::lock_guard lock(mutex_);
    const auto found = written_.find(kernel);
    return found == written_.end() ? SeenByMode{} : found->second;
}

void GpuLauncher::set_written_by(const std::string& kernel, const SeenByMode& seen) {
    const std::lock_guard lock(mutex_);
    SeenByMode& written = written_[kernel];
    for (const auto& [mode, of_mode] : seen) {
        written[mode].units_a_warp = of_mode.units_a_warp;
        written[mode].lane_room = of_mode.lane_room;
    }
}

}  // namespace warplens::app
