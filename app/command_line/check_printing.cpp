#include "app/command_line/check_printing.h"

#include <algorithm>
#include <charconv>

#include "analysis/report/grouped_notes.h"
#include "analysis/wording.h"
#include "core/json_text.h"

namespace warplens::app {
namespace {

using analysis::metric_value;
using analysis::metric_words;

/// "shared_load.conflict_ways is 32 ways, at most 1 is allowed"
std::string finding(const LimitOutcome& outcome) {
    const analysis::Metric& metric = *outcome.limit.metric;
    if (!outcome.value) return fmt::format("{} has no value: {}", metric.name, outcome.absent);
    return fmt::format("{} is {}, {} {} {}", metric.name, metric_words(metric, *outcome.value),
                       outcome.limit.at_most ? "at most" : "at least", metric_value(outcome.limit.bound),
                       outcome.held ? "was asked" : "is allowed");
}

/// "line 54 of …: ld.shared.f32 has 32 ways"
std::string worst_words(const LimitOutcome& outcome, const Checked& checked) {
    if (!outcome.worst) return {};
    const Program& program = checked.reported.program;
    const Site& site = program.sites[outcome.worst->site];
    return fmt::format("worst at {} ({}): {}", place_of(site, program), site.opcode,
                       metric_words(*outcome.limit.metric, outcome.worst->value));
}

/// Why the value is bad, and which command tries changes of this kernel: no remedy that nobody has tried.
std::string reason_for(const LimitOutcome& outcome, const Checked& checked) {
    const analysis::Metric& metric = *outcome.limit.metric;
    const bool worse = outcome.limit.at_most == (metric.better == analysis::Better::less);
    if (!outcome.value || !worse || metric.cause.empty()) return {};
    if (metric.source != analysis::MetricSource::counted || metric.name == "problems") return metric.cause;
    const bool banks = metric.name.starts_with("shared_");
    return fmt::format(
        fmt::runtime(banks ? "{} `warplens check {} --fix` tries paddings and swizzles."
                           : "{} `warplens report {}` tries changes and lists those that help."),
        metric.cause, checked.job.launch.target);
}

std::string problem_place(const Problem& problem) {
    if (problem.line > 0 && !problem.file.empty()) return fmt::format("{}:{}: ", problem.file, problem.line);
    return {};
}

std::string heading(const Checked& checked) {
    const trace::Launch& launch = checked.reported.report->launch;
    std::string words = launch.kernel;
    for (const auto& [name, value] : launch.parameters) words += fmt::format("  {}={}", name, value);
    words += fmt::format("  on {}", launch.gpu);
    if (checked.reported.report->blocks_executed != launch.geometry.blocks())
        words += fmt::format("  ({} of {} blocks)", checked.reported.report->blocks_executed,
                             launch.geometry.blocks());
    return words;
}

/// How far races were searched for in a run without problems; empty: everywhere.
std::string races_left_out(const Checked& checked) {
    const analysis::RaceCheck& races = checked.reported.report->races;
    if (!races.note.empty()) return races.note;
    return races.blocks == 0 ? "races were not searched for" : "";
}

struct Counts {
    std::size_t limits = 0, broken = 0, faulty = 0, compared = 0, worse = 0;
};

Counts count(const std::vector<Checked>& all) {
    Counts counts;
    for (const Checked& checked : all) {
        counts.limits += checked.outcomes.size();
        counts.broken +=
            static_cast<std::size_t>(std::ranges::count(checked.outcomes, false, &LimitOutcome::held));
        counts.faulty += checked.faulty();
        counts.compared += checked.comparison.has_value();
        counts.worse += checked.regressions.size();
    }
    return counts;
}

/// "3 limits of 2 runs: 1 broken; 1 run with problems"
std::string verdict(const std::vector<Checked>& all) {
    const Counts counts = count(all);
    std::string words;
    if (counts.compared > 0)
        words = counts.worse == 0 ? "no metric got worse"
                                  : fmt::format("{} got worse", analysis::counted(counts.worse, "metric"));
    if (counts.limits > 0 || counts.compared == 0)
        words += (words.empty() ? "" : "; ") +
                 fmt::format("{} of {}: {}", analysis::counted(counts.limits, "limit"),
                             analysis::counted(all.size(), "run"),
                             counts.broken == 0 ? "all hold" : fmt::format("{} broken", counts.broken));
    if (counts.faulty > 0)
        words += fmt::format("; {} with problems", analysis::counted(counts.faulty, "run"));
    return words;
}

Json triple(Dim3 extent) { return Json::array({extent.x, extent.y, extent.z}); }

Json problem_rows(const std::vector<Problem>& problems) {
    Json rows = Json::array();
    for (const Problem& problem : problems)
        rows.push_back({{"kind", to_string(problem.kind)},
                        {"message", problem.message},
                        {"file", problem.file},
                        {"line", problem.line},
                        {"block", triple(problem.block)},
                        {"thread", triple(problem.thread)},
                        {"count", problem.count}});
    return rows;
}

Json limit_row(const LimitOutcome& outcome, const Checked& checked) {
    const Program& program = checked.reported.program;
    Json row{{"metric", outcome.limit.metric->name},
             {"bound", outcome.limit.at_most ? "max" : "min"},
             {"limit", outcome.limit.bound},
             {"measured", outcome.value ? Json(*outcome.value) : Json(nullptr)},
             {"unit", outcome.limit.metric->unit},
             {"provenance", to_string(outcome.provenance)},
             {"level", analysis::level_word(outcome.level)},
             {"holds", outcome.held}};
    if (!outcome.value) row["absent"] = outcome.absent;
    if (outcome.worst) {
        const Site& site = program.sites[outcome.worst->site];
        row["worst"] = {{"site", outcome.worst->site},
                        {"line", site.line},
                        {"ptx_line", site.ptx_line},
                        {"opcode", site.opcode},
                        {"measured", outcome.worst->value}};
        if (site.file < program.sources.size()) row["worst"]["file"] = program.sources[site.file].name;
    }
    if (const std::string reason = reason_for(outcome, checked); !outcome.held && !reason.empty())
        row["reason"] = reason;
    return row;
}

/// Escapes characters that an annotation's message or property may not contain.
std::string escaped(std::string_view text, bool is_property) {
    std::string out;
    for (const char c : text) {
        const bool special = c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
        if (special) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        else out += c;
    }
    return out;
}

std::string annotation(std::string_view file, std::uint32_t line, std::string_view title,
                       std::string_view message) {
    std::string place;
    if (!file.empty() && line > 0) place = fmt::format("file={},line={},", escaped(file, true), line);
    return fmt::format("::error {}title={}::{}\n", place, escaped(title, true), escaped(message, false));
}

}  // namespace

bool Checked::held() const {
    return !faulty() && regressions.empty() && std::ranges::all_of(outcomes, &LimitOutcome::held);
}

std::string check_text(const std::vector<Checked>& all) {
    std::string text;
    const auto line = [&](int indent, std::string_view words) {
        text += std::string(static_cast<std::size_t>(indent), ' ') + std::string(words) + "\n";
    };
    for (const Checked& checked : all) {
        const analysis::LaunchReport& report = *checked.reported.report;
        line(0, heading(checked));
        for (const LimitOutcome& outcome : checked.outcomes) {
            line(2, fmt::format("{:<8}{} ({})", outcome.held ? "holds" : "BROKEN", finding(outcome),
                                analysis::source_words(outcome.provenance, outcome.level)));
            if (outcome.held) continue;
            if (const std::string worst = worst_words(outcome, checked); !worst.empty()) line(10, worst);
            if (const std::string reason = reason_for(outcome, checked); !reason.empty()) line(10, reason);
        }
        if (checked.comparison) {
            line(2, fmt::format("{:<8}{}: {}", "versus", checked.comparison->before.name,
                                checked.comparison->verdict));
            for (const std::string& caution : checked.comparison->cautions) line(10, caution);
        }
        for (const analysis::Regression& worse : checked.regressions)
            line(2, fmt::format("{:<8}{}", "WORSE", worse.sentence));
        if (const std::string words = races_left_out(checked); !words.empty())
            line(2, fmt::format("{:<8}{}", "note", words));
        const char* verdict = checked.job.allow_problems ? "allowed" : "WRONG";
        for (const Problem& problem : report.problems)
            line(2, fmt::format("{:<8}{}{}: {}", verdict, problem_place(problem), to_string(problem.kind),
                                problem.message));
        if (report.golden.starts_with("failed"))
            line(2, fmt::format("{:<8}golden check {}", verdict, report.golden));
        for (const analysis::GroupedNote& note : analysis::grouped_notes(report.notes))
            line(2, fmt::format("{:<8}{}", "note", note.sentence()));
    }
    line(0, verdict(all));
    return text;
}

std::string check_json(const std::vector<Checked>& all) {
    Json out;
    out["holds"] = std::ranges::all_of(all, [](const Checked& checked) { return checked.held(); });
    out["checks"] = Json::array();
    for (const Checked& checked : all) {
        const analysis::LaunchReport& report = *checked.reported.report;
        Json row{{"kernel", report.launch.kernel},
                 {"engine", report.launch.engine},
                 {"gpu", report.launch.gpu},
                 {"holds", checked.held()},
                 {"parameters", report.launch.parameters},
                 {"grid", triple(report.launch.geometry.grid)},
                 {"block", triple(report.launch.geometry.block)},
                 {"blocks_executed", report.blocks_executed}};
        row["limits"] = Json::array();
        for (const LimitOutcome& outcome : checked.outcomes)
            row["limits"].push_back(limit_row(outcome, checked));
        if (checked.comparison) {
            row["versus"] = {{"report", checked.comparison->before.name},
                             {"verdict", checked.comparison->verdict},
                             {"worse", Json::array()}};
            for (const analysis::Regression& worse : checked.regressions)
                row["versus"]["worse"].push_back(
                    {{"metric", worse.metric->name}, {"message", worse.sentence}});
        }
        row["problems"] = problem_rows(report.problems);
        row["notes"] = problem_rows(report.notes);
        row["races"] = {{"looked_for", report.races.blocks > 0},
                        {"blocks", report.races.blocks},
                        {"complete", report.races.complete},
                        {"note", report.races.note}};
        row["golden"] = report.golden;
        if (!checked.job.from.empty()) row["from"] = checked.job.from;
        out["checks"].push_back(std::move(row));
    }
    return json_text(out, 2) + "\n";
}

std::string check_annotations(const std::vector<Checked>& all) {
    std::string text;
    for (const Checked& checked : all) {
        const analysis::LaunchReport& report = *checked.reported.report;
        const Program& program = checked.reported.program;
        const std::string kernel = heading(checked);
        for (const LimitOutcome& outcome : checked.outcomes) {
            if (outcome.held) continue;
            std::string file;
            std::uint32_t line = 0;
            if (outcome.worst) {
                const Site& site = program.sites[outcome.worst->site];
                if (site.file < program.sources.size()) file = program.sources[site.file].name;
                line = site.line;
            }
            const std::string reason = reason_for(outcome, checked);
            text += annotation(file, line, outcome.limit.metric->name,
                               fmt::format("{}: {} ({}){}{}", kernel, finding(outcome),
                                           analysis::source_words(outcome.provenance, outcome.level),
                                           reason.empty() ? "" : ". ", reason));
        }
        for (const analysis::Regression& worse : checked.regressions)
            text += annotation("", 0, worse.metric->name, fmt::format("{}: {}", kernel, worse.sentence));
        if (const std::string words = races_left_out(checked); !words.empty())
            text += fmt::format("{}: {}\n", kernel, words);
        for (const analysis::GroupedNote& note : analysis::grouped_notes(report.notes))
            text += fmt::format("{}: {}\n", kernel, note.sentence());
        if (checked.job.allow_problems) continue;
        for (const Problem& problem : report.problems)
            text += annotation(problem.file, problem.line, to_string(problem.kind),
                               fmt::format("{}: {}", kernel, problem.message));
        if (report.golden.starts_with("failed"))
            text += annotation("", 0, "golden check", fmt::format("{}: {}", kernel, report.golden));
    }
    return text + verdict(all) + "\n";
}

}  // namespace warplens::app
