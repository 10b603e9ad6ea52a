#include "app/pipeline/sweep.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "analysis/time/time_resolution.h"
#include "core/free_memory.h"

namespace warplens::app {
namespace {

/// The parameters of the launch, except the swept ones.
void describe(Sweep& sweep, const analysis::LaunchReport& report) {
    const trace::Launch& launch = report.launch;
    sweep.kernel = launch.kernel;
    sweep.engine = launch.engine;
    sweep.level = report.level;
    std::set<std::string> swept;
    for (const SweepAxis& axis : sweep.plan.axes) swept.insert(axis.name);
    if (!swept.contains("gpu")) sweep.gpu = launch.gpu;
    for (const auto& [name, value] : launch.parameters)
        if (!swept.contains(name)) sweep.fixed[name] = value;
    sweep.provenance.clear();
    sweep.levels.clear();
    for (const analysis::Metric* metric : sweep.plan.metrics) {
        sweep.provenance.push_back(analysis::provenance_of(*metric, report));
        sweep.levels.push_back(analysis::level_of(*metric, report));
    }
    if (report.schedule && sweep.plan.has_times()) sweep.level_of_times = report.schedule->level;
}

std::uint64_t problem_bytes(const analysis::LaunchReport& report) {
    const auto& touched = report.footprint.buffers;
    const auto& buffers = report.launch.buffers;
    std::uint64_t read = 0, written = 0;
    for (std::size_t i = 0; i < std::min(touched.size(), buffers.size()); ++i) {
        if (touched[i].read > 0) read += buffers[i].bytes;
        if (touched[i].written > 0) written += buffers[i].bytes;
    }
    return read > 0 ? read : written;
}

/// A time of another level than the rest of the column would not be comparable.
std::string why_not_comparable(const Sweep& sweep, const analysis::LaunchReport& report) {
    if (!sweep.level_of_times || !report.schedule || report.schedule->level == *sweep.level_of_times)
        return {};
    return fmt::format("the times of the others are modelled from {}, this one's from {}{}{}",
                       code_of_level(*sweep.level_of_times), code_of_level(report.schedule->level),
                       report.schedule->why_ptx.empty() ? "" : ": ", report.schedule->why_ptx);
}

SweepRow row_of(const Sweep& sweep, std::vector<std::string> at,
                const Result<std::shared_ptr<const analysis::LaunchReport>>& report) {
    const SweepPlan& plan = sweep.plan;
    SweepRow row;
    row.at = std::move(at);
    row.values.resize(plan.metrics.size());
    if (!report) {
        row.failed = report.error().message;
        return row;
    }
    const analysis::MetricSums sums = analysis::whole_launch(**report);
    const std::string incomparable = why_not_comparable(sweep, **report);
    for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        if (!incomparable.empty() && analysis::is_modelled_time(*plan.metrics[i])) row.absent = incomparable;
        else if (const auto value = plan.metrics[i]->read(sums)) row.values[i] = *value;
        else row.absent = value.error().message;
    }
    row.problem_bytes = problem_bytes(**report);
    row.below = analysis::work_below(**report);
    if (!(*report)->problems.empty()) row.problem = (*report)->problems.front().message;
    else if ((*report)->golden.starts_with("failed")) row.problem = "golden check " + (*report)->golden;
    row.note = (*report)->races.note;
    return row;
}

/// A metric has a best only among runs that are alike.
bool needs_like_runs(const SweepPlan& plan) {
    return std::ranges::any_of(plan.metrics, [](const analysis::Metric* metric) {
        return metric->better != analysis::Better::neither && analysis::grows_with_problem(*metric);
    });
}

/// Points that run at the same time: at most one per core, and as many as fit into half of the free memory if
/// each is as large as the largest so far. Asked when what the sweep keeps for comparisons is in memory.
int workers_for(const SweepOptions& options, std::size_t points, std::uint64_t largest) {
    if (options.workers > 0) return options.workers;
    const auto cores = std::max(1u, std::thread::hardware_concurrency());
    // The buffers, and their contents before the launch for the golden check.
    const std::uint64_t fitting = free_memory() / 2 / std::max<std::uint64_t>(1, 2 * largest);
    return static_cast<int>(std::clamp<std::uint64_t>(fitting, 1, std::min<std::uint64_t>(cores, points)));
}

}  // namespace

