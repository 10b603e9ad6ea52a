#include "app/pipeline/pipeline.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>

#include "app/pipeline/find_races.h"
#include "app/pipeline/kernel_code.h"
#include "app/pipeline/launch_run.h"
#include "app/pipeline/launch_shape.h"
#include "app/pipeline/time_report.h"
#include "simt/timing/timing_model.h"
#include "trace/query.h"
#include "trace/replay.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;

/// Bytes a launch may take: three quarters of what the machine has free.
std::uint64_t memory_limit() {
    const auto pages = static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES));
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE)) / 4 * 3;
}

constexpr const char* measured_target = "sm_90";  // of default_gpu()

std::string machine_target(const GpuSpec& gpu) { return fmt::format("sm_{}{}", gpu.major, gpu.minor); }

/// What a picture may cost: about 30 ms of recording on one core. More blocks than this executes are sampled.
constexpr std::uint64_t scene_steps = 300'000;
/// The same where the timing model would otherwise see fewer blocks than an SM holds at once: it would take
/// the SM for emptier than it is.
constexpr std::uint64_t full_sm_steps = 900'000;
/// A warp that runs longer than this in a picture's run is reported as an endless loop.
constexpr std::uint64_t scene_steps_per_warp = 2'000'000;

std::vector<analysis::UnsupportedForm> unsupported_forms(const simt::Kernel& kernel) {
    std::vector<analysis::UnsupportedForm> forms;
    for (const auto& form : kernel.unsupported()) forms.push_back({form.spelling, form.reason, form.sites});
    return forms;
}

trace::Resources to_resources(const KernelCode& code) {
    return {code.resources.registers_per_thread, code.resources.shared_static_bytes,
            code.resources.stack_bytes, code.target};
}

}  // namespace

struct Pipeline::CodeCache {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const KernelCode>> entries;  // by code_key()
    std::uint64_t generation = 0;
};

Pipeline::Pipeline(std::shared_ptr<catalog::Compiler> compiler)
    : compiler_(std::move(compiler)), cache_(std::make_unique<CodeCache>()) {}
Pipeline::~Pipeline() = default;

Result<LoadedLaunch> Pipeline::load(const LaunchRequest& request) {
    const catalog::KernelFile& kernel = *request.kernel;
    auto gpu = request.gpu.empty() ? Result<const GpuSpec*>(&default_gpu()) : find_gpu(request.gpu);
    if (!gpu) return tl::unexpected(gpu.error());
    auto values = catalog::resolve_parameters(kernel, request.overrides);
    if (!values) return tl::unexpected(values.error());

    const std::string target = request.target.empty() ? machine_target(**gpu) : request.target;
    auto compile = compile_request(kernel, *values, target);
    if (!compile) return tl::unexpected(compile.error());
    const std::string key = code_key(*compile, kernel);
    std::shared_ptr<const KernelCode> code;
    {
        std::lock_guard lock(cache_->mutex);
        if (auto found = cache_->entries.find(key); found != cache_->entries.end()) code = found->second;
    }
    if (!code) {
        auto built = build_code(*compiler_, *compile, kernel);
        if (!built && compile->target != measured_target) {
            // The compiler at hand may not know this GPU; the figures of the default one are shown, and
            // named.
            compile->target = measured_target;
            built = build_code(*compiler_, *compile, kernel);
        }
        if (!built) return tl::unexpected(built.error());
        code = *built;
        std::lock_guard lock(cache_->mutex);
        if (cache_->entries.size() > 256) cache_->entries.clear();
        if (!key.empty()) cache_->entries.emplace(key, code);
    }

    auto prepared = catalog::prepare_launch(kernel, *values, memory_limit());
    if (!prepared) return tl::unexpected(prepared.error());

    const ptx::Function& function = *code->module->find_function(code->program.entry);
    if (auto status = settle_cluster(function, prepared->geometry); !status)
        return fail("{}: {}", kernel.name, status.error().message);
    if (auto status = check_bounds(code->bounds, prepared->geometry); !status)
        return fail("{}: {}", kernel.name, status.error().message);

    LoadedLaunch loaded;
    loaded.kernel = request.kernel;
    loaded.code = code->kernel;
    loaded.module = code->module;
    loaded.program = code->program;
    loaded.gpu = *gpu;
    loaded.unsupported = unsupported_forms(*code->kernel);
    loaded.note = code->note;
    loaded.launch.kernel = kernel.name;
    loaded.launch.title = kernel.title;
    loaded.launch.note = kernel.note;
    for (const auto& [name, value] : *values) loaded.launch.parameters[name] = catalog::to_string(value);
    loaded.launch.geometry = prepared->geometry;
    loaded.launch.resources = to_resources(*code);
    loaded.launch.gpu = std::string((*gpu)->name);
    loaded.launch.engine = "simt";
    loaded.launch.provenance = Provenance::simulated;
    loaded.prepared = std::move(*prepared);

    const analysis::Occupancy fit = launch_occupancy(loaded.launch, **gpu);
    if (fit.blocks_per_sm == 0)
        return fail("{} cannot be launched on {}: {}", kernel.name, (*gpu)->name, fit.reason);
    if (auto status = check_cooperative(loaded.launch.geometry, fit, **gpu); !status)
        return fail("{}: {}", kernel.name, status.error().message);
    return loaded;
}

