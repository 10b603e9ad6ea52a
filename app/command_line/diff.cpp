// `warplens diff A B`: two builds of a kernel compared instruction by instruction, with what each instruction
// executed where both are kernels that can be launched.
#include <fmt/ranges.h>

#include <algorithm>

#include "app/command_line/commands.h"
#include "app/command_line/diff_printing.h"
#include "app/command_line/headerless.h"
#include "app/command_line/output.h"
#include "app/command_line/reported.h"
#include "app/command_line/target.h"
#include "app/command_line/versus.h"
#include "app/pipeline/kernel_code.h"
#include "core/read_file.h"
#include "sass/program.h"

namespace warplens::app {

namespace {

constexpr std::uint64_t most_cubin_bytes = std::uint64_t{256} << 20;

/// A .cubin without a launch.
bool is_listed(const LaunchFlags& flags) { return is_cubin(flags.target) && !has_launch_flags(flags); }

void describe(const sass::Cubin& cubin, const std::string& entry, Build& build) {
    build.entry = entry;
    build.target = fmt::format("sm_{}", cubin.sm);
    const sass::CubinFunction& function = *cubin.find(entry);
    build.registers = function.registers_per_thread;
    build.shared_bytes = function.shared_static_bytes;
    build.stack_bytes = function.stack_bytes;
}

/// The kernel to compare: the one named, or the only one.
Result<std::string> entry_of(const sass::Cubin& cubin, const std::string& path, const std::string& wanted) {
    std::vector<std::string> names;
    for (const sass::CubinFunction& function : cubin.functions) {
        if (!function.kernel) continue;
        if (function.name == wanted) return wanted;
        names.push_back(function.name);
    }
    if (wanted.empty() && names.size() == 1) return names.front();
    if (names.empty()) return fail("{} has no kernel", path);
    if (!wanted.empty())
        return fail("{}: there is no kernel `{}` in the file; it has {}", path, wanted,
                    fmt::join(names, ", "));
    return fail("{}: choose a kernel with --kernel: {}", path, fmt::join(names, ", "));
}

Result<Build> build_of_cubin(const std::string& path, const std::string& entry) {
    auto bytes = read_file(path, most_cubin_bytes);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto cubin = sass::read_cubin(*bytes);
    if (!cubin) return fail("{}: {}", path, cubin.error().message);
    WARPLENS_TRY(const std::string chosen, entry_of(*cubin, path, entry));
    auto machine = sass::number_machine_sites(*cubin, chosen);
    if (!machine) return fail("{}: {}", path, machine.error().message);
    Build build;
    build.name = path;
    build.program = std::move(machine->program);
    describe(*cubin, chosen, build);
    return build;
}

Result<Build> build_of_launch(LaunchFlags flags) {
    if (is_listed(flags)) return build_of_cubin(flags.target, flags.entry);
    if (flags.target.ends_with(".wltrace"))
        return fail("{} is a recorded trace, which has no machine code; give its kernel", flags.target);
    flags.level = "machine";
    ReportRunOptions options;
    options.model_time = false;
    options.pipeline = make_pipeline();
    WARPLENS_TRY(auto reported, report_of(flags, options));
    WARPLENS_TRY(const auto loaded, load_target(flags, options.pipeline, false));
    WARPLENS_TRY(const auto cubin, sass::read_cubin(loaded.launch.built->cubin));
    Build build;
    build.name = flags.target;
    for (const std::string& setting : flags.set) build.name += " " + setting;
    build.program = std::move(reported.program);
    build.report = reported.report;
    build.stopped = reported.stopped;
    describe(cubin, build.program.entry, build);
    return build;
}

/// The launch that the second words describe: as --versus has it, or a .cubin.
Result<LaunchFlags> other_launch(const DiffOptions& options) {
    const auto cubin = std::ranges::find_if(options.other, is_cubin);
    if (cubin != options.other.end()) {
        if (is_listed(options.launch)) WARPLENS_TRY(check_listed_cubin(options.launch));
        LaunchFlags flags = options.launch;
        flags.target = *cubin;
        flags.set.clear();
        if (options.other.size() > 1)
            return fail("{}: a .cubin takes no settings; leave {} out", *cubin,
                        options.other.front() == *cubin ? options.other.back() : options.other.front());
        return flags;
    }
    LaunchFlags flags = options.launch;
    if (is_cubin(flags.target)) {
        if (!flags.set.empty())
            return fail("{}: a .cubin takes no settings; write {} after {}, without --set", flags.target,
                        flags.set.front(), options.other.front());
        if (options.other.front().find('=') != std::string::npos)
            return fail("{}: a .cubin takes no settings; compare it with a kernel or a file",
                        options.other.front());
    }
    WARPLENS_TRY(const Versus versus, parse_versus(flags, options.other));
    if (!versus.report_file.empty())
        return fail("{}: a report has no machine code; give a kernel or a file", versus.report_file);
    return versus.launch;
}

}  // namespace

Result<int> diff_builds(const DiffOptions& options) {
    if (options.format != "text" && options.format != "json")
        return fail("--format {} is not a format of a comparison of builds; it is text or json",
                    options.format);
    WARPLENS_TRY(const LaunchFlags other, other_launch(options));
    WARPLENS_TRY(const Build before, build_of_launch(options.launch));
    WARPLENS_TRY(const Build after, build_of_launch(other));
    print_result(options.format == "text" ? diff_text(before, after) : diff_json(before, after));
    for (const Build* build : {&before, &after})
        if (!build->stopped.empty()) print_message(build->stopped);
    // Of a run that was stopped, the differences are those of a part.
    const auto whole = [](const Build& build) {
        return build.stopped.empty() && (!build.report || !is_faulty(*build.report));
    };
    return whole(before) && whole(after) ? exit_success : exit_kernel_problems;
}

}  // namespace warplens::app
