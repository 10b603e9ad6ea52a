// Exposed cost: for each site, how long warps waited for it, and how much of that no other warp covered. A
// scheduler's empty issue slot is charged to the warps that sat on it, in equal parts, and there to the site
// each waits for: the charges of all sites sum to the empty slots with a warp resident. A conflict that
// other warps hide waits long and exposes little.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/program.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct SiteCost {
    std::uint64_t issues = 0;  // machine instructions issued for it
    std::uint64_t waited = 0;  // warp-cycles in which a warp waited for it (its result, queue or barrier)
    double exposed = 0;        // issue slots left empty because of it
};

struct ExposedCost {
    std::vector<SiteCost> sites;    // one a site of the program
    std::uint64_t empty_slots = 0;  // with at least one warp of the scheduler resident == sum of `exposed`
    std::uint64_t issue_slots = 0;
};

/// "Warps of one SM waited 12,345 cycles for it and left 2,300 issue slots empty, with nothing else to issue
/// (modelled)."; empty for a site that nobody waited for.
std::string cost_in_words(const SiteCost& cost);

/// Charges a wait to the site of its cause where there is one, else to the instruction that waits.
ExposedCost exposed_cost(const trace::Trace& trace, const trace::Schedule& schedule);

/// The sum over some sites, such as those of a source line. Sites that `cost` lacks cost nothing.
SiteCost cost_of(const ExposedCost& cost, std::span<const SiteId> sites);

}  // namespace warplens::analysis
