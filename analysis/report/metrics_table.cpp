#include "analysis/report/metrics_table.h"

#include <fmt/format.h>

#include "analysis/report/access_figures.h"
#include "analysis/time/measured_summary.h"

namespace warplens::analysis {
namespace {

Result<double> whole(std::uint64_t value) { return static_cast<double>(value); }

class Table {
  public:
    std::vector<Metric> take() { return std::move(rows_); }

    void add_access(std::size_t kind) {
        const AccessKind& row = access_kinds[kind];
        for (const AccessFigure& figure : access_figures(row))
            add({fmt::format("{}.{}", row.name, figure.name), figure.unit, figure.meaning,
                 cause_of(row, figure), figure.better, MetricSource::counted, true, false,
                 [kind, &figure](const MetricSums& sums) { return read_figure(figure, kind, sums); },
                 figure.is_sum() ? MetricKind::sum : MetricKind::figure, !figure.per,
                 amount_of(row, figure)});
    }

    void add_execution() {
        const char* paths =
            "Lanes of one warp that take different paths are executed one path after another.";
        add({"divergence.branches", "branches", "conditional branches that warps executed", "",
             Better::neither, MetricSource::counted, true, false,
             [](const MetricSums& sums) { return whole(sums.branches); }, MetricKind::sum, true});
        add({"divergence.divergent_branches", "branches", "conditional branches whose lanes took both paths",
             paths, Better::less, MetricSource::counted, true, false,
             [](const MetricSums& sums) { return whole(sums.branches_divergent); }, MetricKind::sum, true});
        add({"divergence.mean_active_lanes", "lanes", "active lanes, the mean over the steps", paths,
             Better::more, MetricSource::counted, true, false, [](const MetricSums& sums) -> Result<double> {
                 if (sums.steps == 0) return fail("nothing was executed");
                 return static_cast<double>(sums.active_lanes) / static_cast<double>(sums.steps);
             }});
        rows_.back().amount = "steps";
        add({"divergence.mean_executed_lanes", "lanes",
             "active lanes whose predicate is on, the mean over the steps; of a branch, those that take it",
             "Lanes whose predicate is off go along with the others, and the instruction does nothing for "
             "them.",
             Better::neither, MetricSource::counted, true, false,
             [](const MetricSums& sums) -> Result<double> {
                 if (sums.steps == 0) return fail("nothing was executed");
                 return static_cast<double>(sums.executed_lanes) / static_cast<double>(sums.steps);
             }});
        rows_.back().amount = "steps";
        add({"steps", "steps", "warp-instructions executed", "", Better::less, MetricSource::counted, true,
             false, [](const MetricSums& sums) { return whole(sums.steps); }, MetricKind::sum, true});
        add({"problems", "problems", "distinct errors of the kernel by kind and site, including races",
             "`warplens report` lists them with their lines under Problems.", Better::less,
             MetricSource::counted, false, false,
             [](const MetricSums& sums) { return whole(sums.report->problems.size()); }, MetricKind::figure,
             true});
    }

