#include "app/command_line/versus.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "analysis/compare/read_report.h"
#include "analysis/time/activity_report.h"
#include "app/command_line/headerless.h"
#include "app/command_line/target.h"
#include "app/pipeline/model_streams.h"
#include "core/read_file.h"

namespace warplens::app {
namespace {

bool is_setting(const std::string& word) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0) return false;
    return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                       [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// Without its folders: a table for a pull request is read on another machine.
std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string name_of(const std::string& setting) { return setting.substr(0, setting.find('=')); }

/// gpu and engine are not parameters, but are set like them, as in `sweep --over`.
void apply(LaunchFlags& launch, const std::string& setting) {
    const std::string name = name_of(setting), value = setting.substr(name.size() + 1);
    if (name == "gpu") launch.gpu = value;
    else if (name == "engine") launch.engine = value;
    else launch.set.push_back(setting);
}

/// A .cubin does not say how it is launched: as what it is compared with is.
Status take_over_launch(const LaunchFlags& flags, LaunchFlags& cubin) {
    WARPLENS_TRY(const auto request, launch_request(flags));
    cubin.launched_as = request.kernel;
    cubin.set = flags.set;
    return {};
}

/// The settings of the first kernel that the other one also has: N of both matmuls.
Status take_over(const std::vector<std::string>& settings, LaunchFlags& launch) {
    WARPLENS_TRY(const auto request, launch_request(launch));
    std::vector<std::string> shared;
    for (const std::string& setting : settings)
        if (std::ranges::any_of(request.kernel->parameters,
                                [&](const auto& parameter) { return parameter.name == name_of(setting); }))
            shared.push_back(setting);
    launch.set.insert(launch.set.begin(), shared.begin(), shared.end());
    return {};
}

}  // namespace

Result<Versus> parse_versus(const LaunchFlags& flags, const std::vector<std::string>& words) {
    std::string target;
    std::vector<std::string> settings;
    for (const std::string& word : words) {
        if (word.empty()) return fail("--versus names nothing: give a setting, a kernel's name or a file");
        if (is_setting(word)) {
            for (const std::string& earlier : settings)
                if (name_of(earlier) == name_of(word))
                    return fail(
                        "{} and {} are two other runs, and one is compared; give {} once, or use warplens "
                        "sweep --over",
                        earlier, word, name_of(word));
            settings.push_back(word);
            continue;
        }
        if (!target.empty())
            return fail("--versus {}: one kernel or file is compared with; {} is given already", word,
                        target);
        target = word;
    }
    Versus versus;
    if (is_report_file(target)) {
        if (!settings.empty())
            return fail("--versus {}: the report in {} was made already; leave the setting out",
                        settings.front(), target);
        versus.report_file = target;
        return versus;
    }
    versus.launch = flags;
    if (!target.empty()) {
        auto kind = target_kind(target);
        if (!kind) return fail("--versus {}", kind.error().message);
        if (*kind == TargetKind::trace_file) versus.launch = {};
        versus.launch.target = target;
        versus.launch.set.clear();
    }
    if (!settings.empty() && versus.launch.target.ends_with(".wltrace"))
        return fail(
            "--versus {}: {} is a recorded trace, which no setting changes; name another trace, or compare "
            "the kernel itself",
            settings.front(), versus.launch.target);
    if (is_cubin(target) && !is_cubin(flags.target) && !has_launch_flags(flags)) {
        if (!settings.empty())
            return fail("--versus {}: {} is compiled already, and no setting changes it", settings.front(),
                        target);
        WARPLENS_TRY(take_over_launch(flags, versus.launch));
        return versus;
    }
    for (const std::string& setting : settings) apply(versus.launch, setting);
    if (!target.empty() && !flags.set.empty() && !target.ends_with(".wltrace"))
        if (auto status = take_over(flags.set, versus.launch); !status)
            return fail("--versus {}", status.error().message);
    return versus;
}

Status give_cubin_its_launch(LaunchFlags& flags, const Versus& versus) {
    const LaunchFlags& other = versus.launch;
    const bool has_launch = !versus.report_file.empty() || is_cubin(other.target) ||
                            other.target.ends_with(".wltrace") || other.target.empty();
    if (!is_cubin(flags.target) || has_launch_flags(flags) || has_launch) return {};
    return take_over_launch(other, flags);
}

Result<Versus> drawn_versus(LaunchFlags& flags, const std::vector<std::string>& words) {
    WARPLENS_TRY(Versus versus, parse_versus(flags, words));
    if (!versus.report_file.empty())
        return fail("--versus {}: a report has no trace to draw; give a .wltrace", versus.report_file);
    WARPLENS_TRY(give_cubin_its_launch(flags, versus));
    return versus;
}

bool is_report_file(const std::string& versus) { return versus.ends_with(".json"); }

void name_by_files(const std::string& target, analysis::RunFacts& run, const std::string& other_target,
                   analysis::RunFacts& other) {
    const auto is_file = [](const std::string& of) {
        return target_kind(of).value_or(TargetKind::kernel_name) != TargetKind::kernel_name;
    };
    if (run.kernel != other.kernel || target == other_target || !is_file(target) || !is_file(other_target))
        return;
    const bool alike = file_name(target) == file_name(other_target);
    run.name = alike ? target : file_name(target);
    other.name = alike ? other_target : file_name(other_target);
}

Result<analysis::RunFacts> read_report_file(const std::string& path) {
    const auto text = read_file(path, analysis::most_report_bytes);
    if (!text) return fail("--versus {}", text.error().message);
    auto facts = analysis::read_report_json(*text, path);
    if (!facts) return fail("--versus {}", facts.error().message);
    facts->name = file_name(path);
    return facts;
}

namespace {

/// A .cubin counts machine instructions, so what it is compared with does, too.
bool counts_at_machine_level(const LaunchFlags& flags, const Versus& versus) {
    return is_cubin(flags.target) != is_cubin(versus.launch.target) && versus.report_file.empty() &&
           !versus.launch.target.ends_with(".wltrace");
}

/// Microseconds of the fastest way of using streams, modelled; nothing where the kernel declares none.
std::optional<double> streams_us_of(const LaunchFlags& flags, const ReportRunOptions& run_options) {
    const auto kind = target_kind(flags.target);
    const bool runs_here = kind && *kind != TargetKind::trace_file &&
                           (flags.engine.empty() || flags.engine == "simt") && run_options.model_time;
    if (!runs_here) return std::nullopt;
    const auto loaded = load_again(flags, run_options.pipeline);
    if (!loaded || !loaded->launch.kernel || !loaded->launch.kernel->streams) return std::nullopt;
    const auto activities = model_activities(*loaded->pipeline, loaded->launch, [] { return false; });
    if (!activities || activities->empty()) return std::nullopt;
    const auto figures = analysis::activity_figures(*activities);
    return figures[analysis::fastest(figures)].total_us;
}

Result<VersusFacts> facts_of_target(const LaunchFlags& flags, const ReportRunOptions& run_options) {
    WARPLENS_TRY(const auto reported, report_of(flags, run_options));
    const analysis::LaunchReport& report = *reported.report;
    VersusFacts side{analysis::facts_of(report), reported.stopped,
                     report.schedule ? report.schedule->why_ptx : "", is_faulty(report)};
    side.facts.streams_us = streams_us_of(flags, run_options);
    if (flags.target.ends_with(".wltrace")) side.facts.name = file_name(flags.target);
    return side;
}

bool is_timed_from_ptx(const VersusFacts& side) { return side.facts.level_of_times() == Level::ptx; }

std::string caution_of(const VersusFacts& side) {
    if (side.why_ptx.empty()) return {};
    return fmt::format("The times are modelled from PTX, because of {}: {}.", side.facts.name, side.why_ptx);
}

}  // namespace

Result<analysis::RunFacts> facts_of_other(LaunchFlags& flags, const std::string& word,
                                          const ReportRunOptions& run_options) {
    if (is_report_file(word)) return read_report_file(word);
    WARPLENS_TRY(Versus versus, parse_versus(flags, {word}));
    WARPLENS_TRY(give_cubin_its_launch(flags, versus));
    if (counts_at_machine_level(flags, versus)) flags.level = versus.launch.level = "machine";
    WARPLENS_TRY(auto other, facts_of_target(versus.launch, run_options));
    if (!other.stopped.empty()) return fail("--versus {}: {}", word, other.stopped);
    other.facts.name = word;
    return std::move(other.facts);
}

Result<BothFacts> facts_of_both(const LaunchFlags& asked, const Versus& versus,
                                ReportRunOptions run_options) {
    BothFacts both;
    LaunchFlags flags = asked, other = versus.launch;
    const auto named = [&] {
        name_by_files(flags.target, both.before.facts, other.target, both.after.facts);
        return both;
    };
    if (counts_at_machine_level(flags, versus)) flags.level = other.level = "machine";
    WARPLENS_TRY(give_cubin_its_launch(flags, versus));
    if (!versus.report_file.empty()) {
        WARPLENS_TRY(both.after.facts, read_report_file(versus.report_file));
        if (is_timed_from_ptx(both.after)) run_options.time_machine_code = false;
        WARPLENS_TRY(both.before, facts_of_target(flags, run_options));
        both.caution = caution_of(both.before);
        return both;
    }
    WARPLENS_TRY(both.before, facts_of_target(flags, run_options));
    both.caution = caution_of(both.before);
    if (is_timed_from_ptx(both.before)) run_options.time_machine_code = false;
    WARPLENS_TRY(both.after, facts_of_target(other, run_options));
    if (!both.before.facts.level_of_times() || is_timed_from_ptx(both.before) ||
        !is_timed_from_ptx(both.after))
        return named();
    both.caution = caution_of(both.after);
    run_options.time_machine_code = false;
    WARPLENS_TRY(both.before, facts_of_target(flags, run_options));
    return named();
}

}  // namespace warplens::app
