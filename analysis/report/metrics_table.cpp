#include "analysis/report/metrics_table.h"

#include <fmt/format.h>

#include "analysis/time/measured_summary.h"
#include "core/image_words.h"

namespace warplens::analysis {
namespace {

Result<double> whole(std::uint64_t value) { return static_cast<double>(value); }

Result<double> share_of(std::uint64_t sum, std::uint64_t count, const std::string& kind) {
    if (count == 0) return fail("the kernel makes no {} request", kind);
    return static_cast<double>(sum) / static_cast<double>(count);
}

/// "global load"
std::string words_of(const char* kind) {
    std::string words = kind;
    for (char& c : words)
        if (c == '_') c = ' ';
    return words;
}

class Table {
  public:
    std::vector<Metric> take() { return std::move(rows_); }

    void add_access(std::size_t kind) {
        const AccessKind& row = access_kinds[kind];
        const std::string words = words_of(row.name);
        const auto sum = [&](const char* name, const char* unit, Better better, const char* meaning,
                             const char* advice, auto&& of) {
            add({fmt::format("{}.{}", row.name, name), unit, meaning, advice, better, MetricSource::counted,
                 true, false, [kind, of](const MetricSums& sums) { return whole(of(sums.access[kind])); },
                 MetricKind::sum});
        };
        const auto each = [&](const char* name, const char* unit, const char* meaning, const char* advice,
                              auto&& of, auto&& count, bool by_request) {
            add({fmt::format("{}.{}", row.name, name), unit, meaning, advice, Better::less,
                 MetricSource::counted, true, false, [=](const MetricSums& sums) -> Result<double> {
                     if (by_request && sums.mixed_requests)
                         return fail("the requests of asynchronous copies are not counted per space");
                     const AccessTotals& access = sums.access[kind];
                     return share_of(of(access), count(access), words);
                 }});
        };
        const auto requests = [](const AccessTotals& access) { return access.requests; };
        add({fmt::format("{}.requests", row.name), "requests", "warp-level instructions with an active lane",
             "", Better::neither, MetricSource::counted, true, false,
             [kind](const MetricSums& sums) -> Result<double> {
                 if (sums.mixed_requests)
                     return fail("the requests of asynchronous copies are not counted per space");
                 return whole(sums.access[kind].requests);
             },
             MetricKind::sum});
        // Which sectors a texture's or surface's request touches is not known.
        if (is_image(row.space)) return;
        if (row.space == Space::global || row.space == Space::local) {
            const bool atomic = row.operation == Operation::atomic;
            const char* advice =
                atomic
                    ? "Combine values for one address within a warp first, or give each block its own copy."
                : row.space == Space::local
                    ? "Keep arrays in registers: index them by constants, or keep fewer values live."
                    : "Let neighbouring lanes access neighbouring addresses, starting at a multiple of 32 "
                      "bytes.";
            const auto sectors = [atomic](const AccessTotals& access) {
                return atomic ? access.serialized_sectors : access.sectors;
            };
            const auto ideal = [](const AccessTotals& access) { return access.ideal_sectors; };
            sum("sectors", "sectors", Better::less, "32-byte sectors accessed, summed over the requests",
                advice, sectors);
            sum("ideal_sectors", "sectors", Better::neither, "the same with the lanes' bytes packed", "",
                ideal);
            sum("used_bytes", "bytes", Better::neither, "distinct bytes requested", "",
                [](const AccessTotals& access) { return access.used_bytes; });
            each("sectors_per_request", "sectors per request", "the mean over the requests", advice, sectors,
                 requests, true);
            each("over_ideal", "times the ideal", "sectors : ideal sectors, 1 when coalesced", advice,
                 sectors, ideal, false);
            if (atomic)
                sum("distinct_sectors", "sectors", Better::less, "sectors without serialization of lanes",
                    advice, [](const AccessTotals& access) { return access.sectors; });
        } else {
            const char* advice =
                row.space == Space::constant
                    ? "Let all lanes read one word of constant memory, or keep the table in shared memory."
                    : "Change the row pitch of the shared array, or swizzle its columns: `warplens check "
                      "KERNEL --fix` tries both.";
            const auto wavefronts = [](const AccessTotals& access) { return access.wavefronts; };
            const auto ideal = [](const AccessTotals& access) { return access.ideal_wavefronts; };
            sum("wavefronts", "wavefronts", Better::less, "wavefronts of the requests", advice, wavefronts);
            sum("ideal_wavefronts", "wavefronts", Better::neither, "the same without conflicts", "", ideal);
            each("wavefronts_per_request", "wavefronts per request", "the mean over the requests", advice,
                 wavefronts, requests, true);
            each("over_ideal", "times the ideal", "wavefronts : ideal wavefronts, over all requests", advice,
                 wavefronts, ideal, false);
            add({fmt::format("{}.conflict_ways", row.name), "ways",
                 "the worst request's wavefronts : its ideal", advice, Better::less, MetricSource::counted,
                 true, false, [kind, words](const MetricSums& sums) -> Result<double> {
                     if (sums.access[kind].wavefronts == 0)
                         return fail("the kernel makes no {} request", words);
                     return sums.access[kind].conflict_ways();
                 }});
        }
        if (row.operation == Operation::atomic)
            add({fmt::format("{}.most_lanes_per_address", row.name), "lanes",
                 "the most lanes of one request at one address, which are serialized",
                 "Combine values for one address within a warp first, or give each block its own copy.",
                 Better::less, MetricSource::counted, true, false,
                 [kind, words](const MetricSums& sums) -> Result<double> {
                     if (sums.access[kind].requests == 0)
                         return fail("the kernel makes no {} request", words);
                     return whole(sums.access[kind].most_lanes_per_address);
                 }});
    }

