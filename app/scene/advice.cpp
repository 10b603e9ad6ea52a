#include "app/scene/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "analysis/time/time_resolution.h"
#include "app/scene/problem_kind.h"
#include "app/ui/number.h"

namespace warplens::app {
namespace {

using analysis::model_error;  // a change that only saves cycles has to save more

bool costs_no_cycles(const RunFigures& now, const RunFigures& after) {
    return now.cycles <= 0 || after.cycles <= 0 || after.cycles <= now.cycles ||
           analysis::same_time(now.cycles, after.cycles);
}

/// The assembler merges accesses, so that what the PTX's requests waste may be no waste of the machine's: a
/// pad that keeps it from merging then saves nothing. True where the machine's requests are not known.
bool saves_at_machine_level(const RunFigures& now, const RunFigures& after, const LineRequests& line) {
    const LineRequests* before = find_same(now.machine_lines, line);
    const LineRequests* changed = find_same(after.machine_lines, line);
    if (before == nullptr || changed == nullptr) return true;
    return after.of_launch(changed->moved()) < now.of_launch(before->moved());
}

const char* operation_words(Operation operation) {
    return operation == Operation::load ? "loads" : operation == Operation::store ? "stores" : "atomics";
}

/// "line 54: 32 → 1 wavefronts", per request: of the line that saves most. Where fewer requests take more
/// each, of all of them: "line 39: 20,188 → 17,092 wavefronts in all". With what takes more: ", but loads of
/// line 6: 4 → 16". Empty: none saves any.
std::string saved_requests(const RunFigures& now, const RunFigures& after) {
    std::string words, but;
    double most = 0, most_added = 0;
    for (const LineRequests& before : now.lines) {
        const LineRequests* changed = find_same(after.lines, before);
        if (changed == nullptr || before.totals.requests == 0) continue;
        // More requests of fewer lanes save nothing.
        const double saved = now.of_launch(before.moved()) - after.of_launch(changed->moved());
        if (-saved > most_added && decimal(before.each(), 1) != decimal(changed->each(), 1)) {
            most_added = -saved;
            but = fmt::format(", but {} of line {}: {} → {}", operation_words(before.operation), before.line,
                              decimal(before.each(), 1), decimal(changed->each(), 1));
        }
        if (saved <= most || decimal(before.each(), 1) == decimal(changed->each(), 1)) continue;
        if (!saves_at_machine_level(now, after, before)) continue;
        most = saved;
        const char* unit = before.counts_sectors() ? "sectors" : "wavefronts";
        const auto all = [](const RunFigures& of, const LineRequests& line) {
            return grouped(static_cast<std::uint64_t>(std::llround(of.of_launch(line.moved()))));
        };
        words = changed->each() < before.each()
                    ? fmt::format("line {}: {} → {} {}", before.line, decimal(before.each(), 1),
                                  decimal(changed->each(), 1), unit)
                    : fmt::format("line {}: {} → {} {} in all", before.line, all(now, before),
                                  all(after, *changed), unit);
    }
    // What costs a small part of that is not worth words.
    constexpr double least_share = 0.1;
    return words.empty() || most_added < least_share * most ? words : words + but;
}

std::string saved_problems(const RunFigures& now, const RunFigures& after) {
    std::vector<std::string> gone;
    for (const ProblemKind kind : now.problems) {
        if (std::ranges::find(after.problems, kind) != after.problems.end()) continue;
        const bool race = kind == ProblemKind::shared_race || kind == ProblemKind::global_race;
        gone.push_back(race ? "race" : kind_words(kind));
    }
    if (gone.empty()) return {};
    return fmt::format("the {} {} gone", fmt::join(gone, " and the "), gone.size() == 1 ? "is" : "are");
}

}  // namespace

const LineRequests* find_same(const std::vector<LineRequests>& lines, const LineRequests& wanted) {
    const auto found =
        std::ranges::find_if(lines, [&](const LineRequests& line) { return line.same_requests(wanted); });
    return found == lines.end() ? nullptr : &*found;
}

std::uint64_t LineRequests::excess() const {
    return totals.sectors - std::min(totals.ideal_sectors, totals.sectors) + totals.wavefronts -
           std::min(totals.ideal_wavefronts, totals.wavefronts);
}

std::uint64_t LineRequests::moved() const { return counts_sectors() ? totals.sectors : totals.wavefronts; }

double LineRequests::each() const {
    if (totals.requests == 0) return 0;
    return static_cast<double>(moved()) / static_cast<double>(totals.requests);
}

std::vector<LineRequests> requests_by_line(const analysis::LaunchReport& report, const Program& program) {
    std::vector<LineRequests> lines;
    for (const analysis::SiteReport& site : report.sites) {
        if (site.access.requests == 0 || site.site >= program.sites.size()) continue;
        const Site& about = program.sites[site.site];
        LineRequests here{about.file, about.line, site.space, site.operation, {}};
        auto found =
            std::ranges::find_if(lines, [&](const LineRequests& line) { return line.same_requests(here); });
        if (found == lines.end()) found = lines.insert(lines.end(), here);
        found->totals.add(site.access);
    }
    std::ranges::stable_sort(lines, std::ranges::greater{}, &LineRequests::excess);
    return lines;
}

double RunFigures::excess() const {
    std::uint64_t excess = 0;
    for (const LineRequests& line : lines) excess += line.excess();
    return of_launch(excess);
}

RunFigures figures_of(const analysis::LaunchReport& report, const Program& program) {
    RunFigures figures;
    figures.lines = requests_by_line(report, program);
    if (report.blocks_executed > 0)
        figures.blocks_per_executed = static_cast<double>(report.launch.geometry.blocks()) /
                                      static_cast<double>(report.blocks_executed);
    figures.below = analysis::work_below(report);
    for (const Problem& problem : report.problems) figures.problems.push_back(problem.kind);
    std::ranges::sort(figures.problems);
    figures.problems.erase(std::unique(figures.problems.begin(), figures.problems.end()),
                           figures.problems.end());
    return figures;
}

bool is_faster(const RunFigures& now, const RunFigures& after) {
    return now.cycles > 0 && after.cycles > 0 && after.cycles < now.cycles * (1 - model_error);
}

bool improves(const RunFigures& now, const RunFigures& after) {
    if (!after.problems.empty()) return false;
    if (!now.problems.empty()) return true;
    if (now.below != after.below) return false;
    if (is_faster(now, after)) return true;
    return after.excess() < now.excess() * (1 - least_excess_saving) && !saved_requests(now, after).empty() &&
           costs_no_cycles(now, after);
}

bool is_better(const RunFigures& a, const RunFigures& b) {
    if (a.problems.size() != b.problems.size()) return a.problems.size() < b.problems.size();
    if (a.cycles > 0 && b.cycles > 0 && !analysis::same_time(a.cycles, b.cycles)) return a.cycles < b.cycles;
    return a.excess() < b.excess();
}

bool is_as_good(const RunFigures& a, const RunFigures& b) {
    const bool both_timed = a.cycles > 0 && b.cycles > 0;
    return a.problems == b.problems && a.excess() == b.excess() &&
           (both_timed ? analysis::same_time(a.cycles, b.cycles, model_error) : a.cycles == b.cycles);
}

void sort_by_help(std::vector<TriedChange>& helpful) {
    double fastest = 0;
    for (const TriedChange& tried : helpful)
        if (tried.after.cycles > 0)
            fastest = fastest == 0 ? tried.after.cycles : std::min(fastest, tried.after.cycles);
    const auto key = [&](const TriedChange& tried) {
        const bool slower = tried.after.cycles > fastest / (1 - model_error) / (1 - model_error);
        // In steps of cycles that are the same.
        const double cycles =
            tried.after.cycles > 0
                ? std::floor(std::log(tried.after.cycles / fastest) / analysis::time_resolution)
                : 0;
        return std::tuple(slower, slower ? cycles : 0, tried.after.excess(), cycles);
    };
    std::ranges::stable_sort(helpful, {}, key);
}

std::string TriedChange::effect_words() const { return fmt::format("{}", fmt::join(effect, ", ")); }

void keep_one_of_each(std::vector<TriedChange>& helpful) {
    std::vector<TriedChange> kept;
    std::vector<std::vector<std::string>> as_good;
    for (TriedChange& tried : helpful) {
        const auto better = std::ranges::find_if(kept, [&](const TriedChange& other) {
            return other.change.parameter == tried.change.parameter &&
                   other.change.launch.empty() == tried.change.launch.empty() &&
                   other.change.condition == tried.change.condition;
        });
        if (better == kept.end()) {
            kept.push_back(std::move(tried));
            as_good.emplace_back();
        } else if (!tried.change.parameter.empty() && is_as_good(better->after, tried.after)) {
            as_good[static_cast<std::size_t>(better - kept.begin())].push_back(tried.change.value);
        }
    }
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (!as_good[i].empty())
            kept[i].effect.push_back(fmt::format("{} {} {} as good", kept[i].change.parameter,
                                                 fmt::join(as_good[i], ", "),
                                                 as_good[i].size() == 1 ? "is" : "are"));
    helpful = std::move(kept);
}

std::vector<std::string> effect_of(const Change& change, const RunFigures& now, const RunFigures& after) {
    std::vector<std::string> parts;
    if (!change.condition.empty()) parts.push_back(change.condition);
    if (std::ranges::find(change.edits, Edit::Kind::remove, &Edit::kind) != change.edits.end())
        parts.emplace_back("no race without it in this launch");
    if (std::string gone = saved_problems(now, after); !gone.empty()) parts.push_back(std::move(gone));
    // Another launch distributes the same requests over other blocks.
    if (change.launch.empty())
        if (std::string saved = saved_requests(now, after); !saved.empty()) parts.push_back(std::move(saved));
    // The speed of a kernel with problems means nothing.
    if (now.problems.empty() && now.cycles > 0 && after.cycles > 0) {
        const std::string change = effect_words(now.cycles, after.cycles);
        parts.push_back(change == "no change" ? "the same cycles" : change + " cycles");
    }
    return parts;
}

}  // namespace warplens::app