std::size_t SweepPlan::points() const {
    std::size_t points = axes.empty() ? 0 : 1;
    for (const SweepAxis& axis : axes) points *= axis.values.size();
    return points;
}

std::vector<std::string> SweepPlan::at(std::size_t index) const {
    std::vector<std::string> at(axes.size());
    for (std::size_t i = axes.size(); i-- > 0;) {
        at[i] = axes[i].values[index % axes[i].values.size()];
        index /= axes[i].values.size();
    }
    return at;
}

bool SweepPlan::needs_timing() const {
    return std::ranges::any_of(metrics, [](const analysis::Metric* metric) { return metric->needs_timing; });
}

bool SweepPlan::has_times() const {
    return std::ranges::any_of(
        metrics, [](const analysis::Metric* metric) { return analysis::is_modelled_time(*metric); });
}

bool SweepPlan::counts_problems() const {
    return std::ranges::any_of(metrics,
                               [](const analysis::Metric* metric) { return metric->name == "problems"; });
}

std::size_t Sweep::measured() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rows, [](const SweepRow& row) { return row.failed.empty(); }));
}

bool Sweep::faulty() const {
    return std::ranges::any_of(rows, [](const SweepRow& row) { return !row.problem.empty(); });
}

bool Sweep::moves_work() const {
    const SweepRow* first = nullptr;
    for (const SweepRow& row : rows) {
        if (!row.failed.empty()) continue;
        if (!first) first = &row;
        if (row.below != first->below) return true;
    }
    return false;
}

std::string Sweep::why_unlike() const {
    if (measured() < 2) return {};
    if (moves_work())
        return "The runs leave different parts of the work to the grids that the kernel launches, which the "
               "numbers leave out.";
    if (!problem_setter.empty())
        return fmt::format("The runs solve different problems: `{}` says what is computed.", problem_setter);
    std::set<std::uint64_t> sizes;
    for (const SweepRow& row : rows)
        if (row.failed.empty()) sizes.insert(row.problem_bytes);
    if (sizes.size() > 1) return "The runs solve different problems: their buffers have different sizes.";
    for (const SweepRow& row : rows)
        if (!row.difference.empty()) return row.difference;
    return {};
}

std::optional<std::pair<double, double>> Sweep::range(std::size_t metric) const {
    std::optional<std::pair<double, double>> range;
    for (const SweepRow& row : rows) {
        if (row.values.size() <= metric || !row.values[metric]) continue;
        const double value = *row.values[metric];
        range = range ? std::pair(std::min(range->first, value), std::max(range->second, value))
                      : std::pair(value, value);
    }
    return range;
}

std::string Sweep::source(std::size_t metric) const {
    if (metric >= provenance.size()) return {};
    return analysis::source_words(provenance[metric], metric < levels.size() ? levels[metric] : Level::ptx);
}

std::vector<std::string> remarks_of(const Sweep& sweep) {
    std::vector<std::string> remarks;
    if (const std::string why = sweep.why_unlike(); sweep.moves_work())
        remarks.push_back(why + " So there is no best.");
    else if (needs_like_runs(sweep.plan) && !why.empty())
        remarks.push_back(why + " So times and amounts of work have no best.");
    if (!sweep.untimed.empty()) remarks.push_back(sweep.untimed);
    return remarks;
}

