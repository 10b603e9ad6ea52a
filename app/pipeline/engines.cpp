#include "app/pipeline/engines.h"

#include <algorithm>

#include "app/pipeline/block_sample.h"
#include "app/pipeline/gpu/gpu_launch.h"
#include "app/pipeline/gpu/sampled_options.h"
#include "app/pipeline/recordings.h"
#include "instrumentation/compile/shipped_ptx.h"

namespace warplens::app {

namespace instr = instrumentation;

namespace {

/// What the addresses of a picture may cost.
constexpr PictureBudget gpu_budget{.steps = 100'000, .full_sm_steps = 300'000};
/// Visits of basic blocks whose times it may wait for, and the most warps: a timeline of all SMs needs many.
constexpr double picture_visits = 32'000;
constexpr std::uint64_t most_timed_warps = 4096;
/// Warps of a grid that is timed whole even while knobs turn.
constexpr std::uint64_t live_timed_grid = 8192;
/// Of a kernel that was not seen before.
constexpr std::uint64_t first_warps = 128, first_timed_warps = 1024;

/// How many blocks of a kernel that was not seen before are recorded with addresses.
std::uint64_t first_blocks(const LoadedLaunch& loaded) {
    const trace::Launch& launch = loaded.launch;
    const std::uint64_t grid = launch.geometry.blocks();
    const std::uint64_t count =
        std::min(blocks_of_a_full_sm(launch, *loaded.gpu),
                 first_warps / static_cast<std::uint64_t>(launch.geometry.warps_per_block()));
    return std::clamp<std::uint64_t>(count, std::min<std::uint64_t>(2, grid), grid);
}

std::uint64_t warps_to_time(double visits_per_warp) {
    if (visits_per_warp <= 0) return first_timed_warps;
    return std::min(most_timed_warps, static_cast<std::uint64_t>(picture_visits / visits_per_warp));
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

void Engines::prepare(const RunRequest& request, const std::function<bool()>& cancelled) {
    if (request.engine == Engine::recorded) return;
    std::optional<instr::DeviceFacts> device;
    if (request.engine == Engine::cuda && request.kernel->language != instr::Language::cubin) {
        const std::lock_guard lock(mutex_);
        device = device_;
    }
    if (!device) {
        (void)pipeline_->compile({request.kernel, request.overrides, request.gpu, {}});
        return;
    }
    auto loaded = load_for(request, *device, cancelled);
    if (!loaded || cancelled()) return;
    const GpuRecordOptions gpu_options = picture_options(*loaded, request.block_limit, cancelled);
    launcher_.prepare(std::move(*loaded), gpu_options, *device);
}

Result<LoadedLaunch> Engines::load_for(const RunRequest& request, const instr::DeviceFacts& device,
                                       const std::function<bool()>& cancelled) {
    return pipeline_->load(
        request_for({request.kernel, request.overrides, {}, {}, Level::ptx, cancelled}, device));
}

Result<Scene> Engines::run_on_gpu(const RunRequest& request, const std::function<bool()>& cancelled) {
    if (request.kernel->language == instr::Language::cubin) {
        auto scene = pipeline_->run_scene(request, cancelled);
        if (scene)
            scene->notice = "The CPU engine executed this: a GPU records PTX, which a .cubin does not have.";
        return scene;
    }
    WARPLENS_TRY(check_gpu_takes(*request.kernel));
    const auto device = launcher_.gpu().device();
    if (!device && means_no_gpu(device.error())) {
        auto scene = pipeline_->run_scene(request, cancelled);
        if (scene)
            scene->notice = fmt::format("No GPU to record on, so the CPU engine executed this: {}",
                                        device.error().message);
        return scene;
    }
    if (!device) return fail("{}", device.error().message);
    {
        const std::lock_guard lock(mutex_);
        device_ = *device;
    }
    WARPLENS_TRY(auto loaded, load_for(request, *device, cancelled));
    return make_scene(std::move(loaded), Engine::cuda, [&](LoadedLaunch launch) {
        return record_picture(std::move(launch), request.block_limit, cancelled);
    });
}

GpuRecordOptions Engines::picture_options(const LoadedLaunch& launch, std::uint64_t block_limit,
                                          const std::function<bool()>& cancelled) {
    Seen seen;
    {
        const std::lock_guard lock(mutex_);
        seen = seen_[instr::source_hash(launch.program.ptx)];
    }
    PictureBudget budget = gpu_budget;
    budget.block_limit = block_limit;
    std::uint64_t count = seen.steps_per_block > 0
                              ? blocks_for_picture(budget, launch.launch, *launch.gpu, seen.steps_per_block)
                              : first_blocks(launch);
    if (block_limit > 0) count = std::min(count, block_limit);
    GpuRecordOptions gpu_options;
    sample(gpu_options, launch, count, warps_to_time(seen.visits_per_warp));
    gpu_options.time_grids_up_to = live_timed_grid;
    gpu_options.live = true;
    gpu_options.check_golden = false;
    gpu_options.repeats = 3;
    gpu_options.time_limit_s = time_limit_s_;
    gpu_options.cancelled = cancelled;
    return gpu_options;
}

Result<PictureRun> Engines::record_picture(LoadedLaunch launch, std::uint64_t block_limit,
                                           const std::function<bool()>& cancelled) {
    const std::string ptx = instr::source_hash(launch.program.ptx);
    const GpuRecordOptions gpu_options = picture_options(launch, block_limit, cancelled);
    auto recorded = launcher_.record(std::move(launch), gpu_options);
    if (!recorded) return fail("{}", recorded.error().message);

    {
        const std::lock_guard lock(mutex_);
        Seen& seen = seen_[ptx];
        if (recorded->report->blocks_executed > 0)
            seen.steps_per_block =
                double(recorded->report->steps) / double(recorded->report->blocks_executed);
        if (!recorded->measured->warps.empty())
            seen.visits_per_warp =
                double(recorded->measured->visits.size()) / double(recorded->measured->warps.size());
    }
    PictureRun made{std::move(recorded->report), std::move(recorded->trace), {}};
    if (!recorded->notes.empty()) made.notice = recorded->notes.front();
    return made;
}

Result<Scene> Engines::show_recording(const RunRequest& request) {
    WARPLENS_TRY(auto trace, load_recording(recordings_, *request.kernel, request.overrides));
    WARPLENS_TRY(auto values, instr::resolve_parameters(*request.kernel, request.overrides));
    Scene scene = scene_of_trace(std::move(trace));
    scene.kernel = request.kernel;
    scene.parameters = std::move(values);
    return scene;
}

}  // namespace warplens::app
