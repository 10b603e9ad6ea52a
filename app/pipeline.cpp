#include "app/pipeline.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>

#include "app/launch_run.h"
#include "app/launch_shape.h"
#include "app/time_report.h"
#include "instrumentation/catalog/catalogue.h"
#include "ptx/parser.h"
#include "simt/timing/timing_model.h"
#include "trace/query.h"
#include "trace/replay.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;

/// How large its author says a block may be; 0: nothing said.
struct LaunchBounds {
    std::uint64_t most_threads = 0;     // .maxntid, of __launch_bounds__
    std::uint64_t exactly_threads = 0;  // .reqntid, of __block_size__
};

/// "PTX ISA: Performance-Tuning Directives": ".maxntid 256, 1, 1".
LaunchBounds launch_bounds(const ptx::Function& function) {
    LaunchBounds bounds;
    for (const std::string& directive : function.performance_directives) {
        std::uint64_t x = 1, y = 1, z = 1;
        char word[16] = {};
        if (std::sscanf(directive.c_str(), ".%15s %lu , %lu , %lu", word, &x, &y, &z) < 2) continue;
        if (std::string_view(word) == "maxntid") bounds.most_threads = x * y * z;
        if (std::string_view(word) == "reqntid") bounds.exactly_threads = x * y * z;
    }
    return bounds;
}

Status check_bounds(const LaunchBounds& bounds, const LaunchGeometry& geometry) {
    const auto threads = static_cast<std::uint64_t>(geometry.threads_per_block());
    if (bounds.most_threads != 0 && threads > bounds.most_threads) {
        return fail("a block of {} threads cannot be launched: the kernel's __launch_bounds__ allow {}",
                    threads, bounds.most_threads);
    }
    if (bounds.exactly_threads != 0 && threads != bounds.exactly_threads) {
        return fail("a block of {} threads cannot be launched: the kernel's __block_size__ asks for {}",
                    threads, bounds.exactly_threads);
    }
    return {};
}

/// A kernel compiled, parsed and decoded for one set of compile-time parameters.
struct Code {
    std::shared_ptr<const simt::Kernel> kernel;
    std::shared_ptr<const ptx::Module> module;
    Program program;  // with the kernel file's text among its sources
    catalog::EntryResources resources;
    std::string target;
    LaunchBounds bounds;
};

/// How a kernel's file is called in messages, line tables and traces: "kernels/saxpy.cu" for the program's
/// own, as given for a user's.
std::string source_name(const catalog::KernelFile& kernel) {
    namespace fs = std::filesystem;
    const auto folders = catalog::installed_folders();
    std::error_code error;
    if (folders && fs::equivalent(fs::path(kernel.path).parent_path(), folders->kernels, error)) {
        return "kernels/" + fs::path(kernel.path).filename().string();
    }
    return kernel.path;
}

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

/// Instructions the engine does not execute, as problems, so that they are seen before any number is.
std::vector<Problem> unsupported_problems(const simt::Kernel& kernel) {
    std::vector<Problem> problems;
    for (const auto& form : kernel.unsupported()) {
        Problem problem;
        problem.kind = ProblemKind::unsupported_instruction;
        problem.message =
            fmt::format("the CPU engine does not execute '{}' (PTX line {}, {} time{} in the kernel)",
                        form.spelling, form.ptx_line, form.count, form.count == 1 ? "" : "s");
        problem.count = form.count;
        problems.push_back(std::move(problem));
    }
    return problems;
}

trace::Resources to_resources(const Code& code) {
    return {code.resources.registers_per_thread, code.resources.shared_static_bytes,
            code.resources.stack_bytes, code.target};
}

}  // namespace

struct Pipeline::CodeCache {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const Code>> entries;  // by source, macros, entry and target
    std::uint64_t generation = 0;

    static std::string key(const catalog::CompileRequest& request, const std::string& entry) {
        std::string key = request.name + '\0' + request.source + '\0' + entry + '\0' + request.target;
        for (const auto& [name, value] : request.macros) key += '\0' + name + '=' + value;
        for (const auto& path : request.include_paths) key += '\0' + path;
        return key;
    }
};

Pipeline::Pipeline(std::shared_ptr<catalog::Compiler> compiler)
    : compiler_(std::move(compiler)), cache_(std::make_unique<CodeCache>()) {}
