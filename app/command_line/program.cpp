// `warplens program FILE.cu`: runs a whole program on the CPU engine, and lists its launches by the work they
// do.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/wording.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/output_format.h"
#include "app/command_line/run_program.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/pipeline/program_launches.h"
#include "core/gpu_spec.h"
#include "core/json_text.h"
#include "core/whole_file.h"
#include "instrumentation/catalog/catalogue.h"

namespace warplens::app {
namespace {

std::string share(double part, double all) {
    return all > 0 ? fmt::format("{:.0f} %", 100 * part / all) : std::string("-");
}

double seconds_of(const std::vector<ProgramKernel>& kernels) {
    double seconds = 0;
    for (const ProgramKernel& kernel : kernels) seconds += kernel.all_seconds();
    return seconds;
}

std::string table_text(const std::string& path, const ProgramLaunches& program) {
    std::string text;
    std::uint64_t launches = 0, steps = 0;
    std::size_t width = 6;
    for (const ProgramKernel& kernel : program.kernels) {
        launches += kernel.launches;
        steps += kernel.steps;
        width = std::max(width, std::min<std::size_t>(kernel.kernel.size(), 40));
    }
    const double seconds = seconds_of(program.kernels);
    text += fmt::format(
        "{}: {} launch{}, {} warp-instructions executed by the CPU engine, {:.2f} µs "
        "modelled for {}\n\n",
        path, analysis::grouped(launches), launches == 1 ? "" : "es", analysis::grouped(steps), seconds * 1e6,
        default_gpu().name);
    text += fmt::format("  {:>6}  {:>10}  {:>8}  {:>14}  {:<{}}  {:>5}  {}\n", "time", "each", "launches",
                        "steps", "kernel", width, "line", "grid, block");
    for (const ProgramKernel& kernel : program.kernels)
        text += fmt::format(
            "  {:>6}  {:>10}  {:>8}  {:>14}  {:<{}}  {:>5}  {}, {}\n", share(kernel.all_seconds(), seconds),
            kernel.modelled > 0
                ? fmt::format("{:.2f} µs", kernel.seconds / static_cast<double>(kernel.modelled) * 1e6)
                : "-",
            analysis::grouped(kernel.launches), analysis::grouped(kernel.steps), kernel.kernel, width,
            kernel.line, to_string(kernel.grid), to_string(kernel.block));
    text +=
        "\nsteps: executed, exact. Times: modelled, from machine code where available; copies and the "
        "host are not in them.\n";
    std::uint64_t modelled = 0;
    for (const ProgramKernel& kernel : program.kernels) modelled += kernel.modelled;
    if (modelled < launches)
        text += fmt::format(
            "{} of {} launches have a modelled time: others with the same kernel, grid and block "
            "count as their mean, and a kernel without one is not in the sum.\n",
            analysis::grouped(modelled), analysis::grouped(launches));
    for (const std::string& sentence : not_listed(program)) text += sentence + "\n";
    for (const ProgramKernel& kernel : program.kernels) {
        if (!kernel.problem.empty())
            text += fmt::format("\nproblem in {}: {}\n", kernel.kernel, kernel.problem);
        if (!kernel.why_not_executed.empty())
            text += fmt::format("\n{} of {} launches of {} not executed, so what they write is missing: {}\n",
                                analysis::grouped(kernel.launches - kernel.executed),
                                analysis::grouped(kernel.launches), kernel.kernel, kernel.why_not_executed);
    }
    if (!program.printed.empty()) text += fmt::format("\nThe program printed:\n{}\n", program.printed);
    if (!program.failed.empty()) text += fmt::format("\n{}\n", program.failed);
    return text;
}

Json as_json(const std::string& path, const ProgramLaunches& program) {
    Json kernels = Json::array();
    for (const ProgramKernel& kernel : program.kernels) {
        Json one = Json::object();
        one["kernel"] = kernel.kernel;
        one["line"] = kernel.line;
        one["grid"] = Json::array({kernel.grid.x, kernel.grid.y, kernel.grid.z});
        one["block"] = Json::array({kernel.block.x, kernel.block.y, kernel.block.z});
        one["launches"] = kernel.launches;
        one["executed"] = kernel.executed;
        one["steps"] = kernel.steps;
        one["modelled"] = kernel.modelled;
        one["modelled_us"] = kernel.seconds * 1e6;
        one["grids_below"] = kernel.grids_below;
        one["steps_below"] = kernel.steps_below;
        one["problem"] = kernel.problem;
        one["not_executed"] = kernel.why_not_executed;
        kernels.push_back(std::move(one));
    }
    Json all = Json::object();
    all["file"] = path;
    all["kernels"] = std::move(kernels);
    all["libraries"] = Json::array();
    for (const std::string& library : program.libraries) all["libraries"].push_back(library);
    all["printed"] = program.printed;
    all["failed"] = program.failed;
    return all;
}

}  // namespace

Result<int> list_launches(const ProgramOptions& options, const DrawProgram& draw) {
    WARPLENS_TRY(const auto kind, target_kind(options.launch.target));
    if (kind != TargetKind::cuda_file)
        return fail("{}: only a .cu file has host code to run", options.launch.target);
    WARPLENS_TRY(const auto format, output_format("a program's list", options.format, options.output,
                                                  {"text", "json"}, draw != nullptr));
    const auto pipeline = make_pipeline();
    ProgramInputsRequest request;
    WARPLENS_TRY(request.kernel, instrumentation::load_kernel_file(options.launch.target));
    request.kernel.include_paths = options.launch.include_paths;
    request.kernel.defines = options.launch.defines;
    LaunchRequest asked;
    asked.kernel = std::make_shared<const instrumentation::KernelFile>(request.kernel);
    WARPLENS_TRY(request.entries, pipeline->entries(asked));
    if (options.launch.time_limit_s)
        request.program_seconds = request.engine_seconds = *options.launch.time_limit_s;
    RunWatch& watch = RunWatch::of_this_process();
    watch.start(options.launch.time_limit_s);
    request.cancelled = should_stop;
    WARPLENS_TRY(auto program,
                 unless_stopped(run_whole_program(*pipeline, std::move(request)), "nothing was listed"));
    std::ranges::stable_sort(program.kernels, std::greater(), &ProgramKernel::all_seconds);
    const std::string& path = options.launch.target;
    if (format.is_picture) {
        WARPLENS_TRY(draw(options, program));
    } else {
        const std::string text =
            format.name == "json" ? json_text(as_json(path, program), 2) + "\n" : table_text(path, program);
        if (options.output.empty()) print_result(text);
        else WARPLENS_TRY(write_whole_file(options.output, text));
    }
    if (!program.ended) {
        print_message(fmt::format("{}; the list is of the launches before", watch.reason()));
        return exit_kernel_problems;
    }
    const bool problems = std::ranges::any_of(program.kernels, [](const ProgramKernel& kernel) {
        return !kernel.problem.empty() || !kernel.why_not_executed.empty();
    });
    return problems || !program.failed.empty() ? exit_kernel_problems : exit_success;
}

}  // namespace warplens::app
