#include "analysis/report/machine_counts.h"

#include <fmt/format.h>

namespace warplens::analysis {
namespace {

std::optional<double> count_of(const Metric& metric, const MetricSums& sums) {
    const auto value = metric.read(sums);
    return value ? std::optional(*value) : std::nullopt;
}

std::string table_row(std::string_view name, std::string_view ptx, std::string_view machine) {
    return fmt::format("  {:<40}{:>16}{:>16}", name, ptx, machine);
}

std::string word_of(const std::optional<double>& value) { return value ? metric_value(*value) : "none"; }

}  // namespace

std::vector<CountOfBoth> counts_of_both(const LaunchReport& report) {
    std::vector<CountOfBoth> counts;
    if (!report.machine_code) return counts;
    const MetricSums ptx = whole_launch(report), machine = whole_launch(report.machine_code->report);
    // Problems are findings, not counts: accesses that the assembler merged have fewer races.
    for (const Metric& metric : metrics())
        if (metric.source == MetricSource::counted && !metric.needs_timing && metric.name != "problems")
            counts.push_back({&metric, count_of(metric, ptx), count_of(metric, machine)});
    return counts;
}

std::vector<std::string> machine_count_lines(const LaunchReport& report) {
    if (!report.machine_code_absent.empty())
        return {fmt::format("Machine code  not counted: {}", report.machine_code_absent)};
    if (!report.machine_code) return {};
    std::vector<std::string> lines;
    for (const CountOfBoth& count : counts_of_both(report))
        if (count.differs())
            lines.push_back(table_row(count.metric->name, word_of(count.ptx), word_of(count.machine)));
    if (lines.empty()) lines = {"Machine code  executed as well: every count is the same"};
    else {
        lines.insert(lines.begin(),
                     {"Machine code  executed as well; a profiler counts it (--level machine reports its "
                      "instructions)",
                      table_row("", "PTX", "machine code")});
        lines.emplace_back("  Every other count is the same.");
    }
    if (report.printed && !report.printed->calls.empty())
        lines.emplace_back(
            "  A profiler also counts the instructions inside printf, which are not in the kernel.");
    if (const std::string& golden = report.machine_code->report.golden; golden != report.golden)
        lines.push_back(fmt::format("  Its golden check: {}", golden));
    return lines;
}

Json machine_counts_json(const LaunchReport& report) {
    if (!report.machine_code) return nullptr;
    Json out{{"golden", report.machine_code->report.golden}};
    for (const CountOfBoth& count : counts_of_both(report)) {
        if (!count.machine) continue;
        if (count.metric->is_count) out[count.metric->name] = static_cast<std::uint64_t>(*count.machine);
        else out[count.metric->name] = *count.machine;
    }
    return out;
}

}  // namespace warplens::analysis
