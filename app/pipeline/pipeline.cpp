#include "app/pipeline/pipeline.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "app/pipeline/block_sample.h"
#include "app/pipeline/child_grids.h"
#include "app/pipeline/cubin_code.h"
#include "app/pipeline/earlier_runs.h"
#include "app/pipeline/find_races.h"
#include "app/pipeline/find_shared_registers.h"
#include "app/pipeline/fit_lengths.h"
#include "app/pipeline/kernel_code.h"
#include "app/pipeline/launch_run.h"
#include "app/pipeline/launch_shape.h"
#include "app/pipeline/launch_time.h"
#include "app/pipeline/machine_level.h"
#include "app/pipeline/make_scene.h"
#include "app/pipeline/memory_limit.h"
#include "app/pipeline/model_streams.h"
#include "app/pipeline/time_report.h"
#include "app/pipeline/undefined_values.h"
#include "app/pipeline/values/combine_run.h"
#include "core/symbol_name.h"
#include "simt/functional/machine_races.h"
#include "simt/functional/shared_work.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;

constexpr const char* measured_target = "sm_90";  // of default_gpu()

std::string machine_target(const GpuSpec& gpu) { return fmt::format("sm_{}{}", gpu.major, gpu.minor); }

std::vector<analysis::UnsupportedForm> unsupported_forms(const simt::Kernel& kernel) {
    std::vector<analysis::UnsupportedForm> forms;
    for (const auto& form : kernel.unsupported()) forms.push_back({form.spelling, form.reason, form.sites});
    return forms;
}

trace::Resources to_resources(const KernelCode& code) {
    return {code.resources.registers_per_thread, code.resources.shared_static_bytes,
            code.resources.stack_bytes, code.target};
}

/// A .cubin is for one generation of GPUs.
Result<const GpuSpec*> gpu_for(const LaunchRequest& request) {
    if (!request.gpu.empty()) return find_gpu(request.gpu);
    if (request.kernel->language == catalog::Language::cubin) return gpu_of_cubin(*request.kernel);
    return &default_gpu();
}

/// A .cubin has no PTX.
Level level_of(const LaunchRequest& request) {
    return request.kernel->language == catalog::Language::cubin ? Level::machine : request.level;
}

}  // namespace

struct Pipeline::CodeCache {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const KernelCode>> entries;  // by code_key()
};

Pipeline::Pipeline(std::shared_ptr<catalog::Compiler> compiler)
    : compiler_(std::move(compiler)),
      cache_(std::make_unique<CodeCache>()),
      earlier_(std::make_unique<EarlierRuns>()) {}
Pipeline::~Pipeline() = default;

Result<std::shared_ptr<const KernelCode>> Pipeline::code_for(const LaunchRequest& request, const GpuSpec& gpu,
                                                             const catalog::Values& values) {
    const catalog::KernelFile& kernel = *request.kernel;
    const std::string target = request.target.empty() ? machine_target(gpu) : request.target;
    WARPLENS_TRY(auto compile, compile_request(kernel, values, target));
    const std::string key = code_key(compile, kernel);
    {
        std::lock_guard lock(cache_->mutex);
        if (auto found = cache_->entries.find(key); found != cache_->entries.end()) return found->second;
    }
    auto built = build_code(*compiler_, compile, kernel);
    if (!built && compile.target != measured_target && kernel.language != catalog::Language::cubin) {
        // The installed compiler may not know this GPU; the figures of the default one are shown, and
        // named.
        compile.target = measured_target;
        built = build_code(*compiler_, compile, kernel);
    }
    if (!built) return built;
    std::lock_guard lock(cache_->mutex);
    if (cache_->entries.size() > 256) cache_->entries.clear();
    if (!key.empty()) cache_->entries.emplace(key, *built);
    return built;
}

Status Pipeline::compile(const LaunchRequest& request) {
    WARPLENS_TRY(const GpuSpec* const gpu, gpu_for(request));
    WARPLENS_TRY(const auto values, catalog::resolve_parameters(*request.kernel, request.overrides));
    const auto code = code_for(request, *gpu, values);
    return code ? Status{} : tl::unexpected(code.error());
}

