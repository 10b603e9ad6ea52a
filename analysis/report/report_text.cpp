// The report for a terminal: first the launch, then its costs, then the costly lines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/report/access_figures.h"
#include "analysis/report/approximate_math.h"
#include "analysis/report/costly_lines.h"
#include "analysis/report/grouped_notes.h"
#include "analysis/report/launch_report.h"
#include "analysis/report/launch_tree.h"
#include "analysis/report/machine_counts.h"
#include "analysis/report/metrics.h"
#include "analysis/report/printed_words.h"
#include "analysis/report/report_measured.h"
#include "analysis/report/whole_grid.h"
#include "analysis/wording.h"
#include "core/gpu_spec.h"
#include "core/line_of_site.h"

namespace warplens::analysis {
namespace {

constexpr std::size_t worst_lines_shown = 8;

class Text {
  public:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        out_ += fmt::format(format, std::forward<Args>(args)...);
        out_.push_back('\n');
    }
    void gap() { out_.push_back('\n'); }
    /// After a gap; nothing without lines.
    void section(const std::vector<std::string>& lines) {
        if (!lines.empty()) gap();
        for (const std::string& one : lines) line("{}", one);
    }
    std::string take() { return std::move(out_); }

  private:
    std::string out_;
};

void write_launch(Text& text, const LaunchReport& report) {
    const trace::Launch& launch = report.launch;
    if (launch.title.empty()) text.line("{}", launch.kernel);
    else text.line("{}: {}", launch.kernel, launch.title);
    if (!launch.note.empty()) text.line("  {}", launch.note);
    text.gap();
    std::string parameters;
    for (const auto& [name, value] : launch.parameters)
        parameters += fmt::format("{}{}={}", parameters.empty() ? "" : "  ", name, value);
    if (!parameters.empty()) text.line("  parameters  {}", parameters);
    const auto gpu = find_gpu(launch.gpu);
    const auto sms = gpu ? static_cast<std::uint64_t>((*gpu)->sm_count) : 0;
    const std::uint64_t blocks = launch.geometry.blocks();
    text.line("  launch      grid {}, block {}: {} {} of {} {}{}", to_string(launch.geometry.grid),
              to_string(launch.geometry.block), grouped(blocks), blocks == 1 ? "block" : "blocks",
              launch.geometry.warps_per_block(), launch.geometry.warps_per_block() == 1 ? "warp" : "warps",
              blocks < sms ? fmt::format("; {} of {} SMs get none", sms - blocks, sms) : "");
    if (report.blocks_executed != launch.geometry.blocks())
        text.line("  executed    {} of {} blocks: a sample, every sum below is over these",
                  grouped(report.blocks_executed), grouped(launch.geometry.blocks()));
    if (infers_whole_grid(report)) text.line("  whole grid  inferred from these blocks, which are alike:");
    for (const std::string& line : whole_grid_words(report)) text.line("              {}", line);
    const trace::Resources& resources = launch.resources;
    text.line(
        "  resources   {} registers per thread, {} + {} bytes of shared memory (static + dynamic)",
        resources.registers_per_thread == 0 ? "unknown" : std::to_string(resources.registers_per_thread),
        resources.shared_static_bytes, launch.geometry.dynamic_shared_bytes);
    if (resources.stack_bytes > 0)
        text.line("  local       {} bytes of local memory per thread, for arrays and for registers spilled",
                  resources.stack_bytes);
    if (report.level == Level::machine)
        text.line("  numbers     {} at machine level: machine code for {}, executed; occupancy exact, for {}",
                  to_string(launch.provenance), launch.resources.target, launch.gpu);
    else
        text.line("  numbers     {} at PTX level; occupancy exact, for {}", to_string(launch.provenance),
                  launch.gpu);
}

void write_occupancy(Text& text, const LaunchReport& report) {
    const Occupancy& occupancy = report.occupancy;
    text.gap();
    if (!occupancy.reason.empty()) {
        text.line("Occupancy  none: {}", occupancy.reason);
        return;
    }
    text.line("Occupancy  {} %: {} of {}, {} of {} warps per SM, limited by {}",
              rounded(100 * occupancy.theoretical),
              counted(static_cast<std::uint64_t>(occupancy.blocks_per_sm), "block"),
              counted(static_cast<std::uint64_t>(report.launch.geometry.warps_per_block()), "warp"),
              occupancy.warps_per_sm, occupancy.available[0], limiters_in_words(occupancy));
}

/// The kinds of requests that the launch makes and that are counted so.
std::vector<const AccessKind*> kinds_made(const LaunchReport& report, AccessCost cost) {
    std::vector<const AccessKind*> made;
    for (const AccessKind& kind : access_kinds)
        if (cost_of(kind.space) == cost && (report.*kind.totals).requests > 0) made.push_back(&kind);
    return made;
}

void write_sectors(Text& text, const LaunchReport& report) {
    const auto kinds = kinds_made(report, AccessCost::sectors);
    if (kinds.empty()) return;
    text.gap();
    text.line("{:<17}{:>15}{:>15}{:>15}{:>11}{:>12}", "Memory", "requests", "sectors", "ideal", "each",
              "ideal each");
    for (const AccessKind* kind : kinds) {
        const AccessTotals& totals = report.*kind->totals;
        text.line("  {:<15}{:>15}{:>15}{:>15}{:>11}{:>12}", words_of(*kind), grouped(totals.requests),
                  grouped(totals.sectors), grouped(totals.ideal_sectors),
                  ratio(totals.sectors, totals.requests), ratio(totals.ideal_sectors, totals.requests));
        if (kind->operation == Operation::atomic && totals.serialized_sectors != totals.sectors)
            text.line("  {:<15}lanes at one address are serialized, at most {}: {} sectors in all", "",
                      totals.most_lanes_per_address, grouped(totals.serialized_sectors));
    }
}

void write_wavefronts(Text& text, const LaunchReport& report) {
    const auto kinds = kinds_made(report, AccessCost::wavefronts);
    if (kinds.empty()) return;
    text.gap();
    text.line("{:<17}{:>15}{:>15}{:>15}{:>11}{:>12}",
              report.constant_load.requests == 0 ? "Shared memory" : "On-chip memory", "requests",
              "wavefronts", "ideal", "each", "worst ways");
    for (const AccessKind* kind : kinds) {
        const AccessTotals& totals = report.*kind->totals;
        text.line("  {:<15}{:>15}{:>15}{:>15}{:>11}{:>12}", words_of(*kind), grouped(totals.requests),
                  grouped(totals.wavefronts), grouped(totals.ideal_wavefronts),
                  ratio(totals.wavefronts, totals.requests), rounded(totals.conflict_ways()));
        if (kind->operation == Operation::atomic && totals.most_lanes_per_address > 1)
            text.line("  {:<15}at most {} lanes of a request at one address", "",
                      totals.most_lanes_per_address);
    }
}

void write_images(Text& text, const LaunchReport& report) {
    const auto kinds = kinds_made(report, AccessCost::requests_only);
    if (kinds.empty()) return;
    text.gap();
    text.line("{:<17}{:>15}", "Images", "requests");
    for (const AccessKind* kind : kinds)
        text.line("  {:<15}{:>15}", words_of(*kind), grouped((report.*kind->totals).requests));
    text.line("  Their sectors are not counted: their memory layout is not known.");
}

void write_divergence(Text& text, const LaunchReport& report) {
    text.gap();
    // PTX has few predicates but those of branches.
    const auto executed = find_metric("divergence.mean_executed_lanes")->read(whole_launch(report));
    text.line(
        "Execution  {} steps, on average {} of 32 lanes active{}; {} of {} conditional branches "
        "diverged",
        grouped(report.steps), rounded(report.mean_active_lanes()),
        report.level == Level::machine && executed
            ? fmt::format(", {} with their predicate on", rounded(*executed))
            : "",
        grouped(report.branches_divergent), grouped(report.branches));
}

/// "global memory result 61 %, …": the largest states first, above a threshold.
std::string greatest_states(const StallSummary& stalls) {
    constexpr double worth_a_word = 0.02;
    std::vector<WarpState> states;
    for (const WarpStateInfo& row : warp_states)
        if (stalls.share(row.state) >= worth_a_word) states.push_back(row.state);
    std::stable_sort(states.begin(), states.end(),
                     [&](WarpState a, WarpState b) { return stalls.share(a) > stalls.share(b); });
    std::string out;
    for (const WarpState state : states)
        out +=
            fmt::format("{}{} {}", out.empty() ? "" : ", ", info(state).name, percent(stalls.share(state)));
    return out;
}

void write_schedule(Text& text, const LaunchReport& report) {
    if (!report.schedule && report.schedule_absent.empty()) return;
    text.gap();
    if (!report.schedule) {
        text.line("Time  none modelled: {}", report.schedule_absent);
        return;
    }
    const ScheduleSummary& summary = *report.schedule;
    const trace::LaunchTime& launch = summary.launch;
    text.line("Time (modelled from {})  {} launch cycles{}{}{}", code_of_level(summary.level),
              grouped_cycles(launch.cycles), summary.seconds > 0 ? ", " + duration(summary.seconds) : "",
              report.measured ? ", caches cold" : "", parts_of_launch(launch));
    text.line("  schedulers  issue in {} of their cycles; {} warps eligible in each on average",
              percent(summary.stalls.issue_active()), rounded(summary.stalls.eligible_warps()));
    text.line("  warps       {}", greatest_states(summary.stalls));
    text.line("  {}", summary.limiting);
    if (!summary.why_ptx.empty()) text.line("  note: timed from PTX: {}", summary.why_ptx);
    for (const std::string& note : summary.notes) text.line("  note: {}", note);
}

void write_roofline(Text& text, const LaunchReport& report) {
    if (!report.roofline) return;
    const Roofline& roofline = *report.roofline;
    text.gap();
    const std::string bytes = with_prefix(roofline.dram_bytes_ideal, "B", "bytes");
    text.line("Roofline{}{}  {}, and {} that must move to or from DRAM{}",
              roofline.estimated ? " (estimated from the blocks executed)" : "",
              roofline.without_images ? " (without the traffic of textures and surfaces)" : "",
              roofline.flops > 0 ? with_prefix(roofline.flops, "flop") : "no floating-point operations",
              bytes,
              roofline.intensity > 0 ? ": " + with_prefix(roofline.intensity, "flop") + " per byte" : "");
    if (roofline.intensity > 0 && roofline.ridge > 0) {
        text.line("  {}'s DRAM and {} roofs meet at {} per byte: the kernel can reach {}{}{}",
                  report.launch.gpu, roofline.peak_unit, with_prefix(roofline.ridge, "flop"),
                  with_prefix(roofline.attainable_flops(), "flop/s"),
                  roofline.modelled_seconds
                      ? fmt::format(", {} is modelled",
                                    with_prefix(roofline.flops / *roofline.modelled_seconds, "flop/s"))
                      : "",
                  roofline.measured_seconds
                      ? fmt::format(", {} is measured",
                                    with_prefix(roofline.flops / *roofline.measured_seconds, "flop/s"))
                      : "");
    } else if (roofline.intensity > 0 && roofline.peak_flops <= 0) {
        text.line("  The peak of {}'s {} is not known.", report.launch.gpu, roofline.peak_unit);
    } else if (roofline.dram_bytes_ideal > 0 && roofline.peak_bytes_per_second > 0) {
        text.line(
            "  {}'s DRAM moves {}: {} at least{}{}", report.launch.gpu,
            with_prefix(roofline.peak_bytes_per_second, "B/s"),
            duration(roofline.dram_bytes_ideal / roofline.peak_bytes_per_second),
            roofline.modelled_seconds ? fmt::format(", {} are modelled", duration(*roofline.modelled_seconds))
                                      : "",
            roofline.measured_seconds ? fmt::format(", {} are measured", duration(*roofline.measured_seconds))
                                      : "");
    }
}

void write_sites(Text& text, const LaunchReport& report, const Program& program) {
    const std::vector<CostlyLine> costly = costly_lines(report, program);
    text.gap();
    if (costly.empty()) {
        // Not for a kernel without requests, or stopped before its first one.
        if (std::ranges::none_of(report.sites,
                                 [](const SiteReport& site) { return site.access.requests > 0; }))
            return;
        text.line("Every request{} takes the ideal number of sectors and wavefronts.",
                  report.image_requests() > 0 ? " of memory" : "");
        return;
    }
    text.line("Costly lines by counts from {}, the most wasteful first", code_of_level(report.level));
    const std::size_t shown = std::min(costly.size(), worst_lines_shown);
    for (const CostlyLine& line : std::span(costly).first(shown)) {
        const std::string where = line_of(*line.first);
        text.line("  {:<11} {:<20} {}", where, line.instructions(), line.cost());
        if (const std::string machine = line.cost_in_machine_code(); !machine.empty())
            text.line("    {}", machine);
        if (!line.inlined.empty())
            text.line("    inlined there from {}", inlined_words(line.inlined, program, line.first->file));
    }
    if (shown < costly.size()) text.line("  and {} more", costly.size() - shown);
}

/// "kernels/k.cu:12, PTX line 88"
std::string place_of(SiteId id, const Program& program) {
    if (id >= program.sites.size()) return "an unknown place";
    const Site& site = program.sites[id];
    if (site.line == 0) return line_of(site);
    const std::string file = site.file < program.sources.size() ? program.sources[site.file].name : "line";
    return fmt::format("{}:{}{}", file, site.line,
                       site.ptx_line == 0 ? "" : fmt::format(", PTX line {}", site.ptx_line));
}

void write_approximations(Text& text, const LaunchReport& report, const Program& program) {
    const auto found = approximations(report, program);
    if (found.empty()) return;
    text.gap();
    text.line(
        "Approximate functions: a GPU's last bits may differ from these results within what PTX allows");
    for (const Approximation& one : found)
        text.line("  {:<24}{} ({}); the CPU engine is within {}", one.form, one.bound->allowed,
                  one.bound->over, one.bound->engine);
}

void write_unsupported(Text& text, const LaunchReport& report, const Program& program) {
    if (!report.unsupported || report.unsupported->empty()) return;
    const auto& forms = *report.unsupported;
    text.gap();
    text.line("The CPU engine does not execute {} of this kernel:",
              forms.size() == 1 ? "one instruction form" : fmt::format("{} instruction forms", forms.size()));
    for (const UnsupportedForm& missing : forms) {
        text.line("  {}", missing.form);
        text.line("    {}{}: {}", missing.sites.empty() ? "" : place_of(missing.sites.front(), program),
                  missing.sites.size() > 1 ? fmt::format(" and {} more", missing.sites.size() - 1) : "",
                  missing.reason);
    }
    text.line("  A block that reaches one of them stops before it; other blocks run as usual.");
}

void write_problems(Text& text, const LaunchReport& report) {
    if (!report.races.note.empty()) {
        text.gap();
        text.line("Races         {}", report.races.note);
    }
    // Problems found at load are in the list of unsupported forms, if there is one.
    const auto is_listed = [&](const Problem& problem) {
        return is_found_at_load(problem) && report.unsupported;
    };
    if (std::ranges::all_of(report.problems, is_listed)) return;
    text.gap();
    text.line("Problems");
    const auto line_of_party = [](const auto& of) {
        return of.line == 0 ? "" : fmt::format("{}:{}, ", of.file.empty() ? "line" : of.file, of.line);
    };
    for (const Problem& problem : report.problems) {
        if (is_listed(problem)) continue;
        text.line("  {}: {}", to_string(problem.kind), problem.message);
        std::string where = line_of_party(problem);
        if (is_found_at_load(problem)) {
            text.line("    {}found before the launch", where);
            continue;
        }
        if (!problem.child.empty()) where += fmt::format("in the child grid of `{}`, ", problem.child);
        text.line("    {}block ({},{},{}), thread ({},{},{}){}", where, problem.block.x, problem.block.y,
                  problem.block.z, problem.thread.x, problem.thread.y, problem.thread.z,
                  problem.count > 1 ? fmt::format(", {} times in all", grouped(problem.count)) : "");
        if (problem.other)
            text.line("    and {}block ({},{},{}), thread ({},{},{})", line_of_party(*problem.other),
                      problem.other->block.x, problem.other->block.y, problem.other->block.z,
                      problem.other->thread.x, problem.other->thread.y, problem.other->thread.z);
    }
}

void write_notes(Text& text, const LaunchReport& report) {
    if (report.notes.empty()) return;
    text.gap();
    text.line("Notes");
    for (const GroupedNote& note : grouped_notes(report.notes)) text.line("  {}", note.sentence());
}

}  // namespace

std::string to_text(const LaunchReport& report, const Program& program) {
    Text text;
    write_launch(text, report);
    write_occupancy(text, report);
    write_sectors(text, report);
    write_wavefronts(text, report);
    write_images(text, report);
    write_divergence(text, report);
    text.section(machine_count_lines(report));
    write_schedule(text, report);
    text.section(measured_lines(report));
    write_roofline(text, report);
    write_sites(text, report, program);
    if (report.launches) text.section(launch_tree_lines(*report.launches));
    if (report.printed) text.section(printed_section(*report.printed));
    write_approximations(text, report, program);
    write_unsupported(text, report, program);
    write_problems(text, report);
    write_notes(text, report);
    text.gap();
    text.line("Golden check  {}", report.golden);
    return text.take();
}

}  // namespace warplens::analysis