    void add_fit() {
        const auto row = [&](const char* name, const char* unit, Better better, const char* meaning,
                             const char* cause, auto&& of) {
            add({name, unit, meaning, cause, better, MetricSource::exact, false, false,
                 [of](const MetricSums& sums) -> Result<double> { return of(*sums.report); },
                 MetricKind::figure, *unit != '\0'});  // the one ratio has no unit
        };
        row("resources.registers_per_thread", "registers", Better::less, "as assigned by the assembler",
            "Fewer warps fit on an SM when each thread takes more registers.",
            [](const LaunchReport& report) -> Result<double> {
                if (report.launch.resources.registers_per_thread == 0)
                    return fail("the kernel's registers are not known: nothing assembled it");
                return whole(report.launch.resources.registers_per_thread);
            });
        // What they cost is warps: more of them are worse where fewer warps fit.
        const char* fit = "occupancy.theoretical";
        rows_.back().amount = fit;
        row("resources.shared_static_bytes", "bytes", Better::less, "shared memory per block, declared", "",
            [](const LaunchReport& report) { return whole(report.launch.resources.shared_static_bytes); });
        rows_.back().amount = fit;
        row("resources.shared_dynamic_bytes", "bytes", Better::less,
            "shared memory per block, from the launch", "",
            [](const LaunchReport& report) { return whole(report.launch.geometry.dynamic_shared_bytes); });
        rows_.back().amount = fit;
        row("resources.stack_bytes", "bytes", Better::less, "local memory per thread, including spills",
            "Spilled values and arrays whose index is not a constant are in local memory.",
            [](const LaunchReport& report) { return whole(report.launch.resources.stack_bytes); });
        const char* limit = "The resource that runs out first limits it: `warplens report` names it.";
        row("occupancy.blocks_per_sm", "blocks", Better::more, "resident on an SM", limit,
            [](const LaunchReport& report) -> Result<double> { return report.occupancy.blocks_per_sm; });
        row("occupancy.warps_per_sm", "warps", Better::more, "resident on an SM", limit,
            [](const LaunchReport& report) -> Result<double> { return report.occupancy.warps_per_sm; });
        row("occupancy.theoretical", "", Better::more, "share of an SM's warp slots, 0 to 1", limit,
            [](const LaunchReport& report) -> Result<double> { return report.occupancy.theoretical; });
    }

    void add_schedule() {
        const auto row = [&](std::string name, const char* unit, Better better, std::string meaning,
                             auto&& of, MetricKind kind = MetricKind::figure) {
            add({"schedule." + std::move(name), unit, std::move(meaning), "", better, MetricSource::modelled,
                 false, true,
                 [of](const MetricSums& sums) -> Result<double> {
                     const LaunchReport& report = *sums.report;
                     if (report.schedule) return of(*report.schedule);
                     return fail("no modelled time{}{}", report.schedule_absent.empty() ? "" : ": ",
                                 report.schedule_absent);
                 },
                 kind});
        };
        row("cycles", "cycles", Better::less, "of the whole launch",
            [](const ScheduleSummary& summary) -> Result<double> { return summary.launch.cycles; });
        row("seconds", "s", Better::less, "of the whole launch, at the SM's clock",
            [](const ScheduleSummary& summary) -> Result<double> {
                if (summary.seconds <= 0) return fail("the clock of this GPU is not known");
                return summary.seconds;
            });
        row(
            "issue_active", "", Better::more, "share of cycles in which schedulers issue",
            [](const ScheduleSummary& summary) -> Result<double> { return summary.stalls.issue_active(); },
            MetricKind::breakdown);
        row(
            "eligible_warps", "warps", Better::more, "eligible to issue, the mean over cycles",
            [](const ScheduleSummary& summary) -> Result<double> { return summary.stalls.eligible_warps(); },
            MetricKind::breakdown);
        row("dram_bytes", "bytes", Better::less, "traffic between the launch and DRAM",
            [](const ScheduleSummary& summary) -> Result<double> { return summary.launch.dram_bytes; });
        row("l2_bytes", "bytes", Better::less, "traffic between the launch and L2",
            [](const ScheduleSummary& summary) -> Result<double> { return summary.launch.l2_bytes; });
        row("repeated_load_latency", "cycles", Better::less,
            "from a load's issue to its data, the mean over loads of memory that the SM had accessed before",
            [](const ScheduleSummary& summary) -> Result<double> {
                if (summary.repeated_load_latency <= 0)
                    return fail("no load accesses global memory that was accessed before");
                return summary.repeated_load_latency;
            });
        rows_.back().amount = "schedule.cycles";
        for (const WarpStateInfo& state : warp_states)
            row(
                fmt::format("stalls.{}", state.name), "",
                state.state == WarpState::selected ? Better::more : Better::less,
                fmt::format("share of warps' cycles: {}", state.title),
                [which = state.state](const ScheduleSummary& summary) -> Result<double> {
                    return summary.stalls.share(which);
                },
                MetricKind::breakdown);
    }