Result<LoadedLaunch> Pipeline::load_alone(const LaunchRequest& request) {
    const catalog::KernelFile& kernel = *request.kernel;
    WARPLENS_TRY(const GpuSpec* const gpu, gpu_for(request));
    const Level level = level_of(request);
    WARPLENS_TRY(auto values, catalog::resolve_parameters(kernel, request.overrides));
    WARPLENS_TRY(const std::shared_ptr<const KernelCode> code, code_for(request, *gpu, values));
    WARPLENS_TRY(auto prepared, catalog::prepare_launch(kernel, values, memory_limit()));

    if (auto status = settle_cluster(code->shape, prepared.geometry); !status)
        return fail("{}: {}", kernel.name, status.error().message);
    if (auto status = check_block(code->shape, prepared.geometry); !status)
        return fail("{}: {}", kernel.name, status.error().message);

    LoadedLaunch loaded;
    loaded.kernel = request.kernel;
    loaded.code = code->kernel;
    loaded.module = code->module;
    loaded.built = code;
    loaded.program = code->program;
    loaded.gpu = gpu;
    loaded.unsupported = unsupported_forms(*code->kernel);
    loaded.note = code->note;
    loaded.doubt = kernel.doubt;
    loaded.launch.kernel = kernel.name;
    loaded.launch.title = kernel.title;
    // Without a title of its own, a file has the kernels that its text names.
    if (const std::string entry = plain_name(code->program.entry);
        kernel.title == kernel.name && !entry.empty() && entry != kernel.name) {
        loaded.launch.kernel = entry;
        loaded.launch.title = "in " + kernel.path.substr(kernel.path.rfind('/') + 1);
    }
    loaded.launch.note = kernel.note;
    for (const auto& [name, value] : values) loaded.launch.parameters[name] = catalog::to_string(value);
    loaded.launch.geometry = prepared.geometry;
    loaded.launch.resources = to_resources(*code);
    loaded.launch.gpu = std::string(gpu->name);
    loaded.launch.engine = "simt";
    loaded.launch.provenance = Provenance::simulated;
    loaded.prepared = std::move(prepared);

    const analysis::Occupancy fit = launch_occupancy(loaded.launch, *gpu);
    if (fit.blocks_per_sm == 0)
        return fail("{} cannot be launched on {}: {}", kernel.name, gpu->name, fit.reason);
    if (auto status = check_cooperative(loaded.launch.geometry, fit, *gpu); !status)
        return fail("{}: {}", kernel.name, status.error().message);
    if (level == Level::machine)
        if (const Status used = use_machine_code(loaded, *code); !used)
            return fail("{}: {}{}", kernel.name, used.error().message,
                        code->module ? "; leave --level machine out for the PTX level" : "");
    return loaded;
}

Result<LoadedLaunch> Pipeline::load(const LaunchRequest& request) {
    WARPLENS_TRY(auto loaded, load_alone(request));
    WARPLENS_TRY(auto earlier, earlier_->before(*this, request, loaded.prepared.parameters, loaded.prepared));
    take_earlier(loaded, std::move(earlier));
    fit_lengths(loaded, memory_limit());
    return loaded;
}

Result<std::vector<catalog::EntryFacts>> Pipeline::entries(const LaunchRequest& request) {
    WARPLENS_TRY(auto values, catalog::resolve_parameters(*request.kernel, request.overrides));
    WARPLENS_TRY(auto compile, compile_request(*request.kernel, values, measured_target));
    return find_entries(*compiler_, compile, *request.kernel);
}

