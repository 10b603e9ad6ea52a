#include "app/command_line/target.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "app/command_line/commands.h"
#include "app/command_line/launched_as.h"
#include "app/command_line/output.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/text_settings.h"
#include "app/pipeline/engines.h"
#include "app/pipeline/make_scene.h"
#include "app/scene/view_list.h"
#include "core/number_text.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/catalog/suggestion.h"
#include "trace/file/trace_file.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

Result<std::pair<std::string, std::string>> split_setting(const std::string& setting) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        return fail("--set {}: a setting is NAME=VALUE, for example --set TILE=16", setting);
    }
    return std::pair{setting.substr(0, equals), setting.substr(equals + 1)};
}

}  // namespace

std::shared_ptr<instrumentation::Compiler> compiler_of_this_machine(bool keeps_ready) {
    instrumentation::CompilerOptions options;
    if (auto folders = instrumentation::installed_folders()) options.assets_folder = folders->assets;
    options.cache_folder = instrumentation::default_cache_folder();
    options.keeps_ready = keeps_ready;
    return instrumentation::make_compiler(options);
}

std::shared_ptr<Pipeline> make_pipeline(bool keeps_ready) {
    return std::make_shared<Pipeline>(compiler_of_this_machine(keeps_ready));
}

Result<std::vector<instrumentation::KernelFile>> catalogue() {
    WARPLENS_TRY(auto folders, instrumentation::installed_folders());
    return instrumentation::read_catalogue(folders.kernels);
}

bool is_cubin(const std::string& target) { return target.ends_with(".cubin"); }

Result<TargetKind> target_kind(const std::string& target) {
    if (target.ends_with(".cu")) return TargetKind::cuda_file;
    if (target.ends_with(".ptx")) return TargetKind::ptx_file;
    if (is_cubin(target)) return TargetKind::cubin_file;
    if (target.ends_with(".wltrace")) return TargetKind::trace_file;
    if (target.find('/') == std::string::npos && target.find('.') == std::string::npos) {
        return TargetKind::kernel_name;
    }
    return fail(
        "{}: a file to open ends in .cu, .ptx, .cubin or .wltrace; a kernel is given by its name (see "
        "warplens list)",
        target);
}

Result<Engine> engine_of(const LaunchFlags& flags, Engine otherwise) {
    if (flags.engine.empty()) return otherwise;
    return parse_engine(flags.engine);
}

std::string recordings_folder() {
    const auto folders = instrumentation::installed_folders();
    return folders ? (fs::path(folders->assets) / "recordings").string() : std::string();
}

Result<std::map<std::string, std::string>> settings_of(const LaunchFlags& flags) {
    std::map<std::string, std::string> settings;
    for (const std::string& setting : flags.set) {
        WARPLENS_TRY(auto pair, split_setting(setting));
        settings[pair.first] = pair.second;
    }
    return settings;
}

namespace {

/// The views that a header names open with the kernel; without this check an unknown name would be ignored
/// silently.
Status check_views(const instrumentation::KernelFile& kernel) {
    std::vector<std::string> names;
    for (const ViewRow& row : view_rows()) names.emplace_back(row.name);
    for (const std::string& view : kernel.views)
        if (std::ranges::find(names, view) == names.end())
            return fail("{}: the header's views name `{}`, which is not a view{}", kernel.path, view,
                        instrumentation::did_you_mean(view, names));
    return {};
}

}  // namespace

Status check_cubin_flags(const LaunchFlags& flags) {
    if (!flags.set.empty() && !flags.launched_as)
        return fail("--set {}: {} is compiled already, and has no parameters to set", flags.set.front(),
                    flags.target);
    if (flags.level == "ptx")
        return fail("--level ptx: {} is machine code, and has no PTX level; give its .cu or .ptx file",
                    flags.target);
    if (!flags.engine.empty() && flags.engine != word_of(Engine::simt))
        return fail("--engine {}: a GPU records PTX, which {} does not have; give its .cu or .ptx file",
                    flags.engine, flags.target);
    return {};
}