    void add_roofline() {
        const auto row = [&](const char* name, const char* unit, Better better, const char* meaning,
                             double Roofline::*value, const char* absent) {
            add({fmt::format("roofline.{}", name), unit, meaning, "", better, MetricSource::counted, false,
                 true, [=](const MetricSums& sums) -> Result<double> {
                     const auto& roofline = sums.report->roofline;
                     if (!roofline) return fail("the launch has no roofline: it did not run to its end");
                     if (absent && roofline->without_images)
                         return fail("the traffic of the kernel's textures and surfaces is not known");
                     if (absent && roofline->dram_bytes_ideal <= 0) return fail("{}", absent);
                     return (*roofline).*value;
                 }});
        };
        row("flops", "operations", Better::neither, "floating-point operations of the launch",
            &Roofline::flops, nullptr);
        row("integer_operations", "operations", Better::neither, "integer instructions, per lane",
            &Roofline::integer_operations, nullptr);
        row("tensor_operations", "operations", Better::neither, "floating-point operations on matrix units",
            &Roofline::tensor_operations, nullptr);
        row("dram_bytes_ideal", "bytes", Better::less, "distinct bytes accessed: the minimum traffic",
            &Roofline::dram_bytes_ideal, nullptr);
        row("l2_bytes", "bytes", Better::less, "sectors requested × 32", &Roofline::l2_bytes, nullptr);
        row("intensity", "FLOP per byte", Better::more, "flops : dram_bytes_ideal", &Roofline::intensity,
            "the kernel accesses no global memory");
        rows_.back().amount = "roofline.dram_bytes_ideal";
    }

    void add_perturbation() {
        const auto row = [&](const char* name, const char* unit, Better better, const char* meaning,
                             auto&& of, bool is_count = false) {
            add({fmt::format("perturbation.{}", name), unit, meaning, "", better, MetricSource::measured,
                 false, false,
                 [of](const MetricSums& sums) -> Result<double> {
                     const auto& measured = sums.report->measured;
                     if (!measured || measured->perturbations.empty())
                         return fail("nothing was measured; --engine cuda measures on this machine's GPU");
                     return of(*timed_perturbation(*measured));
                 },
                 MetricKind::figure, is_count});
        };
        using Cost = trace::Perturbation;
        row("clean_us", "µs", Better::less, "the kernel without recording, on the GPU",
            [](const Cost& cost) -> Result<double> { return cost.clean_us; });
        row("traced_us", "µs", Better::neither, "the kernel during recording",
            [](const Cost& cost) -> Result<double> { return cost.traced_us; });
        row("slowdown", "times", Better::neither, "traced : clean",
            [](const Cost& cost) -> Result<double> { return cost.slowdown(); });
        row(
            "extra_registers", "registers", Better::neither, "per thread, for recording",
            [](const Cost& cost) -> Result<double> { return cost.traced_registers - cost.clean_registers; },
            true);
        row(
            "dropped_records", "records", Better::less, "records that did not fit the buffers",
            [](const Cost& cost) { return whole(cost.dropped_records); }, true);
    }

  private:
    /// The sum that is a ratio's dividend.
    static std::string amount_of(const AccessKind& kind, const AccessFigure& figure) {
        if (!figure.per) return {};
        for (const AccessFigure& sum : access_figures(kind))
            if (sum.is_sum() && sum.of == figure.of) return fmt::format("{}.{}", kind.name, sum.name);
        return {};
    }

    static Result<double> read_figure(const AccessFigure& figure, std::size_t kind, const MetricSums& sums) {
        if (sums.mixed_requests && figure.is_about_requests())
            return fail("the requests of asynchronous copies are not counted per space");
        const AccessTotals& access = sums.access[kind];
        const AccessCount needed = figure.needs ? figure.needs : figure.per;
        if (needed && needed(access) == 0)
            return fail("the kernel makes no {} request", words_of(access_kinds[kind]));
        const auto value = static_cast<double>(figure.of(access));
        return figure.per ? value / static_cast<double>(figure.per(access)) : value;
    }

    void add(Metric metric) { rows_.push_back(std::move(metric)); }
    std::vector<Metric> rows_;
};

}  // namespace

std::vector<Metric> make_metrics_table() {
    Table table;
    for (std::size_t kind = 0; kind < access_kind_count; ++kind) table.add_access(kind);
    table.add_execution();
    table.add_fit();
    table.add_schedule();
    table.add_roofline();
    table.add_perturbation();
    return table.take();
}

}  // namespace warplens::analysis
