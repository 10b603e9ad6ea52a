#include "analysis/compare/comparison_printing.h"

#include <algorithm>
#include <cmath>

#include "analysis/wording.h"
#include "core/json_text.h"

namespace warplens::analysis {
namespace {

/// "simulated", "simulated → measured"
std::string both_sources(const MetricChange& change) {
    if (!change.mixes_sources()) return std::string(to_string(change.before.provenance));
    return fmt::format("{} → {}", to_string(change.before.provenance), to_string(change.after.provenance));
}

/// "PTX level", "machine level → PTX level"
std::string both_levels(const MetricChange& change) {
    if (!change.mixes_levels()) return std::string(to_string(change.before.level));
    return fmt::format("{} → {}", to_string(change.before.level), to_string(change.after.level));
}

std::vector<const MetricChange*> changed_rows(const Comparison& comparison) {
    std::vector<const MetricChange*> rows;
    for (const MetricChange& change : comparison.changes)
        if (change.outcome != Outcome::same) rows.push_back(&change);
    return rows;
}

std::string outcome_words(const MetricChange& change) {
    if (change.outcome == Outcome::differs) return {};
    if (change.outcome != Outcome::incomparable) return std::string(to_string(change.outcome));
    if (!change.before.value || !change.after.value) return "absent";
    return change.mixes_levels() ? "levels" : "sample";
}

/// "Times are modelled from machine code."; empty: there are none, or their levels differ, as a caution says.
std::string times_words(const Comparison& comparison) {
    const auto before = comparison.before.level_of_times(), after = comparison.after.level_of_times();
    if (!before || before != after) return {};
    return fmt::format("Times are modelled from {}.", code_of_level(*before));
}

std::string plain_value(const Metric& metric, const MetricFact& fact) {
    return fact.value ? plain_words(metric, *fact.value) : "none";
}

/// Behind the metric's name; seconds have their unit at the number.
std::string unit_words(const Metric& metric) {
    return metric.unit.empty() || metric.unit == "s" ? "" : ", " + metric.unit;
}

std::string heading(const Comparison& comparison) {
    const RunFacts& after = comparison.after;
    const bool same_kernel = comparison.before.kernel == after.kernel;
    return fmt::format("{}{}", same_kernel ? after.kernel + (comparison.settings.empty() ? "" : "  ") : "",
                       comparison.settings);
}

/// A name is at most this wide in a heading.
std::string shortened(const std::string& name, std::size_t most) {
    return name.size() <= most ? name : "…" + name.substr(name.size() - most + 1);
}

Json run_row(const RunFacts& run, const std::string& name) {
    return {{"name", name},
            {"kernel", run.kernel},
            {"gpu", run.gpu},
            {"parameters", run.parameters},
            {"grid", {run.grid.x, run.grid.y, run.grid.z}},
            {"block", {run.block.x, run.block.y, run.block.z}},
            {"blocks_executed", run.blocks_executed},
            {"golden", run.golden}};
}

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json change_row(const MetricChange& change) {
    const Metric& metric = *change.metric;
    Json row{{"metric", metric.name},
             {"unit", metric.unit},
             {"before", number(change.before.value)},
             {"after", number(change.after.value)},
             {"difference", number(change.difference)},
             {"percent", number(change.percent)},
             {"outcome", to_string(change.outcome)},
             {"better", metric.better == Better::less   ? Json("less")
                        : metric.better == Better::more ? Json("more")
                                                        : Json(nullptr)},
             {"provenance", {to_string(change.before.provenance), to_string(change.after.provenance)}},
             {"level", both_levels(change)}};
    if (!change.before.value) row["absent_before"] = change.before.absent;
    if (!change.after.value) row["absent_after"] = change.after.absent;
    return row;
}

/// The rows for a reviewer: metrics that got better or worse by a percent or more, time and occupancy.
bool is_main(const MetricChange& change) {
    if (change.outcome != Outcome::better && change.outcome != Outcome::worse) return false;
    return !change.percent || std::abs(*change.percent) >= 1;
}

/// Names come from files, so characters with a meaning in Markdown or HTML are escaped.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '&') out += "&amp;";
        else if (static_cast<unsigned char>(c) < ' ') out += ' ';
        else if (std::string_view("|`*_[]\\").find(c) != std::string_view::npos)
            out += fmt::format("\\{}", c);
        else out += c;
    }
    return out;
}