Pipeline::~Pipeline() = default;

namespace {

Result<std::shared_ptr<const Code>> build_code(catalog::Compiler& compiler,
                                               const catalog::CompileRequest& request,
                                               const catalog::KernelFile& file) {
    auto compiled = compiler.compile(request);
    if (!compiled) return tl::unexpected(compiled.error());
    auto module = ptx::parse(compiled->ptx, request.name);
    if (!module) return tl::unexpected(module.error());
    auto entry = catalog::find_entry(*compiled, file.entry);
    // A header that names no function means the one called like the file, or the only one there is.
    if (!entry && file.entry == file.name && compiled->entries.size() == 1)
        entry = catalog::find_entry(*compiled, "");
    if (!entry) return fail("{}: {}", request.name, entry.error().message);
    auto kernel = simt::Kernel::load(*module, *entry, compiled->ptx);
    if (!kernel) return tl::unexpected(kernel.error());

    auto code = std::make_shared<Code>();
    code->kernel = *kernel;
    code->bounds = launch_bounds(*module->find_function(*entry));
    code->module = std::make_shared<const ptx::Module>(std::move(*module));
    code->program = (*kernel)->program();
    for (SourceFile& source : code->program.sources) {
        if (source.name == request.name) source.text = request.source;
    }
    if (auto found = compiled->entries.find(*entry); found != compiled->entries.end()) {
        code->resources = found->second;
    }
    code->target = compiled->target;
    return std::shared_ptr<const Code>(std::move(code));
}

}  // namespace

Result<LoadedLaunch> Pipeline::load(const LaunchRequest& request) {
    const catalog::KernelFile& kernel = *request.kernel;
    auto gpu = request.gpu.empty() ? Result<const GpuSpec*>(&default_gpu()) : find_gpu(request.gpu);
    if (!gpu) return tl::unexpected(gpu.error());
    auto values = catalog::resolve_parameters(kernel, request.overrides);
    if (!values) return tl::unexpected(values.error());

    catalog::CompileRequest compile;
    compile.name = source_name(kernel);
    compile.source = kernel.source;
    compile.include_paths = request.include_paths;
    compile.target = request.target.empty() ? machine_target(**gpu) : request.target;
    compile.macros = catalog::compile_macros(kernel, *values);

    const std::string key = CodeCache::key(compile, kernel.entry);
    std::shared_ptr<const Code> code;
    {
        std::lock_guard lock(cache_->mutex);
        if (auto found = cache_->entries.find(key); found != cache_->entries.end()) code = found->second;
    }
    if (!code) {
        auto built = build_code(*compiler_, compile, kernel);
        if (!built && compile.target != measured_target) {
            // The compiler at hand may not know this GPU; the figures of the default one are shown, and
            // named.
            compile.target = measured_target;
            built = build_code(*compiler_, compile, kernel);
        }
        if (!built) return tl::unexpected(built.error());
        code = *built;
        std::lock_guard lock(cache_->mutex);
        if (cache_->entries.size() > 256) cache_->entries.clear();
        cache_->entries.emplace(key, code);
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
    loaded.problems = unsupported_problems(*code->kernel);
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

Result<Executed> Pipeline::execute(LoadedLaunch launch, const ExecuteOptions& options) {
    const bool golden = options.blocks.empty() && options.check_golden && !launch.kernel->golden.empty();
    const GpuSpec& gpu = *launch.gpu;
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
    auto loaded = load({request.kernel, request.overrides, request.gpu, {}, {}});
    if (!loaded) return tl::unexpected(loaded.error());

    Scene scene;
    scene.kernel = request.kernel;
    scene.parameters = loaded->prepared.parameters;
    scene.gpu = loaded->gpu;
    scene.blocks_in_grid = loaded->launch.geometry.blocks();
    const analysis::Occupancy fit = launch_occupancy(loaded->launch, *loaded->gpu);
    auto run = LaunchRun::start(std::move(*loaded), {.keep_trace = true, .keep_initial = false});
    if (!run) return tl::unexpected(run.error());

    // The first block tells what a block costs; the others are chosen to fill the budget.
    simt::RunOptions options;
    options.cancelled = cancelled;
    options.detect_races = true;
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
