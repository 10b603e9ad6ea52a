// `warplens check`: compares a kernel's metrics, or those of all kernels of a file of limits, with bounds.
#include <fmt/core.h>

#include <algorithm>

#include "app/command_line/check_printing.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/target.h"
#include "app/command_line/versus.h"

namespace warplens::app {
namespace {

Result<std::vector<CheckJob>> jobs_of(const CheckOptions& options) {
    if (!options.limits_file.empty()) {
        if (!options.launch.target.empty() || !options.max.empty() || !options.min.empty() ||
            !options.lines.empty() || !options.versus.empty())
            return fail(
                "--limits {}: the file names the kernels and their limits; leave out {}", options.limits_file,
                options.launch.target.empty() ? "--max, --min, --site and --versus" : options.launch.target);
        auto jobs = read_limits_file(options.limits_file);
        if (!jobs) return jobs;
        for (CheckJob& job : *jobs) {
            job.allow_problems |= options.allow_problems;
            if (!options.check_races.empty()) job.check_races = options.check_races;
            if (!options.launch.level.empty()) job.launch.level = options.launch.level;
        }
        return jobs;
    }
    if (options.versus.empty() && !options.max_worse.empty())
        return fail(
            "--max-worse {}: worse than what? Add --versus FILE: a report in JSON, or a kernel's own file",
            options.max_worse.front());
    if (options.launch.target.empty())
        return fail("check what? Give a kernel or file and its limits, or --limits FILE");
    CheckJob job;
    job.launch = options.launch;
    job.lines = options.lines;
    job.allow_problems = options.allow_problems;
    job.check_races = options.check_races;
    job.versus = options.versus;
    for (const std::string& text : options.max_worse) {
        WARPLENS_TRY(const analysis::WorseLimit limit, analysis::parse_worse_limit(text));
        job.max_worse.push_back(limit);
    }
    if (job.max_worse.empty()) job.max_worse.push_back({});
    for (const bool at_most : {true, false})
        for (const std::string& text : at_most ? options.max : options.min) {
            WARPLENS_TRY(auto limit, parse_limit(text, at_most));
            job.limits.push_back(limit);
        }
    if (job.limits.empty() && job.versus.empty())
        return fail(
            "{}: no limit is given; add --max METRIC=VALUE or --min METRIC=VALUE, for example --max "
            "shared_load.conflict_ways=1, --max problems=0, or --versus main.json",
            options.launch.target);
    WARPLENS_TRY(check_lines(job.limits, job.lines));
    return std::vector<CheckJob>{std::move(job)};
}

/// The metrics that are worse than in the other report.
Status compare_reports(Checked& checked, analysis::RunFacts before) {
    analysis::RunFacts after = analysis::facts_of(*checked.reported.report);
    WARPLENS_TRY(analysis::check_same_basis(before, after));
    checked.comparison = analysis::compare(std::move(before), std::move(after));
    checked.regressions = analysis::regressions(*checked.comparison, checked.job.max_worse);
    return {};
}

Result<Checked> carry_out(const CheckJob& job, const std::shared_ptr<Pipeline>& pipeline) {
    ReportRunOptions run_options;
    run_options.pipeline = pipeline;
    run_options.races = races_named(job.check_races);
    LaunchFlags launch = job.launch;
    std::optional<analysis::RunFacts> before;
    if (!job.versus.empty()) {
        WARPLENS_TRY(before, facts_of_other(launch, job.versus, run_options));
    }
    const auto any_limit = [&](const auto& is) {
        return std::ranges::any_of(job.limits, [&](const Limit& limit) { return is(*limit.metric); });
    };
    run_options.model_time =
        before || any_limit([](const analysis::Metric& metric) { return metric.needs_timing; });
    // Times are compared with those of the file at its level.
    run_options.time_machine_code =
        before ? before->level_of_times() != Level::ptx : any_limit(analysis::is_modelled_time);
    WARPLENS_TRY(auto reported, report_of(launch, run_options));
    if (!reported.stopped.empty()) return fail("{}: {}", job.launch.target, reported.stopped);
    WARPLENS_TRY(const auto sites, sites_of_lines(reported.program, job.lines));
    auto outcomes = check_limits(job.limits, *reported.report, sites, job.lines.empty());
    Checked checked{job, std::move(reported), std::move(outcomes)};
    if (before) {
        // Another file's kernel may have another name.
        if (!is_report_file(job.versus)) before->kernel = checked.reported.report->launch.kernel;
        WARPLENS_TRY(compare_reports(checked, std::move(*before)));
    }
    return checked;
}

}  // namespace

Result<int> check(const CheckOptions& options) {
    if (options.fix) return propose_fix(options);
    if (!options.array.empty() || options.row_elements > 0)
        return fail("--array and --row-elements are for --fix");
    if (options.format != "text" && options.format != "json" && options.format != "github")
        return fail("--format {} is not known; it is text, json or github (annotations)", options.format);
    WARPLENS_TRY(const auto jobs, jobs_of(options));
    const auto pipeline = make_pipeline();
    std::vector<Checked> all;
    for (const CheckJob& job : jobs) {
        auto checked = carry_out(job, pipeline);
        if (!checked) {
            if (job.from.empty()) return tl::unexpected(checked.error());
            return fail("{}: {}", job.from, checked.error().message);
        }
        all.push_back(std::move(*checked));
    }
    const std::string text = options.format == "text"   ? check_text(all)
                             : options.format == "json" ? check_json(all)
                                                        : check_annotations(all);
    print_result(text);
    const bool held = std::ranges::all_of(all, [](const Checked& checked) { return checked.held(); });
    return held ? exit_success : exit_kernel_problems;
}

}  // namespace warplens::app
