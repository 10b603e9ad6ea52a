// RunFacts: the input of a comparison from one run: the launch, and every metric with its value or the reason
// why it has none. Made from a LaunchReport, or from the output of `report --format json` (read_report.h);
// the values are those of metrics.h in both cases. Compared by comparison.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/launch_report.h"
#include "analysis/report/metrics.h"
#include "core/launch.h"
#include "core/provenance.h"

namespace warplens::analysis {

struct MetricFact {
    std::optional<double> value;
    std::string absent;  // without a value: why, the end of a sentence
    Provenance provenance = Provenance::exact;
    Level level = Level::ptx;
};

struct RunFacts {
    std::string name;  // the name of the run: "transpose_tiled", "main.json"
    std::string kernel, gpu;
    std::map<std::string, std::string> parameters;  // as printed: {"PAD": "1"}
    Dim3 grid, block;
    std::uint64_t blocks_executed = 0;           // fewer than grid.count(): sums are of a sample
    Provenance counted = Provenance::simulated;  // of the counts: by the CPU engine, or on a GPU
    std::string golden;                          // as LaunchReport::golden
    /// Of the modelled SM: the blocks that it runs, and those of them that its time was modelled from; 0: no
    /// times.
    std::uint64_t blocks_on_sm = 0, blocks_modelled = 0;
    std::vector<MetricFact> facts;  // in the order of metrics()
    /// By device code, and their warp-steps: in none of the metrics.
    std::uint64_t launched_grids = 0, launched_steps = 0;
    /// Modelled microseconds of the fastest way of using streams that the kernel declares; none: it declares
    /// none.
    std::optional<double> streams_us = {};

    bool models_whole_sm() const { return blocks_modelled >= blocks_on_sm; }
    bool complete() const { return blocks_executed == grid.count(); }
    const MetricFact& fact(const Metric& metric) const;
    /// Of the modelled times; none: there are none.
    std::optional<Level> level_of_times() const;
};

/// The name is the kernel's.
RunFacts facts_of(const LaunchReport& report);

}  // namespace warplens::analysis
