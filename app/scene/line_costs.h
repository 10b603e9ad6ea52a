// Line costs: what each line of the kernel's source costs in time — the issue slots that waits for it leave
// empty, by the timing model — and which of them is worth looking at first. Without a schedule the requests
// beyond the ideal stand for the time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/report/source_map.h"
#include "app/scene/scene.h"
#include "core/provenance.h"

namespace warplens::app {

struct LineCost {
    analysis::LineHeat line;
    double cost = 0;            // issue slots left empty; without a schedule, excess sectors and wavefronts
    double share = 0;           // of all issue slots; 0 without a schedule
    std::uint64_t excess = 0;   // sectors and wavefronts beyond the ideal
    SiteId dearest = no_index;  // of its sites: the one that costs most; with much excess, of those that
                                // cause it
    bool costs_most = false;    // of all lines

    bool is_timed() const { return share > 0; }
};

/// Sectors, wavefronts and serialized atomics of the site beyond the ideal.
std::uint64_t excess_of(const analysis::AccessTotals& access);

/// Of all lines that execute an instruction, in the files' order. Times are of the wanted level where they
/// are known there.
std::vector<LineCost> line_costs(const Scene& scene, Level wanted);

/// Of the instructions of a line of the kernel's source, the one that costs most; no_index: it has none.
SiteId dearest_of_line(const Scene& scene, std::uint32_t line, Level wanted);

/// The line to look at first: the most expensive one. But a line with excess goes first if it costs at least
/// a quarter as much, since a change of the kernel can reduce it. Nothing if no line costs anything.
std::optional<LineCost> costliest_line(const Scene& scene, Level wanted);

}  // namespace warplens::app
