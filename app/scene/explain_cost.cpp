#include "app/scene/explain_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "app/scene/level_of_time.h"
#include "app/scene/line_costs.h"
#include "app/scene/machine_code.h"
#include "app/scene/site_costs.h"
#include "app/ui/number.h"
#include "core/line_of_site.h"

namespace warplens::app {
namespace {

/// From this multiple of the line's own cost, and from this share of all issue slots, another line is named.
constexpr double far_dearer = 4, worth_naming = 0.05;
/// How many opcodes are named, and from which share of the line's waits.
constexpr std::size_t most_opcodes = 3;
constexpr double worth_an_opcode = 0.1;

std::vector<SiteId> sites_of_line(const Program& program, SiteId site) {
    const Site& own = program.sites[site];
    std::vector<SiteId> sites{site};
    for (SiteId other = 0; other < program.sites.size(); ++other)
        if (other != site && own.line != 0 && program.sites[other].line == own.line &&
            program.sites[other].file == own.file)
            sites.push_back(other);
    return sites;
}

/// The program that the schedule at the machine level is of.
const Program& machine_program(const Scene& scene) {
    return level_of_counts(scene) == Level::machine ? scene.trace->program : scene.machine->program;
}

/// Cycles that warps waited for the machine instructions of a line, by opcode, the longest first.
std::vector<std::pair<std::string_view, std::uint64_t>> waits_by_opcode(const Program& program,
                                                                        const analysis::ExposedCost& cost,
                                                                        std::string_view file,
                                                                        std::uint32_t line) {
    std::map<std::string_view, std::uint64_t> waited;
    for (SiteId id = 0; id < std::min(program.sites.size(), cost.sites.size()); ++id) {
        const Site& site = program.sites[id];
        if (site.line == line && cost.sites[id].waited > 0 && source_of(program, site) == file)
            waited[site.opcode] += cost.sites[id].waited;
    }
    std::vector<std::pair<std::string_view, std::uint64_t>> sorted(waited.begin(), waited.end());
    std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto& entry) { return entry.second; });
    return sorted;
}

/// "31 % of the cycles are for `I2F.U32.RP`, 24 % for `MUFU.RCP`."; empty without a schedule at the machine
/// level.
std::string waits_sentence(const Scene& scene, const Site& own, Level wanted) {
    const LeveledTiming timed = timing_at(scene, wanted);
    if (timed.level != Level::machine || own.line == 0) return {};
    const auto waits = waits_by_opcode(machine_program(scene), timed.timing->cost,
                                       source_of(scene.trace->program, own), own.line);
    std::uint64_t all = 0;
    for (const auto& wait : waits) all += wait.second;
    std::string words;
    for (std::size_t i = 0; i < std::min(waits.size(), most_opcodes); ++i) {
        const double share = static_cast<double>(waits[i].second) / static_cast<double>(all);
        if (share < worth_an_opcode) break;
        words += fmt::format("{}{} {} `{}`", words.empty() ? "" : ", ", percent(share, 0),
                             words.empty() ? "of the cycles are for" : "for", waits[i].first);
    }
    return words.empty() ? words : words + ".";
}

}  // namespace

ExplainedCost explain_cost(const Scene& scene, SiteId site, Level wanted) {
    const auto costs = site_costs(scene, wanted);
    if (!costs || site >= costs->cost.sites.size()) return {};
    const Site& own = scene.trace->program.sites[site];
    const analysis::SiteCost whole =
        analysis::cost_of(costs->cost, sites_of_line(scene.trace->program, site));
    const bool alone = whole.waited == costs->cost.sites[site].waited;
    ExplainedCost explained;
    explained.sentence =
        analysis::cost_in_words(whole, costs->level, alone ? "it" : fmt::format("line {}", own.line));
    if (!explained.sentence.empty()) explained.waits = waits_sentence(scene, own, wanted);
    const auto lines = line_costs(scene, wanted);
    const auto most = std::ranges::max_element(lines, {}, &LineCost::cost);
    if (most == lines.end() || most->share < worth_naming || most->cost < far_dearer * whole.exposed ||
        (most->line.line == own.line && most->line.file == own.file))
        return explained;
    explained.dearer_line = most->line.line;
    explained.dearer_site = most->dearest;
    explained.dearer = fmt::format("Line {} costs far more: its waits leave {} of the issue slots empty.",
                                   explained.dearer_line, percent(most->share, 0));
    return explained;
}

}  // namespace warplens::app
