#include "simt/timing/chase_latency.h"

#include <algorithm>

#include "analysis/memory/coalescing.h"
#include "simt/timing/l1_cache.h"
#include "simt/timing/memory_share.h"

namespace warplens::simt {
namespace {

using analysis::line_bytes;

/// Of the second walk over the lines: the first one fills the cache.
double share_in_l1(std::uint32_t l1_bytes, std::uint64_t lines) {
    // Far beyond L1 every line is replaced before the walk returns to it.
    if (lines * line_bytes > 8 * std::uint64_t{l1_bytes}) return 0;
    L1Cache l1(l1_bytes);
    std::uint64_t hits = 0;
    for (int walk = 0; walk < 2; ++walk)
        for (std::uint64_t line = 0; line < lines; ++line) {
            const SectorId sector = line * (line_bytes / analysis::sector_bytes);
            if (l1.find(sector) != nullptr) hits += walk == 1 ? 1 : 0;
            else l1.insert(sector, 0);
        }
    return double(hits) / double(std::max<std::uint64_t>(lines, 1));
}

}  // namespace

ChaseLatency chase_latency(const SmTiming& timing, std::uint32_t l1_bytes, std::uint64_t bytes) {
    ChaseLatency found;
    found.bytes = bytes;
    found.from_l1 = share_in_l1(l1_bytes, bytes / line_bytes);
    // A line is asked for again after all the others.
    found.from_l2 = (1 - found.from_l1) * share_kept_in_l2(timing, double(bytes));
    found.from_dram = 1 - found.from_l1 - found.from_l2;
    found.cycles = found.from_l1 * timing.l1_hit_latency + found.from_l2 * timing.l2_hit_latency +
                   found.from_dram * timing.dram_latency;
    return found;
}

std::vector<ChaseLatency> latency_staircase(const SmTiming& timing, std::uint32_t l1_bytes) {
    const std::uint64_t last = 16 * std::max<std::uint64_t>(timing.l2_bytes, 16u << 20);
    std::vector<ChaseLatency> stairs;
    for (std::uint64_t bytes = 4096; bytes <= last; bytes *= 2)
        stairs.push_back(chase_latency(timing, l1_bytes, bytes));
    return stairs;
}

}  // namespace warplens::simt
