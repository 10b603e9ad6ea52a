// MachineCounts: the counts of a launch's PTX beside those of its machine code, which a profiler counts. The
// assembler merges accesses, turns branches into predicates and drops instructions, so the two differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report/launch_report.h"
#include "analysis/report/metrics.h"
#include "core/json.h"

namespace warplens::analysis {

struct CountOfBoth {
    const Metric* metric = nullptr;
    std::optional<double> ptx, machine;  // none: there is nothing to count, such as requests of a mean

    bool differs() const { return ptx != machine; }
};

/// The counted metrics, in their table's order; empty where the machine code was not executed.
std::vector<CountOfBoth> counts_of_both(const LaunchReport& report);

/// The section of the report as text: the counts that differ. Empty where the machine code was not requested.
std::vector<std::string> machine_count_lines(const LaunchReport& report);

/// By metric name, the counts of the machine code, with its golden check; null where it was not executed.
warplens::Json machine_counts_json(const LaunchReport& report);

}  // namespace warplens::analysis
