// `warplens sass`: the machine code of a cubin's functions, one instruction per line, with offset, control
// fields and source line. Of a kernel that can be launched, also what each instruction did: the launch is
// executed at the machine level.
#include <fmt/ranges.h>

#include "analysis/wording.h"
#include "app/command_line/commands.h"
#include "app/command_line/headerless.h"
#include "app/command_line/output.h"
#include "app/command_line/reported.h"
#include "app/command_line/target.h"
#include "app/pipeline/kernel_code.h"
#include "core/read_file.h"
#include "sass/program.h"

namespace warplens::app {

namespace {

/// "B0-----:R-:W2:-:S04": scoreboards waited for, set when read and when written, yield, stall count.
std::string control_text(const sass::Control& control) {
    std::string wait;
    for (int i = 0; i < 6; ++i) wait += control.wait_mask >> i & 1 ? static_cast<char>('0' + i) : '-';
    const auto board = [](int number) { return number == 7 ? std::string("-") : std::to_string(number); };
    return fmt::format("B{}:R{}:W{}:{}:S{:02}", wait, board(control.read_scoreboard),
                       board(control.write_scoreboard), control.yield ? 'Y' : '-', control.stall);
}

void print_head(const sass::CubinFunction& function, const sass::MachineProgram& machine) {
    print_result(fmt::format("{} {}  sm_{}  {} registers, {} B shared, {} B stack, {} instructions\n",
                             function.kernel ? "kernel" : "function", function.name, machine.sm,
                             function.registers_per_thread, function.shared_static_bytes,
                             function.stack_bytes, machine.instructions.size()));
}

void print_unknown(const sass::MachineProgram& machine) {
    if (const auto unknown = unknown_sites(machine); !unknown.empty())
        print_result(fmt::format("  {} of {} instructions are unknown, printed as ???\n", unknown.size(),
                                 machine.instructions.size()));
}

void print_function(const sass::CubinFunction& function, const sass::MachineProgram& machine) {
    print_head(function, machine);
    for (std::size_t i = 0; i < machine.instructions.size(); ++i) {
        const Site& site = machine.program.sites[i];
        print_result(fmt::format("  {:05x}  {}  {:>5}  {}\n", i * sass::instruction_bytes,
                                 control_text(machine.instructions[i].control), site.line, site.text));
    }
    print_unknown(machine);
}

std::vector<std::string> names_of(const sass::Cubin& cubin) {
    std::vector<std::string> names;
    for (const sass::CubinFunction& function : cubin.functions) names.push_back(function.name);
    return names;
}

/// "12,345"; empty for what does not apply.
std::string count_text(std::uint64_t count, bool applies = true) {
    return applies ? analysis::grouped(count) : std::string();
}

void print_executed(const sass::CubinFunction& function, const sass::MachineProgram& machine,
                    const analysis::LaunchReport& report) {
    print_head(function, machine);
    print_result(fmt::format(
        "  executed: {} of {} blocks by the CPU engine; executions, lanes with their predicate on, sectors "
        "and wavefronts are "
        "exact, machine level\n",
        analysis::grouped(report.blocks_executed), analysis::grouped(report.launch.geometry.blocks())));
    print_result(fmt::format("  {:<5}  {:<20}  {:>5}  {:>5}  {:>11}  {:>5}  {:>11}  {:>11}\n", "bytes",
                             "control", "line", "PTX", "executions", "lanes", "sectors", "wavefronts"));
    for (std::size_t i = 0; i < machine.instructions.size(); ++i) {
        const Site& site = machine.program.sites[i];
        const analysis::SiteReport& counts = report.sites[i];
        const bool ran = counts.steps > 0;
        print_result(fmt::format("  {:05x}  {:<20}  {:>5}  {:>5}  {:>11}  {:>5}  {:>11}  {:>11}  {}\n",
                                 i * sass::instruction_bytes, control_text(machine.instructions[i].control),
                                 site.line, site.ptx_line, count_text(counts.steps, ran),
                                 ran ? fmt::format("{:.3g}", counts.mean_executed_lanes()) : "",
                                 count_text(counts.access.sectors, counts.access.sectors > 0),
                                 count_text(counts.access.wavefronts, counts.access.wavefronts > 0),
                                 site.text));
    }
    print_unknown(machine);
}

Result<int> list_file(const LaunchFlags& flags) {
    const std::string& path = flags.target;
    WARPLENS_TRY(check_listed_cubin(flags));
    WARPLENS_TRY(const auto bytes, read_file(path));
    const auto cubin = sass::read_cubin(bytes);
    if (!cubin) return fail("{}: {}", path, cubin.error().message);
    if (!flags.entry.empty() && cubin->find(flags.entry) == nullptr)
        return fail("{}: there is no function `{}` in the file; it has {}", path, flags.entry,
                    fmt::join(names_of(*cubin), ", "));
    for (const sass::CubinFunction& function : cubin->functions) {
        if (!flags.entry.empty() && function.name != flags.entry) continue;
        const auto machine = sass::number_machine_sites(*cubin, function.name);
        if (!machine) return fail("{}: {}", path, machine.error().message);
        print_function(function, *machine);
    }
    return exit_success;
}

/// The machine code that the launch is executed from.
Result<std::string> cubin_of(const LaunchRequest& request, std::string target) {
    WARPLENS_TRY(const auto values, instrumentation::resolve_parameters(*request.kernel, request.overrides));
    WARPLENS_TRY(const auto wanted, compile_request(*request.kernel, values, std::move(target)));
    WARPLENS_TRY(const auto code, build_code(*compiler_of_this_machine(), wanted, *request.kernel));
    return code->cubin;
}

Result<int> list_launch(LaunchFlags flags) {
    flags.level = "machine";
    WARPLENS_TRY(const auto request, launch_request(flags));
    ReportRunOptions options;
    options.model_time = false;
    options.pipeline = make_pipeline();
    WARPLENS_TRY(const auto reported, report_of(flags, options));
    WARPLENS_TRY(const auto bytes, cubin_of(request, reported.report->launch.resources.target));
    WARPLENS_TRY(const auto cubin, sass::read_cubin(bytes));
    WARPLENS_TRY(const auto machine, sass::number_machine_sites(cubin, reported.program.entry));
    print_executed(*cubin.find(reported.program.entry), machine, *reported.report);
    if (!reported.stopped.empty()) print_message(reported.stopped);
    return is_faulty(*reported.report) || !reported.stopped.empty() ? exit_kernel_problems : exit_success;
}

}  // namespace

Result<int> list_machine_code(const LaunchFlags& flags) {
    const bool listed = is_cubin(flags.target) && !has_launch_flags(flags);
    return listed ? list_file(flags) : list_launch(flags);
}

}  // namespace warplens::app