Result<Executed> Pipeline::execute(LoadedLaunch launch, const ExecuteOptions& options) {
    const Level level = launch.level;
    bool searches = options.races != ExecuteOptions::Races::off;
    const bool golden = options.blocks.empty() && options.check_golden && !launch.kernel->golden.empty();
    std::optional<LoadedLaunch> again;
    if (searches || options.model_time) {
        std::vector<catalog::PreparedBuffer> buffers = std::move(launch.prepared.buffers);
        again = launch;  // without the buffers' contents, which may be large
        launch.prepared.buffers = std::move(buffers);
    }
    LaunchRun::Keep keep{.keep_trace = options.keep_trace || options.model_time, .keep_initial = golden};
    keep.count_requests = options.count_requests;
    keep.listener = options.listener;
    keep.interrupted = options.keep_interrupted;
    keep.recorded.memory_limit = options.trace_bytes;
    keep.whole_trace = options.whole_trace && keep.keep_trace;
    if (!options.keep_trace && options.model_time)
        keep.recorded = blocks_for_model(launch.launch.geometry, options.blocks, *launch.gpu);
    WARPLENS_TRY(auto run, LaunchRun::start(std::move(launch), std::move(keep)));

    simt::RunOptions run_options;
    run_options.blocks = options.blocks;
    run_options.threads = options.threads;
    run_options.cancelled = options.cancelled;
    run_options.detect_races = options.detect_races;
    run_options.keep_work = options.model_time;  // which SM ends last
    run_options.max_steps_per_warp = options.max_steps_per_warp;
    WARPLENS_TRY(run->execute(run_options));
    WARPLENS_TRY(run->execute_children(run_options, 0));

    Executed executed;
    executed.report = run->report();
    executed.report->level = level;
    executed.interrupted = run->interrupted();
    if (golden) executed.report->golden = run->golden(golden_);
    std::string left_out;  // of both searches
    const bool endless = never_ends(executed.report->problems);
    if (searches && !endless && level == Level::machine && !executed.interrupted) {
        WARPLENS_TRY(const auto found, find_shared_registers(*again, *executed.report, options));
        merge_problems(executed.report->notes, found.notes);
        left_out = found.left_out;
    }
    if (searches && !executed.interrupted) {
        RaceSearch search;
        search.blocks = options.blocks;
        search.steps = executed.report->steps;
        search.steps_of_blocks = executed.report->blocks_executed;
        search.max_steps_per_warp = options.max_steps_per_warp;
        search.cancelled = options.cancelled;
        search.keep_interrupted = options.keep_interrupted;
        if (endless) search.budget = endless_race_budget;
        else if (options.races == ExecuteOptions::Races::within_budget) search.budget = default_race_budget;
        WARPLENS_TRY(auto races, find_races(*again, search));
        if (endless && !races.interrupted) {
            races.complete = false;
            races.note = "the kernel does not end, so races were searched for in its first steps alone";
        }
        merge_problems(executed.report->problems, races.problems);
        merge_problems(executed.report->notes, races.notes);
        if (!left_out.empty() && !races.note.empty()) left_out += "; ";
        executed.report->races = {races.blocks, races.complete, left_out + races.note};
        executed.interrupted = races.interrupted;
    }
    if (searches && !executed.interrupted) {
        settle_undefined_values(*executed.report, *again, options.cancelled);
        add_undefined_values(*executed.report, *again, options.cancelled);
    }
    if (options.keep_trace || options.model_time) {
        auto trace = run->take_trace(*executed.report);
        if (options.model_time) {
            WARPLENS_TRY(add_time(*executed.report, {std::move(*again), trace, run->work(), run->completed()},
                                  options));
        }
        if (options.keep_trace) executed.trace = std::move(trace);
    }
    executed.memory = run->take_memory();
    return executed;
}