Result<LaunchRequest> launch_request(const LaunchFlags& flags, std::vector<std::string>* guesses) {
    WARPLENS_TRY(auto kind, target_kind(flags.target));
    instrumentation::KernelFile kernel;
    if (kind == TargetKind::kernel_name) {
        WARPLENS_TRY(auto kernels, catalogue());
        WARPLENS_TRY(auto found, instrumentation::find_kernel(kernels, flags.target));
        kernel = *found;
    } else if (kind == TargetKind::trace_file) {
        return fail("{} is a recorded trace; this takes a kernel, a .cu, a .ptx or a .cubin file",
                    flags.target);
    } else {
        if (kind == TargetKind::cubin_file) WARPLENS_TRY(check_cubin_flags(flags));
        WARPLENS_TRY(kernel, instrumentation::load_kernel_file(flags.target));
    }
    WARPLENS_TRY(check_views(kernel));
    kernel.include_paths = flags.include_paths;
    kernel.defines = flags.defines;

    LaunchRequest request;
    request.gpu = flags.gpu;
    if (flags.level == "machine") request.level = Level::machine;
    const auto entries = [&](const instrumentation::KernelFile& file) {
        LaunchRequest asked;
        asked.kernel = std::make_shared<instrumentation::KernelFile>(file);
        return make_pipeline()->entries(asked);
    };
    WARPLENS_TRY(kernel, launched_as(std::move(kernel), flags.launched_as.get(), entries));
    WARPLENS_TRY(request.overrides, settings_of(flags));
    WARPLENS_TRY(apply_flags_and_numbers(flags, kernel, entries, request.overrides, guesses));
    if (!flags.seed.empty()) {
        const auto number = number_from<std::int64_t>(flags.seed);
        if (!number || *number < 0)
            return fail("--seed {}: a seed is an integer from 0 to {}", flags.seed,
                        std::numeric_limits<std::int64_t>::max());
        const bool has_seed = std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                                          [](const auto& parameter) { return parameter.name == "seed"; });
        if (!has_seed) return fail("--seed {}: {} has no random input to seed", flags.seed, kernel.name);
        request.overrides["seed"] = flags.seed;
    }
    request.kernel = std::make_shared<instrumentation::KernelFile>(std::move(kernel));
    request.cancelled = should_stop;
    return request;
}

/// Refuses flags that an engine cannot follow, instead of ignoring them.
Status check_engine_flags(const LaunchFlags& flags, Engine engine) {
    if (engine != Engine::simt && !flags.gpu.empty())
        return fail(
            "--gpu {} names the GPU that the model is of; with --engine {} it is the one that the kernel ran "
            "on, so leave it out",
            flags.gpu, word_of(engine));
    if (engine != Engine::simt && flags.level == "machine")
        return fail("--level machine: only the CPU engine (--engine simt) executes machine code");
    if (engine != Engine::simt && flags.max_steps)
        return fail("--max-steps bounds the CPU engine; a kernel on a GPU is stopped by --time-limit");
    if (engine != Engine::simt && (flags.stack_bytes || flags.heap_bytes))
        return fail("{} is a limit of the CPU engine's launch; a launch on a GPU has the driver's own",
                    flags.stack_bytes ? "--stack-bytes" : "--heap-bytes");
    if (engine == Engine::recorded && flags.time_limit_s)
        return fail("--time-limit bounds a kernel that runs; a recording is only read");
    if (engine != Engine::cuda && !flags.sms.empty())
        return fail("--sms {} names SMs of a GPU, to be recorded with --engine cuda", flags.sms);
    return {};
}

namespace {

/// Says what was guessed of the launch.
Result<LaunchRequest> launch_request_with_message(const LaunchFlags& flags) {
    std::vector<std::string> guesses;
    auto request = launch_request(flags, &guesses);
    for (const std::string& guess : guesses) print_message(guess);
    return request;
}

}  // namespace

Result<LoadedTarget> load_again(const LaunchFlags& flags, std::shared_ptr<Pipeline> pipeline,
                                bool says_guesses) {
    WARPLENS_TRY(const auto request,
                 says_guesses ? launch_request_with_message(flags) : launch_request(flags));
    if (!pipeline) pipeline = make_pipeline();
    WARPLENS_TRY(auto loaded, pipeline->load(request));
    if (flags.stack_bytes) loaded.limits.stack_bytes = *flags.stack_bytes;
    if (flags.heap_bytes) loaded.limits.heap_bytes = *flags.heap_bytes;
    return LoadedTarget{std::move(pipeline), std::move(loaded)};
}

