// Exposed cost: for each site, how long warps waited for it, and how much of that no other warp hid. A
// scheduler's empty issue slot is charged in equal parts to its resident warps, and there to the site that
// each waits for: the charges of all sites sum to the empty slots with a resident warp. A conflict that other
// warps hide has long waits and little exposed cost.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "core/provenance.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct SiteCost {
    std::uint64_t issues = 0;  // machine instructions issued for it
    std::uint64_t waited = 0;  // warp-cycles in which a warp waited for it (its result, queue or barrier)
    double exposed = 0;        // issue slots left empty because of it
};

struct ExposedCost {
    std::vector<SiteCost> sites;    // one per site of the program
    std::uint64_t empty_slots = 0;  // with at least one warp of the scheduler resident == sum of `exposed`
    std::uint64_t issue_slots = 0;
};

/// "Warps of one SM waited 12,345 cycles for it and left 2,300 issue slots empty, with nothing else to issue
/// (modelled, PTX level)."; empty where nothing waits. `of`: what it is the cost of.
std::string cost_in_words(const SiteCost& cost, Level level, std::string_view of = "it");

/// Charges a wait to the site of its cause if there is one, else to the waiting instruction.
ExposedCost exposed_cost(const trace::Trace& trace, const trace::Schedule& schedule);

/// The cost of machine instructions, given to the PTX instructions that the assembler made them of: one entry
/// per site of `ptx`. A machine instruction without a PTX line, such as a spill, goes to the first PTX
/// instruction of its source line; without that, to none, so that the sum may be less than `empty_slots`.
ExposedCost cost_by_ptx(const ExposedCost& cost, const Program& machine, const Program& ptx);

/// The sum over some sites, such as those of a source line. Sites that `cost` lacks cost nothing.
SiteCost cost_of(const ExposedCost& cost, std::span<const SiteId> sites);

}  // namespace warplens::analysis
