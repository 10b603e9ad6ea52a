#include "app/scene/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <tuple>

#include "analysis/time/time_resolution.h"
#include "app/scene/problem_kind.h"
#include "app/ui/number.h"

namespace warplens::app {
namespace {

using analysis::model_error;  // a change that only saves cycles has to save more

/// Of requests beyond the ideal, where the cycles stay the same.
constexpr double least_excess_saving = 0.1;

bool costs_no_cycles(const RunFigures& now, const RunFigures& after) {
    return now.cycles <= 0 || after.cycles <= 0 || after.cycles <= now.cycles ||
           analysis::same_time(now.cycles, after.cycles);
}

const LineRequests* find_same(const std::vector<LineRequests>& lines, const LineRequests& wanted) {
    const auto found =
        std::ranges::find_if(lines, [&](const LineRequests& line) { return line.same_requests(wanted); });
    return found == lines.end() ? nullptr : &*found;
}

const LineRequests* find_same(const RunFigures& in, const LineRequests& wanted) {
    return find_same(in.lines, wanted);
}

/// The assembler merges accesses, so that what the PTX's requests waste may be no waste of the machine's: a
/// pad that keeps it from merging then saves nothing. True where the machine's requests are not known.
bool saves_at_machine_level(const RunFigures& now, const RunFigures& after, const LineRequests& line) {
    const LineRequests* before = find_same(now.machine_lines, line);
    const LineRequests* changed = find_same(after.machine_lines, line);
    if (before == nullptr || changed == nullptr) return true;
    return after.of_launch(changed->moved()) < now.of_launch(before->moved());
}

/// "line 54: 32 → 1 wavefronts", per request: of the line that saves most. Where fewer requests take more
/// each, of all of them: "line 39: 20,188 → 17,092 wavefronts in all". Empty: none saves any.
std::string saved_requests(const RunFigures& now, const RunFigures& after) {
    std::string words;
    double most = 0;
    for (const LineRequests& before : now.lines) {
        const LineRequests* changed = find_same(after, before);
        if (changed == nullptr || before.totals.requests == 0) continue;
        // More requests of fewer lanes save nothing.
        const double saved = now.of_launch(before.moved()) - after.of_launch(changed->moved());
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
    return words;
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

std::string as_sentence(std::string words) {
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    return words;
}

/// What a question's answer means for the author of the kernel. `excess`: the line that it concerns.
struct Remedy {
    const char* question;
    const char* deed;
    const char* limit;  // what the model does, and a change may not reach
};
constexpr std::array remedies{
    Remedy{"perfect_coalescing", "let neighbouring lanes access neighbouring addresses, in whole sectors",
           "if no request took more sectors than its bytes fill"},
    Remedy{"no_bank_conflicts",
           "change the layout in shared memory so that the lanes of a request use different banks",
           "if no request had a conflict"},
    Remedy{"full_warps",
           "let neighbouring lanes take the same path, for example by sorting the work or choosing by warp "
           "instead of by lane",
           "if all lanes of each warp were active"},
    Remedy{"no_register_limit", "let more blocks become resident by using fewer registers per thread",
           "if registers set no limit"},
    Remedy{"no_shared_limit", "let more blocks become resident by using less shared memory per block",
           "if shared memory set no limit"},
    Remedy{"no_block_limit", "use larger blocks, so that more warps become resident",
           "if the number of blocks set no limit"},
};

/// The wasteful requests to shared memory, or to memory in sectors: the most wasteful first.
std::vector<const LineRequests*> wasteful_requests(const RunFigures& now, bool shared) {
    std::vector<const LineRequests*> found;
    for (const LineRequests& line : now.lines)
        if (line.excess() > 0 && (shared ? line.space == Space::shared : line.counts_sectors()))
            found.push_back(&line);
    return found;
}

/// No request takes more than one sector beyond its ideal: the lanes are neighbours, and their addresses
/// begin inside a sector or lie in two runs.
bool are_only_misplaced(const std::vector<const LineRequests*>& requests) {
    return !requests.empty() && std::ranges::all_of(requests, [](const LineRequests* request) {
        return request->counts_sectors() && request->excess() <= request->totals.requests;
    });
}

/// "line 6: ", "lines 5, 7 and 8: ", "lines 5, 7, 8 and 2 others: "
std::string places_of(const std::vector<const LineRequests*>& requests) {
    constexpr std::size_t most_named = 3;
    std::vector<std::string> names;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const LineRequests* request : requests) {
        const std::pair place(request->file, request->line);
        if (request->line == 0 || std::ranges::find(seen, place) != seen.end()) continue;
        seen.push_back(place);
    }
    std::ranges::sort(seen.begin(),
                      seen.begin() + static_cast<std::ptrdiff_t>(std::min(seen.size(), most_named)));
    for (const auto& [file, line] : seen) names.push_back(std::to_string(line));
    if (names.empty()) return {};
    const char* many = names.size() == 1 ? "" : "s";
    if (names.size() > most_named) {
        const std::size_t others = names.size() - most_named;
        names.resize(most_named);
        names.push_back(counted(others, "other"));
    }
    const std::string last = std::move(names.back());
    names.pop_back();
    return names.empty() ? fmt::format("line {}: ", last)
                         : fmt::format("line{} {} and {}: ", many, fmt::join(names, ", "), last);
}

/// Of a change that removes a part of the excess and does not help: a reason to doubt the limit.
std::string part_words(const RunChange* nearest, double left, const RunFigures& now) {
    if (nearest == nullptr || is_faster(now, nearest->after)) return {};
    return fmt::format(" {}, which removes {:.0f} % of the excess, was run: {}.", nearest->name,
                       100 * (1 - left), reason_against(now, nearest->after));
}

/// Fewer atomics, by the values of a block or of a warp: with its cycles; 0: not known. A block's are worth
/// their shared memory only where they save more than a warp's.
std::optional<std::pair<double, std::string>> combined_values(double by_block, double by_warp, double most,
                                                              double now) {
    const auto helps = [&](double cycles) { return cycles > 0 && cycles <= most; };
    const bool block = helps(by_block) && (!helps(by_warp) || by_block < by_warp * (1 - model_error));
    if (!block && !helps(by_warp)) return std::nullopt;
    constexpr const char* rest = "and issue one atomic per address";
    const std::string of_warp = effect_words(now, by_warp), of_block = effect_words(now, by_block);
    if (!block)
        return std::pair(by_warp,
                         fmt::format("Combine the values of a warp with shuffles {}: at most {} cycles, "
                                     "less what the change itself costs.",
                                     rest, of_warp));
    const std::string other =
        helps(by_warp) ? fmt::format("; those of a warp, with shuffles: at most {}", of_warp) : "";
    return std::pair(by_block,
                     fmt::format("Combine the values of a block in shared memory {}: at most {} cycles, "
                                 "less what the change itself costs{}.",
                                 rest, of_block, other));
}

}  // namespace

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

std::vector<std::string> modelled_changes(const WhatIf& what_if, const RunFigures& now,
                                          const std::vector<RunChange>& tried) {
    std::vector<std::string> sentences;
    double best = what_if.baseline_cycles;
    for (const RunChange& run : tried)
        if (run.after.cycles > 0 && !run.of_launch) best = std::min(best, run.after.cycles);
    std::vector<std::pair<double, std::string>> found;
    const auto cycles_of = [&](std::string_view question) {
        const auto answer = std::ranges::find(what_if.answers, question, &WhatIfAnswer::name);
        return answer == what_if.answers.end() ? 0 : answer->cycles;
    };
    for (const Remedy& remedy : remedies) {
        const double cycles = cycles_of(remedy.question);
        if (cycles <= 0) continue;
        const std::string_view question = remedy.question;
        std::vector<const LineRequests*> wasteful;
        if (question == "perfect_coalescing") {
            wasteful = wasteful_requests(now, false);
            // An author places what is in global memory; local memory has a remedy of its own.
            const std::size_t all = wasteful.size();
            std::erase_if(wasteful, [](const LineRequests* one) { return one->space == Space::local; });
            if (wasteful.empty() && all > 0) continue;
        }
        if (question == "no_bank_conflicts") wasteful = wasteful_requests(now, true);
        // Of the changes that leave less of the most wasteful requests, the one that leaves least.
        const RunChange* nearest = nullptr;
        double left = wasteful.empty() ? 0 : 1 - least_excess_saving;
        for (const RunChange& run : tried) {
            const LineRequests* after = wasteful.empty() ? nullptr : find_same(run.after, *wasteful.front());
            if (after == nullptr || run.after.cycles <= 0 || run.of_launch || !run.same_lines) continue;
            const double here =
                run.after.of_launch(after->excess()) / now.of_launch(wasteful.front()->excess());
            if (here < left) left = here, nearest = &run;
        }
        const bool is_settled = nearest != nullptr && left <= least_excess_saving;
        if (is_settled) continue;
        // A gain within the model's error, or that a tried change nearly reaches, is no reason for a change.
        if (cycles > best * (1 - model_error)) continue;
        const auto of_atomics = std::ranges::count_if(
            wasteful, [](const LineRequests* one) { return one->operation == Operation::atomic; });
        const char* const by_atomics =
            question == "no_bank_conflicts"
                ? "let the atomics of a request update different addresses in different banks"
                : "let the atomics of a request access as few sectors as possible";
        constexpr const char* by_place =
            "let the lanes of a request access one run of addresses that begins at a multiple of 32 bytes";
        const std::string deed = are_only_misplaced(wasteful) ? by_place
                                 : of_atomics == 0            ? remedy.deed
                                 : of_atomics == std::ssize(wasteful)
                                     ? by_atomics
                                     : fmt::format("{}, and {}", remedy.deed, by_atomics);
        found.emplace_back(
            cycles,
            as_sentence(fmt::format("{}{}: at most {} cycles {}, less what the change itself costs.{}",
                                    places_of(wasteful), deed, effect_words(what_if.baseline_cycles, cycles),
                                    remedy.limit, part_words(nearest, left, now))));
    }
    if (auto combined = combined_values(cycles_of("one_atomic_per_block"), cycles_of("one_atomic_per_warp"),
                                        best * (1 - model_error), what_if.baseline_cycles))
        found.push_back(*std::move(combined));
    std::ranges::stable_sort(found, {}, &std::pair<double, std::string>::first);
    for (auto& [cycles, sentence] : found) sentences.push_back(std::move(sentence));
    return sentences;
}

}  // namespace warplens::app
