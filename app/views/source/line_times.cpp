#include "app/views/source/line_times.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/ui/number.h"
#include "app/ui/tooltip.h"

namespace warplens::app {

std::string line_times_provenance(const std::optional<SiteCosts>& costs) {
    if (!costs) return {};
    return fmt::format("stall cycles, exposed issue slots: modelled, {}", to_string(costs->level));
}

void explain_line_times(const Theme& theme, const SiteCosts& costs, const analysis::LineHeat& line) {
    const analysis::SiteCost cost = cost_of(costs.cost, line.sites);
    const auto exposed = static_cast<std::uint64_t>(std::llround(cost.exposed));
    const std::string stalled = cycles_words(static_cast<double>(cost.waited));
    const std::string sentence =
        exposed == 0 ? fmt::format("Warps stalled {} on this line, and other warps hid all of it.", stalled)
                     : fmt::format("Warps stalled {} on this line; for {} no other warp could issue.",
                                   stalled, counted(exposed, "issue slot"));
    const double slots = static_cast<double>(std::max<std::uint64_t>(costs.cost.issue_slots, 1));
    tooltip_card(
        theme, sentence,
        fmt::format("{} of {} issue slots = {} · modelled, {}", grouped(exposed),
                    grouped(costs.cost.issue_slots), percent(cost.exposed / slots), to_string(costs.level)));
}

}  // namespace warplens::app