std::vector<std::size_t> best_rows(const Sweep& sweep, std::size_t metric) {
    const analysis::Metric& of = *sweep.plan.metrics[metric];
    const std::vector<SweepRow>& rows = sweep.rows;
    if (of.better == analysis::Better::neither || sweep.moves_work()) return {};
    if (analysis::grows_with_problem(of) && !sweep.why_unlike().empty()) return {};
    const auto equal = [&](double a, double b) {
        return analysis::metric_value(a) == analysis::metric_value(b) ||
               (analysis::is_modelled_time(of) && analysis::same_time(a, b, analysis::model_error));
    };
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].values.size() > metric && rows[i].values[metric] && rows[i].problem.empty())
            candidates.push_back(i);
    if (candidates.empty()) return {};
    const auto value = [&](std::size_t row) { return *rows[row].values[metric]; };
    const double leading = of.better == analysis::Better::less
                               ? value(std::ranges::min(candidates, {}, value))
                               : value(std::ranges::max(candidates, {}, value));
    std::vector<std::size_t> best;
    std::ranges::copy_if(candidates, std::back_inserter(best),
                         [&](std::size_t row) { return equal(value(row), leading); });
    std::ranges::stable_sort(best, [&](std::size_t a, std::size_t b) {
        return of.better == analysis::Better::less ? value(a) < value(b) : value(a) > value(b);
    });
    return best.size() < candidates.size() ? best : std::vector<std::size_t>();
}

void conclude(Sweep& sweep) {
    sweep.best.clear();
    for (std::size_t metric = 0; metric < sweep.plan.metrics.size(); ++metric)
        sweep.best.push_back(best_rows(sweep, metric));
    sweep.remarks = remarks_of(sweep);
}

Result<Sweep> run_sweep(const SweepPlan& plan, const MeasurePoint& measure, const SweepOptions& options) {
    Sweep sweep;
    sweep.plan = plan;
    for (const SweepAxis& axis : plan.axes)
        if (sweep.problem_setter.empty() && options.sets_problem && options.sets_problem(axis.name))
            sweep.problem_setter = axis.name;
    const bool compares =
        options.difference && sweep.problem_setter.empty() && needs_like_runs(plan) && plan.points() > 1;
    sweep.rows.resize(plan.points());
    for (std::size_t point = 0; point < sweep.rows.size(); ++point)
        sweep.rows[point] = row_of(sweep, plan.at(point), fail("not run"));
    const auto cancelled = [&] { return options.cancelled && options.cancelled(); };
    std::mutex mutex;
    std::size_t done = 0;
    bool described = false, compared = false;
    std::uint64_t largest = 0;
    const auto run = [&](std::size_t point, int threads) {
        const PointRun about{threads, sweep.level_of_times};
        const auto report = measure(plan.at(point), about);
        const bool is_right =
            report && (*report)->problems.empty() && !(*report)->golden.starts_with("failed");
        std::string difference;
        if (compares && is_right) difference = options.difference(plan.at(point), about, **report);
        const std::lock_guard lock(mutex);
        compared |= compares && is_right;
        if (report) {
            std::uint64_t bytes = 0;
            for (const trace::Buffer& buffer : (*report)->launch.buffers) bytes += buffer.bytes;
            largest = std::max(largest, bytes);
            sweep.sampled |= (*report)->blocks_executed != (*report)->launch.geometry.blocks();
            const bool has_first_time = plan.has_times() && !sweep.level_of_times && (*report)->schedule;
            if (!described || has_first_time) describe(sweep, **report);
            described = true;
            if (plan.has_times() && sweep.untimed.empty()) sweep.untimed = analysis::untimed_grids(**report);
        }
        sweep.rows[point] = row_of(sweep, plan.at(point), report);
        sweep.rows[point].difference = std::move(difference);
        if (options.progress) options.progress(++done);
    };
    // The last point is mostly the largest: it shows how many fit into memory at once. Points run one after
    // another until one decides the level of the times, which does not change after that, and until what they
    // are compared with is in memory.
    std::size_t left = plan.points();
    const auto is_decided = [&] {
        return described && (!plan.has_times() || sweep.level_of_times) && (!compares || compared);
    };
    while (left > 0 && !is_decided() && !cancelled()) run(--left, 0);
    const int workers = workers_for(options, left, largest);
    const int threads =
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / std::max(1, workers));
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        while (!cancelled()) {
            const std::size_t point = next++;
            if (point >= left) return;
            run(point, workers == 1 ? 0 : threads);
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (int i = 1; i < workers; ++i) helpers.emplace_back(work);
        work();
    }
    if (cancelled() && !options.keep_interrupted) return fail("the sweep was cancelled");
    conclude(sweep);
    return sweep;
}

}  // namespace warplens::app