Result<LoadedTarget> load_target(const LaunchFlags& flags, std::shared_ptr<Pipeline> pipeline,
                                 bool says_guesses) {
    start_watch(flags);
    auto loaded = unless_stopped(load_again(flags, std::move(pipeline), says_guesses));
    if (loaded) start_watch(flags);  // a long compilation takes nothing from the run's limit
    return loaded;
}

namespace {

/// The first flag that is given of those that say what is compiled and launched, --kernel aside; else empty.
std::string_view launch_flag_of(const LaunchFlags& flags) {
    const std::pair<std::string_view, bool> given[] = {
        {"--set", !flags.set.empty()},
        {"--grid", !flags.grid.empty()},
        {"--block", !flags.block.empty()},
        {"--cluster", !flags.cluster.empty()},
        {"--cooperative", flags.cooperative},
        {"--dynamic-shared", flags.dynamic_shared_bytes.has_value()},
        {"--arg", !flags.arguments.empty()},
        {"--engine", !flags.engine.empty()},
        {"--time-limit", flags.time_limit_s.has_value()},
        {"--gpu", !flags.gpu.empty()},
        {"--level", !flags.level.empty()},
        {"--blocks", !flags.blocks.empty()},
        {"--sms", !flags.sms.empty()},
        {"--seed", !flags.seed.empty()},
        {"--max-steps", flags.max_steps.has_value()},
        {"--stack-bytes", flags.stack_bytes.has_value()},
        {"--heap-bytes", flags.heap_bytes.has_value()},
        {"--include", !flags.include_paths.empty()},
        {"--define", !flags.defines.empty()},
    };
    const auto* const first = std::ranges::find_if(given, [](const auto& each) { return each.second; });
    return first == std::end(given) ? std::string_view() : first->first;
}

/// The contents of a trace were decided when it was recorded: a flag that would change them is refused.
Status check_trace_flags(const LaunchFlags& flags) {
    const std::string_view flag = flags.entry.empty() ? launch_flag_of(flags) : "--kernel";
    if (flag.empty()) return {};
    return fail("{} cannot change a recorded trace; record the kernel again with it, or leave it out", flag);
}

}  // namespace

Status check_listed_cubin(const LaunchFlags& flags) {
    const std::string_view flag = launch_flag_of(flags);
    if (flag.empty()) return {};
    return fail(
        "{}: without its launch a .cubin is only listed; give --grid, --block and --arg to execute it, "
        "or leave {} out",
        flags.target, flag);
}

Result<std::shared_ptr<const trace::Trace>> load_trace(const LaunchFlags& flags) {
    WARPLENS_TRY(check_trace_flags(flags));
    const std::string& path = flags.target;
    std::error_code error;
    if (!fs::exists(path, error)) return fail("{}: there is no such file", path);
    WARPLENS_TRY(auto file, trace::TraceFile::open(path));
    WARPLENS_TRY(auto trace, file.read_all());
    return std::make_shared<const trace::Trace>(std::move(trace));
}

void start_watch(const LaunchFlags& flags) {
    RunWatch::of_this_process().start(flags.engine == "cuda" ? std::nullopt : flags.time_limit_s);
}

void watch_run(ExecuteOptions& execute, const LaunchGeometry& geometry) {
    RunWatch& watch = RunWatch::of_this_process();
    execute.cancelled = should_stop;
    execute.keep_interrupted = true;
    execute.listener = watch.progress_of(execute.blocks.empty() ? geometry.blocks() : execute.blocks.size());
}

