// SectorHistogram: how many of a Trace's global or local requests access one sector, two, … One request in
// detail is analysis/memory/coalescing.h; sums over a whole launch are in analysis/report/launch_report.h.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/memory/coalescing.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct SectorHistogram {
    struct Bin {
        std::uint32_t sectors = 0;       // per request: 1 to 64 in practice
        std::uint64_t requests = 0;      // number of requests with this many sectors
        std::uint64_t first_access = 0;  // index into Trace::accesses of the first of them
        std::uint64_t at_ideal = 0;      // of the requests, those that access as few as their own ideal
    };
    std::vector<Bin> bins;  // ascending by sectors; only non-empty ones
    std::uint64_t requests = 0, sectors = 0, ideal_sectors = 0, used_bytes = 0;

    double sectors_per_request() const { return requests ? double(sectors) / double(requests) : 0; }
    double ideal_per_request() const { return requests ? double(ideal_sectors) / double(requests) : 0; }
    /// Share of the fetched bytes that a lane requested, 0 to 1.
    double used_share() const { return sectors ? double(used_bytes) / double(sectors * sector_bytes) : 0; }
};
/// For one site, or for all global and local requests if `site` is no_index.
SectorHistogram sector_histogram(const trace::Trace& trace, SiteId site = no_index);

}  // namespace warplens::analysis