Result<std::vector<catalog::EntryFacts>> Pipeline::entries(const LaunchRequest& request) {
    auto values = catalog::resolve_parameters(*request.kernel, request.overrides);
    if (!values) return tl::unexpected(values.error());
    auto compile = compile_request(*request.kernel, *values, measured_target);
    if (!compile) return tl::unexpected(compile.error());
    return find_entries(*compiler_, *compile, *request.kernel);
}

Result<Executed> Pipeline::execute(LoadedLaunch launch, const ExecuteOptions& options) {
    const bool golden = options.blocks.empty() && options.check_golden && !launch.kernel->golden.empty();
    const GpuSpec& gpu = *launch.gpu;
    std::optional<LoadedLaunch> again;
    if (options.races != ExecuteOptions::Races::off) {
        std::vector<catalog::PreparedBuffer> buffers = std::move(launch.prepared.buffers);
        again = launch;  // without the buffers' contents, which may be large
        launch.prepared.buffers = std::move(buffers);
    }
    LaunchRun::Keep keep{.keep_trace = options.keep_trace || options.model_time, .keep_initial = golden};
    keep.listener = options.listener;
    if (!options.keep_trace && options.model_time)
        keep.recorded = blocks_for_model(launch.launch.geometry, options.blocks, gpu);
    auto run = LaunchRun::start(std::move(launch), std::move(keep));
    if (!run) return tl::unexpected(run.error());

    simt::RunOptions run_options;
    run_options.blocks = options.blocks;
    run_options.threads = options.threads;
    run_options.cancelled = options.cancelled;
    run_options.detect_races = options.detect_races;
    run_options.max_steps_per_warp = options.max_steps_per_warp;
    if (auto status = (*run)->execute(run_options); !status) return tl::unexpected(status.error());

    Executed executed;
    executed.report = (*run)->report();
    if (golden) executed.report->golden = (*run)->golden();
    if (again) {
        RaceSearch search;
        search.blocks = options.blocks;
        search.steps = executed.report->steps;
        search.steps_of_blocks = executed.report->blocks_executed;
        search.max_steps_per_warp = options.max_steps_per_warp;
        search.cancelled = options.cancelled;
        if (options.races == ExecuteOptions::Races::within_budget) search.budget = default_race_budget;
        auto races = find_races(*again, search);
        if (!races) return tl::unexpected(races.error());
        merge_problems(executed.report->problems, races->problems);
        merge_problems(executed.report->notes, races->notes);
        executed.report->races = {races->blocks, races->complete, races->note};
    }
    if (options.keep_trace || options.model_time) {
        auto trace = (*run)->take_trace(*executed.report);
        if (options.model_time) time_report(*executed.report, *trace, gpu, (*run)->completed());
        if (options.keep_trace) executed.trace = std::move(trace);
    }
    executed.memory = (*run)->take_memory();
    return executed;
}

std::shared_ptr<analysis::LaunchReport> fold_trace(const trace::Trace& trace) {
    analysis::LaunchFold fold(trace.program);
    trace::replay(trace, fold);
    auto report = std::make_shared<analysis::LaunchReport>(fold.report(trace.launch));
    report->problems = trace.problems;
    report->measured = trace.measured;
    const auto gpu = find_gpu(trace.launch.gpu);
    report->occupancy = launch_occupancy(trace.launch, gpu ? **gpu : default_gpu());
    return report;
}

Scene scene_of_trace(std::shared_ptr<const trace::Trace> trace) {
    Scene scene;
    scene.generation = 1;
    const auto gpu = find_gpu(trace->launch.gpu);
    scene.gpu = gpu ? *gpu : &default_gpu();
    scene.blocks_in_grid = trace->launch.geometry.blocks();
    scene.blocks_executed = trace::recorded_blocks(*trace).size();
    for (const auto& [name, value] : trace->launch.parameters) scene.parameters[name] = value;
    scene.report = fold_trace(*trace);
    scene.engine = Engine::recorded;
    scene.trace = std::move(trace);
    return scene;
}

