#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "analysis/time/time_resolution.h"
#include "app/scene/advice.h"
#include "app/ui/number.h"

namespace warplens::app {
namespace {

using analysis::model_error;

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

std::vector<std::string> modelled_changes(const WhatIf& what_if, const RunFigures& now,
                                          const std::vector<RunChange>& tried,
                                          const std::set<std::uint32_t>& lines_of_structures,
                                          const std::set<std::uint32_t>& rewritten) {
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
            const LineRequests* after =
                wasteful.empty() ? nullptr : find_same(run.after.lines, *wasteful.front());
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
        constexpr const char* by_members =
            "keep each member of the structures in an array of its own, so that neighbouring lanes access "
            "neighbouring addresses";
        const bool of_structures =
            question == "perfect_coalescing" && std::ranges::all_of(wasteful, [&](const LineRequests* one) {
                return lines_of_structures.contains(one->line);
            });
        const std::string deed = of_structures                  ? by_members
                                 : are_only_misplaced(wasteful) ? by_place
                                 : of_atomics == 0              ? remedy.deed
                                 : of_atomics == std::ssize(wasteful)
                                     ? by_atomics
                                     : fmt::format("{}, and {}", remedy.deed, by_atomics);
        found.emplace_back(
            cycles,
            as_sentence(fmt::format("{}{}: at most {} cycles {}, less what the change itself costs.{}",
                                    places_of(wasteful), deed, effect_words(what_if.baseline_cycles, cycles),
                                    remedy.limit, part_words(nearest, left, now))));
    }
    const bool are_combined = std::ranges::any_of(now.lines, [&](const LineRequests& one) {
        return one.operation == Operation::atomic && rewritten.contains(one.line);
    });
    if (auto combined = are_combined ? std::nullopt
                                     : combined_values(cycles_of("one_atomic_per_block"),
                                                       cycles_of("one_atomic_per_warp"),
                                                       best * (1 - model_error), what_if.baseline_cycles))
        found.push_back(*std::move(combined));
    std::ranges::stable_sort(found, {}, &std::pair<double, std::string>::first);
    for (auto& [cycles, sentence] : found) sentences.push_back(std::move(sentence));
    return sentences;
}

}  // namespace warplens::app