namespace {

/// A thread polls memory that no executed block writes.
bool waits_in_vain(const LaunchRun& run) {
    return std::ranges::any_of(run.problems(), [](const Problem& problem) {
        return problem.reach == Reach::grid &&
               (problem.kind == ProblemKind::deadlock || problem.kind == ProblemKind::endless_loop);
    });
}

/// Blocks that share work are all executed for a picture if about this many warp-instructions suffice.
constexpr std::uint64_t most_shared_steps = 40'000'000;
/// What a warp may execute of that, as a multiple of an equal share.
constexpr std::uint64_t most_of_a_warp = 4;

/// Warp-instructions of the whole grid, if block 0, which did `alone` by itself, does less when all blocks
/// run; 0: it does not, or the grid takes more than is executed for a picture.
Result<std::uint64_t> shared_steps(LoadedLaunch launch, std::uint64_t alone, simt::RunOptions options) {
    const LaunchGeometry geometry = launch.launch.geometry;
    const auto warps = static_cast<std::uint64_t>(geometry.warps_per_block()) * geometry.blocks();
    WARPLENS_TRY(auto run, LaunchRun::start_again(std::move(launch), {.keep_report = false}));
    options.detect_races = false;
    options.blocks.clear();
    options.step_budget = most_shared_steps;
    options.max_steps_per_warp =
        std::min(options.max_steps_per_warp, most_of_a_warp * most_shared_steps / warps + 1);
    WARPLENS_TRY(run->execute(options));
    if (!run->completed() || run->work().size() != geometry.blocks()) return 0;
    const auto first = std::ranges::find(run->work(), std::uint64_t{0}, &BlockWork::block);
    return first->steps < alone * 3 / 4 ? run->steps() : 0;
}

Result<PictureRun> picture_of(std::unique_ptr<LaunchRun> run, const simt::RunOptions& options) {
    WARPLENS_TRY(run->execute_children(options, picture_steps_of_children));
    auto report = run->report();
    const std::uint64_t grid = run->launch().geometry.blocks();
    report->races = {report->blocks_executed, report->blocks_executed == grid, {}};
    PictureRun made;
    made.trace = run->take_trace(*report);
    made.report = std::move(report);
    return made;
}

/// Executes as many blocks as `budget` allows: the first block shows what a block costs. Where blocks wait
/// for others that the sample lacks, as in a scan with look-back, it is as many from the first on, as long
/// as those do not wait in vain, too. Where they share work, all are executed and the sample is recorded.
Result<PictureRun> execute_picture(LoadedLaunch launch, const PictureBudget& budget,
                                   const std::function<bool()>& cancelled) {
    const trace::Launch facts = launch.launch;
    const GpuSpec& gpu = *launch.gpu;
    const std::uint64_t grid = facts.geometry.blocks();
    const std::shared_ptr<const simt::Kernel> code = launch.code;
    const auto watch = [&code, ptx = launch.program.ptx] { return simt::watch_races(*code, ptx); };
    std::vector<catalog::PreparedBuffer> buffers = std::move(launch.prepared.buffers);
    LoadedLaunch again = launch;  // without the buffers' contents, which may be large
    launch.prepared.buffers = std::move(buffers);
    WARPLENS_TRY(auto run, LaunchRun::start(std::move(launch), {.keep_trace = true, .keep_initial = false}));

    simt::RunOptions options;
    options.cancelled = cancelled;
    options.detect_races = true;
    options.races = watch();  // over all blocks that are executed below
    options.max_steps_per_warp = picture_steps_per_warp;
    options.blocks = {0};
    options.keep_work = true;
    WARPLENS_TRY(run->execute(options));
    auto cost = static_cast<double>(std::max<std::uint64_t>(run->steps(), 1));
    std::uint64_t shared = 0;
    if (grid > 1 && simt::may_share_work(*code)) {
        WARPLENS_TRY(shared, shared_steps(again, run->steps(), options));
    }
    if (shared != 0) {
        cost = static_cast<double>(shared) / static_cast<double>(grid);
        LaunchRun::Keep keep{.keep_trace = true};
        keep.recorded.blocks =
            sample_blocks(grid, gpu.sm_count, blocks_for_picture(budget, facts, gpu, cost));
        WARPLENS_TRY(run, LaunchRun::start_again(std::move(again), std::move(keep)));
        options.blocks.clear();
        options.races = watch();
        WARPLENS_TRY(run->execute(options));
        return picture_of(std::move(run), options);
    }
    options.blocks = sample_blocks(grid, gpu.sm_count, blocks_for_picture(budget, facts, gpu, cost));
    std::vector<std::uint64_t> first(options.blocks.size());
    std::iota(first.begin(), first.end(), 0);
    options.blocks.erase(options.blocks.begin());
    if (!options.blocks.empty()) {
        WARPLENS_TRY(run->execute(options));
    }
    if (first.size() < grid && waits_in_vain(*run)) {
        WARPLENS_TRY(auto in_order, LaunchRun::start_again(std::move(again), {.keep_trace = true}));
        options.blocks = std::move(first);
        options.races = watch();
        WARPLENS_TRY(in_order->execute(options));
        if (!waits_in_vain(*in_order)) run = std::move(in_order);
    }
    return picture_of(std::move(run), options);
}

}  // namespace

Result<Scene> Pipeline::run_scene(const RunRequest& request, const std::function<bool()>& cancelled) {
    WARPLENS_TRY(auto loaded,
                 load({request.kernel, request.overrides, request.gpu, {}, Level::ptx, cancelled}));
    PictureBudget budget = scene_budget;
    budget.block_limit = request.block_limit;
    std::optional<LoadedLaunch> again;
    const bool uses_streams = request.kernel->streams.has_value();
    const Level level = loaded.level;
    const auto timed_code = loaded.timed_code;
    if (uses_streams || may_have_trees(loaded)) again = loaded;
    auto scene = make_scene(std::move(loaded), Engine::simt, [&](LoadedLaunch launch) {
        return execute_picture(std::move(launch), budget, cancelled);
    });
    if (!scene) return scene;
    if (again && level == Level::ptx && !scene->report->problems.empty()) {
        auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
        settle_undefined_values(*report, *again, cancelled);
        scene->report = std::move(report);
    }
    if (level == Level::machine) {
        auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
        report->level = level;
        scene->report = std::move(report);
        SceneTiming untimed;
        untimed.code = timed_code;
        scene->timing = std::make_shared<const SceneTiming>(std::move(untimed));
    }
    if (uses_streams)
        scene->model_streams =
            [pipeline = shared_from_this(),
             launch = std::make_shared<const LoadedLaunch>(*again)](const std::function<bool()>& stopped) {
                return model_activities(*pipeline, *launch, stopped);
            };
    if (!request.trees || !again || !may_have_trees(*again)) {
        if (level == Level::ptx) scene->trees = no_trees();
        return scene;
    }
    scene->trees = find_trees(*again, 0, cancelled);
    scene->trees_of_block = [launch = std::move(*again)](std::uint64_t block,
                                                         const std::function<bool()>& stopped) {
        return find_trees(launch, block, stopped);
    };
    return scene;
}

}  // namespace warplens::app