Result<Scene> load_scene(const LaunchFlags& flags) {
    start_watch(flags);
    WARPLENS_TRY(auto kind, target_kind(flags.target));
    if (kind == TargetKind::trace_file) {
        WARPLENS_TRY(auto trace, load_trace(flags));
        return scene_of_trace(std::move(trace));
    }
    for (const auto& [flag, is_given] :
         {std::pair{"--blocks", !flags.blocks.empty()}, std::pair{"--sms", !flags.sms.empty()},
          std::pair{"--max-steps", flags.max_steps.has_value()},
          std::pair{"--stack-bytes", flags.stack_bytes.has_value()},
          std::pair{"--heap-bytes", flags.heap_bytes.has_value()}}) {
        if (is_given)
            return fail(
                "{} is for report and record; a picture and an export choose themselves what they "
                "execute, or show what is in a recorded trace",
                flag);
    }
    WARPLENS_TRY(auto engine, engine_of(flags, Engine::simt));
    WARPLENS_TRY(auto request, launch_request_with_message(flags));
    WARPLENS_TRY(check_engine_flags(flags, engine));
    RunRequest run;
    run.kernel = request.kernel;
    run.overrides = request.overrides;
    run.gpu = request.gpu;
    run.engine = engine;
    Engines engines(make_pipeline(), gpu_of_this_machine(), recordings_folder(),
                    flags.time_limit_s.value_or(2));
    auto scene = engines.run_scene(run, should_stop);
    if (const std::string reason = RunWatch::of_this_process().reason(); !scene && !reason.empty())
        return fail("{}; nothing is shown", reason);
    if (scene && !scene->notice.empty()) print_message(scene->notice);
    return scene;
}

int exit_code_of(const Scene& scene, const std::string& output) {
    if (scene.report->problems.empty()) return exit_success;
    const Problem& first = scene.report->problems.front();
    print_message(fmt::format("{} shows a run with problems ({}: {}); see warplens report", output,
                              to_string(first.kind), first.message));
    return exit_kernel_problems;
}

namespace {

/// The things that a list of numbers selects.
struct Counted {
    const char *flag, *one, *many, *whole;
};

Result<std::vector<std::uint64_t>> parse_list(const Counted& of, std::string_view whole,
                                              std::uint64_t count) {
    std::string_view text = whole;
    std::vector<std::uint64_t> blocks;
    const auto number = [&](std::string_view digits) -> Result<std::uint64_t> {
        const auto value = number_from<std::uint64_t>(digits);
        if (!value) {
            return fail("{} {}: '{}' is not a {} number; {} are given as 0-7,64", of.flag, whole, digits,
                        of.one, of.many);
        }
        if (*value >= count) {
            return fail("{} {}: {} has {} {}, numbered 0 to {}", of.flag, whole, of.whole, count, of.many,
                        count - 1);
        }
        return *value;
    };
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        const auto dash = part.find('-');
        auto first = number(part.substr(0, dash));
        if (!first) return tl::unexpected(first.error());
        WARPLENS_TRY(auto last, dash == std::string_view::npos ? first : number(part.substr(dash + 1)));
        if (last < *first) {
            return fail("{} {}: {} comes after {}; the first {} of a range is written first", of.flag, whole,
                        *first, last, of.one);
        }
        constexpr std::uint64_t most = std::uint64_t{1} << 24;
        if (last - *first >= most - blocks.size()) {
            return fail("{} {}: at most {} {} can be named; leave it out to have all", of.flag, whole, most,
                        of.many);
        }
        for (std::uint64_t block = *first; block <= last; ++block) blocks.push_back(block);
        text.remove_prefix(std::min(part.size() + 1, text.size()));
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

}  // namespace

Result<std::vector<std::uint64_t>> parse_blocks(std::string_view text, std::uint64_t blocks_in_grid) {
    return parse_list({"--blocks", "block", "blocks", "the grid"}, text, blocks_in_grid);
}

Result<std::vector<int>> parse_sms(std::string_view text, int sm_count) {
    WARPLENS_TRY(const auto list,
                 parse_list({"--sms", "SM", "SMs", "the GPU"}, text, static_cast<std::uint64_t>(sm_count)));
    return std::vector<int>(list.begin(), list.end());
}

Result<std::pair<std::uint32_t, std::uint32_t>> parse_cycles(std::string_view text) {
    std::pair<std::uint32_t, std::uint32_t> cycles;
    const auto dots = text.find("..");
    const auto number = [](std::string_view digits, std::uint32_t& value) {
        const auto read = number_from<std::uint32_t>(digits);
        value = read.value_or(0);
        return read.has_value();
    };
    if (dots == std::string_view::npos || !number(text.substr(0, dots), cycles.first) ||
        !number(text.substr(dots + 2), cycles.second) || cycles.second <= cycles.first)
        return fail(
            "--cycles {}: cycles are given as FIRST..END, the end left out, for example --cycles 1000..2500",
            text);
    return cycles;
}

}  // namespace warplens::app
