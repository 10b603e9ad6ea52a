// Sweep: some metrics of a kernel over one or two of its parameters, row by row. The caller decides what runs
// a point: the CPU engine, a GPU or a recording. app/views/sweep draws it, app/command_line prints it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/launch_report.h"
#include "analysis/report/launch_tree.h"
#include "analysis/report/metrics.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// A parameter and the values it takes, in order: "PAD" over 0, 1, 2.
struct SweepAxis {
    std::string name;
    std::vector<std::string> values;
    friend bool operator==(const SweepAxis&, const SweepAxis&) = default;
};

inline constexpr std::size_t most_sweep_points = 4096;

/// "PAD=0..4", "block=32..1024:32" (a step), "n=1024..1048576:*2" (a factor), "TILE=8,16,32".
Result<SweepAxis> parse_axis(std::string_view text);

/// Of one or two axes, the first slowest.
struct SweepPlan {
    std::vector<SweepAxis> axes;
    std::vector<const analysis::Metric*> metrics;

    std::size_t points() const;
    /// The values of point `index`, one per axis.
    std::vector<std::string> at(std::size_t index) const;
    bool needs_timing() const;
    bool has_times() const;        // a metric is of the timing model
    bool counts_problems() const;  // a metric does: then the search includes races
    friend bool operator==(const SweepPlan&, const SweepPlan&) = default;
};

/// A swept value as it is written: "67,108,864", "float4".
std::string swept_words(const std::string& value);
/// The values of an axis as its ticks have them: numbers with as few digits, four or more, as tell them
/// apart.
std::vector<std::string> tick_words(const SweepAxis& axis);
/// "TILE 16, PAD 1": a point in words, each parameter and value between two of `quote`.
std::string setting_words(const SweepPlan& plan, const std::vector<std::string>& at, std::string_view quote);

struct SweepRow {
    std::vector<std::string> at;                // one per axis
    std::vector<std::optional<double>> values;  // one per metric
    std::string failed;   // why nothing was measured: a value the header does not allow, a launch too large
    std::string absent;   // why some metric has no value here
    std::string problem;  // the problem of the kernel in this run, or its failed golden check
    std::uint64_t problem_bytes = 0;  // of the buffers that the launch reads, or writes if it reads none
    analysis::GridWork below;         // of the grids that the launch's grid launches
    /// That it does not compute the same as the first row that was compared, or that this is not known: a
    /// sentence; empty: it does.
    std::string difference;
    std::string note;  // how far races were searched for, if not everywhere as requested
};

struct Sweep {
    std::string kernel, gpu, engine;
    Level level = Level::ptx;                  // of the counts
    std::map<std::string, std::string> fixed;  // parameters that were not swept
    SweepPlan plan;
    std::vector<SweepRow> rows;           // one per point, in order
    std::vector<Provenance> provenance;   // one per metric
    std::vector<Level> levels;            // one per metric
    std::optional<Level> level_of_times;  // of all rows; none: there are no times
    std::string problem_setter;           // a swept parameter that says what is computed; empty: none does
    std::string untimed;                  // untimed_grids() of a row, where times are swept
    bool sampled = false;                 // not all blocks of the grids were executed
    // Of the rows, by conclude(): drawn in every frame.
    std::vector<std::vector<std::size_t>> best;  // best_rows() of each metric
    std::vector<std::string> remarks;            // remarks_of()

    std::size_t measured() const;  // rows that did not fail
    bool faulty() const;           // some run had a problem
    bool moves_work() const;       // the grids that the launches launch do different work
    /// Why the runs are not alike, a sentence: they solve different problems, compute different things, or
    /// leave different parts of the work to grids that they launch. Empty: they are alike, and the best of
    /// their times is the best setting.
    std::string why_unlike() const;
    /// Where a metric's numbers come from: "simulated", "modelled from machine code".
    std::string source(std::size_t metric) const;
    /// The least and the largest value of a metric; nothing where no row has one.
    std::optional<std::pair<double, double>> range(std::size_t metric) const;
};

/// The rows with the best value of a metric, the best first: several where they are equally good, as times
/// that differ by less than the model's error. None where neither way is better, where fewer than two have a
/// value, where all are equally good, where the launched grids do different work, or where the metric grows
/// with the problem and the runs are unlike.
std::vector<std::size_t> best_rows(const Sweep& sweep, std::size_t metric);

/// Sentences on the whole sweep: why no best is marked, and what its times leave out.
std::vector<std::string> remarks_of(const Sweep& sweep);

/// Fills in what follows from the rows: `best` and `remarks`. A Sweep of run_sweep() has it.
void conclude(Sweep& sweep);

struct PointRun {
    int threads = 0;                      // for the run to use
    std::optional<Level> level_of_times;  // of the points before; none: this one decides
};

/// Runs one point; called from several threads when `workers` is above 1.
using MeasurePoint = std::function<Result<std::shared_ptr<const analysis::LaunchReport>>(
    const std::vector<std::string>& at, const PointRun& run)>;

/// SweepRow::difference of a point that ran without problems. The first call, made alone, leaves in memory
/// what the others are compared with: how many points fit beside each other is decided after it. Later ones
/// are called from several threads when `workers` is above 1.
using DifferenceOfPoint = std::function<std::string(const std::vector<std::string>& at, const PointRun& run,
                                                    const analysis::LaunchReport& report)>;

struct SweepOptions {
    int workers = 0;  // 0: as many as pay, by the machine's cores and memory
    std::function<void(std::size_t done)> progress;
    std::function<bool()> cancelled;
    std::function<bool(const std::string& parameter)> sets_problem;  // sets_the_problem of proposals.h
    DifferenceOfPoint difference;   // asked where it decides whether there is a best; see sweep_comparison.h
    bool keep_interrupted = false;  // cancelled: rows that were not run say so; otherwise it is an error
};

/// Errors: cancelled. A point that cannot be run is a row with the reason. All times are of one level: that
/// of the first point that has a time, from the last.
Result<Sweep> run_sweep(const SweepPlan& plan, const MeasurePoint& measure, const SweepOptions& options);

/// A first plan: the header's [sweep], or a parameter with a small range in the header, over all or 17 of its
/// values, and the metrics of the kernel's first view. No axes: the kernel has no parameter to vary.
SweepPlan first_sweep(const instrumentation::KernelFile& kernel);
/// Values of a parameter worth running: all where there are at most twice `most`, else up to `most`, evenly
/// with powers of two instead of their neighbours, or by doubling. Of a range without a step, its ends and
/// the multiples of 1, 2, 2.5 or 5 times a power of ten between them.
std::vector<std::string> sweep_values(const instrumentation::ParameterDeclaration& parameter,
                                      std::size_t most = 17);

struct SweepRequest {
    std::shared_ptr<const instrumentation::KernelFile> kernel;
    std::map<std::string, std::string> overrides;  // of what is not swept
    std::string gpu;                               // GpuSpec name; empty: default_gpu()
    SweepPlan plan;
    Level times = Level::machine;  // of the modelled times, where the machine code can be had
};

/// Who runs a sweep. Called on a thread of its own.
using RunSweep = std::function<Result<Sweep>(const SweepRequest& request, const SweepOptions& options)>;

}  // namespace warplens::app