    void add_execution() {
        const char* advice =
            "Let lanes of one warp take the same path: branch on conditions that are uniform in a warp.";
        add({"divergence.branches", "branches", "conditional branches that warps executed", "",
             Better::neither, MetricSource::counted, true, false,
             [](const MetricSums& sums) { return whole(sums.branches); }, MetricKind::sum});
        add({"divergence.divergent_branches", "branches", "conditional branches whose lanes took both paths",
             advice, Better::less, MetricSource::counted, true, false,
             [](const MetricSums& sums) { return whole(sums.branches_divergent); }, MetricKind::sum});
        add({"divergence.mean_active_lanes", "lanes", "active lanes, the mean over the steps", advice,
             Better::more, MetricSource::counted, true, false, [](const MetricSums& sums) -> Result<double> {
                 if (sums.steps == 0) return fail("nothing was executed");
                 return static_cast<double>(sums.active_lanes) / static_cast<double>(sums.steps);
             }});
        add({"steps", "steps", "warp-instructions executed", "", Better::less, MetricSource::counted, true,
             false, [](const MetricSums& sums) { return whole(sums.steps); }, MetricKind::sum});
        add({"problems", "problems", "distinct errors of the kernel by kind and site, including races",
             "Fix what `warplens report` lists under Problems.", Better::less, MetricSource::counted, false,
             false, [](const MetricSums& sums) { return whole(sums.report->problems.size()); }});
    }

    void add_fit() {
        const auto row = [&](const char* name, const char* unit, Better better, const char* meaning,
                             const char* advice, auto&& of) {
            add({name, unit, meaning, advice, better, MetricSource::exact, false, false,
                 [of](const MetricSums& sums) -> Result<double> { return of(*sums.report); }});
        };
        row("resources.registers_per_thread", "registers", Better::less, "as assigned by the assembler",
            "Keep fewer values live, or limit registers with __launch_bounds__.",
            [](const LaunchReport& report) -> Result<double> {
                if (report.launch.resources.registers_per_thread == 0)
                    return fail("the kernel's registers are not known: nothing assembled it");
                return whole(report.launch.resources.registers_per_thread);
            });
        row("resources.shared_static_bytes", "bytes", Better::less, "shared memory per block, declared", "",
            [](const LaunchReport& report) { return whole(report.launch.resources.shared_static_bytes); });
        row("resources.shared_dynamic_bytes", "bytes", Better::less,
            "shared memory per block, from the launch", "",
            [](const LaunchReport& report) { return whole(report.launch.geometry.dynamic_shared_bytes); });
        row("resources.stack_bytes", "bytes", Better::less, "local memory per thread, including spills",
            "Index arrays by constants, and keep fewer values live.",
            [](const LaunchReport& report) { return whole(report.launch.resources.stack_bytes); });
        const char* advice = "Use less of the limiting resource, which `warplens report` names.";
        row("occupancy.blocks_per_sm", "blocks", Better::more, "resident on an SM", advice,
            [](const LaunchReport& report) -> Result<double> { return report.occupancy.blocks_per_sm; });
        row("occupancy.warps_per_sm", "warps", Better::more, "resident on an SM", advice,
            [](const LaunchReport& report) -> Result<double> { return report.occupancy.warps_per_sm; });
        row("occupancy.theoretical", "", Better::more, "share of an SM's warp slots, 0 to 1", advice,
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
    }

    void add_perturbation() {
        const auto row = [&](const char* name, const char* unit, Better better, const char* meaning,
                             auto&& of) {
            add({fmt::format("perturbation.{}", name), unit, meaning, "", better, MetricSource::measured,
                 false, false, [of](const MetricSums& sums) -> Result<double> {
                     const auto& measured = sums.report->measured;
                     if (!measured || measured->perturbations.empty())
                         return fail("nothing was measured; --engine cuda measures on this machine's GPU");
                     return of(*timed_perturbation(*measured));
                 }});
        };
        using Cost = trace::Perturbation;
        row("clean_us", "µs", Better::less, "the kernel without recording, on the GPU",
            [](const Cost& cost) -> Result<double> { return cost.clean_us; });
        row("traced_us", "µs", Better::neither, "the kernel during recording",
            [](const Cost& cost) -> Result<double> { return cost.traced_us; });
        row("slowdown", "times", Better::neither, "traced : clean",
            [](const Cost& cost) -> Result<double> { return cost.slowdown(); });
        row("extra_registers", "registers", Better::neither, "per thread, for recording",
            [](const Cost& cost) -> Result<double> { return cost.traced_registers - cost.clean_registers; });
        row("dropped_records", "records", Better::less, "records that did not fit the buffers",
            [](const Cost& cost) { return whole(cost.dropped_records); });
    }

  private:
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