std::vector<std::uint64_t> spread_blocks(std::uint64_t blocks_in_grid, std::uint64_t count) {
    std::set<std::uint64_t> chosen;
    if (blocks_in_grid == 0) return {};
    count = std::clamp<std::uint64_t>(count, 1, blocks_in_grid);
    for (std::uint64_t i = 0; i < count; ++i) {
        chosen.insert(count == 1 ? 0 : i * (blocks_in_grid - 1) / (count - 1));
    }
    return {chosen.begin(), chosen.end()};
}

std::vector<std::uint64_t> sample_blocks(std::uint64_t blocks_in_grid, int sm_count, std::uint64_t count) {
    if (blocks_in_grid == 0) return {};
    count = std::clamp<std::uint64_t>(count, 1, blocks_in_grid);
    if (count == blocks_in_grid) return spread_blocks(blocks_in_grid, count);
    const auto of_sm =
        simt::blocks_of_first_sm(blocks_in_grid, sm_count, std::max<std::uint64_t>(count - 1, 1));
    std::set<std::uint64_t> chosen(of_sm.begin(), of_sm.end());
    if (count > 1) chosen.insert(blocks_in_grid - 1);
    // What is left of the budget is spread over the grid; both ends are there already.
    if (chosen.size() < count)
        for (const std::uint64_t block : spread_blocks(blocks_in_grid, count - chosen.size() + 2))
            chosen.insert(block);
    return {chosen.begin(), chosen.end()};
}

namespace {

/// Blocks that one SM holds at once, or all it is given when those are fewer.
std::uint64_t blocks_to_fill_an_sm(std::uint64_t blocks_in_grid, const GpuSpec& gpu,
                                   const analysis::Occupancy& fit) {
    const auto sms = static_cast<std::uint64_t>(std::max(gpu.sm_count, 1));
    return std::min((blocks_in_grid + sms - 1) / sms, static_cast<std::uint64_t>(fit.blocks_per_sm));
}

}  // namespace

Result<Scene> Pipeline::run_scene(const RunRequest& request, const std::function<bool()>& cancelled) {
    const auto start = std::chrono::steady_clock::now();
    auto loaded = load({request.kernel, request.overrides, request.gpu, {}});
    if (!loaded) return tl::unexpected(loaded.error());

    Scene scene;
    scene.kernel = request.kernel;
    scene.parameters = loaded->prepared.parameters;
    scene.gpu = loaded->gpu;
    scene.blocks_in_grid = loaded->launch.geometry.blocks();
    const analysis::Occupancy fit = launch_occupancy(loaded->launch, *loaded->gpu);
    scene.notice = loaded->note;
    const std::shared_ptr<const simt::Kernel> code = loaded->code;
    auto run = LaunchRun::start(std::move(*loaded), {.keep_trace = true, .keep_initial = false});
    if (!run) return tl::unexpected(run.error());

    // The first block tells what a block costs; the others are chosen to fill the budget.
    simt::RunOptions options;
    options.cancelled = cancelled;
    options.detect_races = true;
    options.races = simt::watch_races(*code);  // over all that is executed below
    options.max_steps_per_warp = scene_steps_per_warp;
    options.blocks = {0};
    if (auto status = (*run)->execute(options); !status) return tl::unexpected(status.error());
    const std::uint64_t cost = std::max<std::uint64_t>((*run)->steps(), 1);
    const std::uint64_t full_sm =
        blocks_to_fill_an_sm(scene.blocks_in_grid, *scene.gpu, fit) + 1;  // and the grid's last
    const std::uint64_t affordable = std::max(scene_steps / cost, std::min(full_sm, full_sm_steps / cost));
    std::uint64_t count = std::min(std::max<std::uint64_t>(affordable, 2), scene.blocks_in_grid);
    if (request.block_limit > 0) count = std::min(count, request.block_limit);
    options.blocks = sample_blocks(scene.blocks_in_grid, scene.gpu->sm_count, count);
    options.blocks.erase(options.blocks.begin());
    if (!options.blocks.empty()) {
        if (auto status = (*run)->execute(options); !status) return tl::unexpected(status.error());
    }

    auto report = (*run)->report();
    report->races = {report->blocks_executed, report->blocks_executed == scene.blocks_in_grid, {}};
    scene.blocks_executed = report->blocks_executed;
    scene.trace = (*run)->take_trace(*report);
    scene.report = std::move(report);
    {
        std::lock_guard lock(cache_->mutex);
        scene.generation = ++cache_->generation;
    }
    scene.run_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return scene;
}

}  // namespace warplens::app