std::string markdown_table(const Comparison& comparison, const std::vector<const MetricChange*>& rows) {
    std::string out = fmt::format("| metric | {} | {} | change | | source |\n|---|--:|--:|--:|---|---|\n",
                                  escaped(comparison.before_name), escaped(comparison.after_name));
    for (const MetricChange* change : rows)
        out += fmt::format("| `{}`{} | {} | {} | {} | {} | {} |\n", change->metric->name,
                           unit_words(*change->metric), plain_value(*change->metric, change->before),
                           plain_value(*change->metric, change->after), percent_words(*change),
                           outcome_words(*change), both_sources(*change));
    return out;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
    std::string out;
    const auto line = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
        std::string words = fmt::format(format, std::forward<Args>(args)...);
        words.erase(words.find_last_not_of(' ') + 1);
        out += words + "\n";
    };
    const bool one_gpu = comparison.before.gpu == comparison.after.gpu;
    line("{}{}", heading(comparison), one_gpu ? "  on " + comparison.after.gpu : "");
    line("{}", comparison.verdict);
    for (const std::string& caution : comparison.cautions) line("note: {}", caution);
    const auto rows = changed_rows(comparison);
    if (!rows.empty()) {
        line("");
        line("{:<38}{:>18}{:>18}{:>10}  {:<8}{}", "Metric", shortened(comparison.before_name, 17),
             shortened(comparison.after_name, 17), "change", "", "source");
    }
    for (const MetricChange* change : rows)
        line("{:<38}{:>18}{:>18}{:>10}  {:<8}{}", change->metric->name,
             plain_value(*change->metric, change->before), plain_value(*change->metric, change->after),
             percent_words(*change), outcome_words(*change),
             fmt::format("{}, {}", both_sources(*change), both_levels(*change)));
    line("");
    const std::size_t same = comparison.changes.size() - rows.size();
    line("{} of {} metrics are the same or absent in both runs. {}", same, comparison.changes.size(),
         times_words(comparison));
    return out;
}

std::string comparison_json(const Comparison& comparison) {
    Json out{{"before", run_row(comparison.before, comparison.before_name)},
             {"after", run_row(comparison.after, comparison.after_name)},
             {"settings", comparison.settings},
             {"verdict", comparison.verdict},
             {"cautions", comparison.cautions},
             {"metrics", Json::array()}};
    for (const MetricChange& change : comparison.changes)
        if (change.before.value || change.after.value) out["metrics"].push_back(change_row(change));
    return json_text(out, 2) + "\n";
}

std::string comparison_markdown(const Comparison& comparison) {
    std::string out = fmt::format("**{}**\n\n{} on {}\n\n", escaped(comparison.verdict),
                                  escaped(heading(comparison)), escaped(comparison.after.gpu));
    std::vector<const MetricChange*> main, others;
    for (const MetricChange* change : changed_rows(comparison))
        (is_main(*change) ? main : others).push_back(change);
    if (!main.empty()) out += markdown_table(comparison, main) + "\n";
    if (!others.empty())
        out += fmt::format("<details><summary>{} more metrics changed</summary>\n\n{}\n</details>\n\n",
                           others.size(), markdown_table(comparison, others));
    for (const std::string& caution : comparison.cautions) out += fmt::format("> {}\n", escaped(caution));
    if (!comparison.cautions.empty()) out += "\n";
    out +=
        fmt::format("Counts are at {}. {}\n", to_string(comparison.after.fact(*find_metric("steps")).level),
                    times_words(comparison));
    return out;
}

}  // namespace warplens::analysis
