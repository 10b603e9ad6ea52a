#include "app/pipeline/engines.h"

#include <algorithm>
#include <chrono>

#include "app/pipeline/gpu/gpu_launch.h"
#include "app/pipeline/gpu/sampled_wish.h"
#include "app/pipeline/recordings.h"
#include "instrumentation/compile/shipped_ptx.h"

namespace warplens::app {

namespace instr = instrumentation;
using Clock = std::chrono::steady_clock;

namespace {

/// Warp-instructions whose addresses a picture may wait for; what a full SM may cost.
constexpr double picture_steps = 100'000, full_sm_steps = 300'000;
/// Visits of basic blocks whose times it may wait for, and the most warps: a timeline of all SMs wants many.
constexpr double picture_visits = 32'000;
constexpr std::uint64_t most_timed_warps = 4096;
/// Warps of a grid that is timed whole even while knobs turn.
constexpr std::uint64_t live_timed_grid = 8192;
/// Of a kernel that was not seen before.
constexpr std::uint64_t first_warps = 128, first_timed_warps = 1024;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// How many blocks a picture records with addresses.
std::uint64_t blocks_for_picture(const LoadedLaunch& launch, double steps_a_block) {
    const std::uint64_t grid = launch.launch.geometry.blocks(), full_sm = blocks_of_a_full_sm(launch);
    std::uint64_t count = std::min(full_sm, first_warps / warps_a_block(launch.launch.geometry));
    if (steps_a_block > 0) {
        const auto affordable = static_cast<std::uint64_t>(picture_steps / steps_a_block);
        const auto filling = static_cast<std::uint64_t>(full_sm_steps / steps_a_block);
        count = std::max(affordable, std::min(full_sm, filling));
    }
    return std::clamp<std::uint64_t>(count, std::min<std::uint64_t>(2, grid), grid);
}

std::uint64_t warps_to_time(double visits_a_warp) {
    if (visits_a_warp <= 0) return first_timed_warps;
    return std::min(most_timed_warps, static_cast<std::uint64_t>(picture_visits / visits_a_warp));
}

}  // namespace

LaunchRequest request_for(LaunchRequest request, const instr::DeviceFacts& device) {
    if (const GpuSpec* spec = spec_of(device)) request.gpu = std::string(spec->name);
    request.target = fmt::format("sm_{}{}", device.compute_major, device.compute_minor);
    return request;
}

Engines::Engines(std::shared_ptr<Pipeline> pipeline, Gpu gpu, std::string recordings, double time_limit_s)
    : pipeline_(std::move(pipeline)),
      launcher_(std::move(gpu)),
      recordings_(std::move(recordings)),
      time_limit_s_(time_limit_s) {}

Result<Scene> Engines::run_scene(const RunRequest& request, const std::function<bool()>& cancelled) {
    switch (request.engine) {
        case Engine::simt:
            break;
        case Engine::cuda:
            return run_on_gpu(request, cancelled);
        case Engine::recorded:
            return show_recording(request);
    }
    return pipeline_->run_scene(request, cancelled);
}

Result<Scene> Engines::run_on_gpu(const RunRequest& request, const std::function<bool()>& cancelled) {
    const auto start = Clock::now();
    if (auto status = check_gpu_takes(*request.kernel); !status) return tl::unexpected(status.error());
    const auto device = launcher_.gpu().device();
    if (!device && means_no_gpu(device.error())) {
        RunRequest instead = request;
        instead.engine = Engine::simt;
        auto scene = pipeline_->run_scene(instead, cancelled);
        if (scene)
            scene->notice = fmt::format("No GPU to record on, so the CPU engine executed this: {}",
                                        device.error().message);
        return scene;
    }
    if (!device) return fail("{}", device.error().message);
    auto loaded = pipeline_->load(request_for({request.kernel, request.overrides, {}, {}}, *device));
    if (!loaded) return tl::unexpected(loaded.error());

    Scene scene;
    scene.engine = Engine::cuda;
    scene.kernel = request.kernel;
    scene.parameters = loaded->prepared.parameters;
    scene.gpu = loaded->gpu;
    scene.blocks_in_grid = loaded->launch.geometry.blocks();
    const std::string key = instr::source_hash(loaded->program.ptx);
    GpuWish wish;
    Seen& seen = seen_[key];
    std::uint64_t count = blocks_for_picture(*loaded, seen.steps_a_block);
    if (request.block_limit > 0) count = std::min(count, request.block_limit);
    sample(wish, *loaded, count, warps_to_time(seen.visits_a_warp));
    wish.time_grids_up_to = live_timed_grid;
    wish.live = true;
    wish.check_golden = false;
    wish.repeats = 3;
    wish.time_limit_s = time_limit_s_;
    wish.cancelled = cancelled;
    const std::string note = loaded->note;
    auto recorded = launcher_.record(std::move(*loaded), wish);
    if (!recorded) return fail("{}", recorded.error().message);

    if (recorded->report->blocks_executed > 0)
        seen.steps_a_block = double(recorded->report->steps) / double(recorded->report->blocks_executed);
    if (!recorded->measured->warps.empty())
        seen.visits_a_warp =
            double(recorded->measured->visits.size()) / double(recorded->measured->warps.size());
    scene.blocks_executed = recorded->report->blocks_executed;
    scene.report = std::move(recorded->report);
    scene.trace = std::move(recorded->trace);
    scene.notice = note;
    if (!recorded->notes.empty()) scene.notice = recorded->notes.front();
    scene.generation = 1;
    scene.run_milliseconds = milliseconds_since(start);
    return scene;
}

Result<Scene> Engines::show_recording(const RunRequest& request) {
    const auto start = Clock::now();
    auto trace = load_recording(recordings_, *request.kernel, request.overrides);
    if (!trace) return tl::unexpected(trace.error());
    auto values = instr::resolve_parameters(*request.kernel, request.overrides);
    if (!values) return tl::unexpected(values.error());
    Scene scene = scene_of_trace(std::move(*trace));
    scene.engine = Engine::recorded;
    scene.kernel = request.kernel;
    scene.parameters = std::move(*values);
    scene.run_milliseconds = milliseconds_since(start);
    return scene;
}

}  // namespace warplens::app
