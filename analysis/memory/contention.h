// Contention: which lanes of an atomic request access the same address, and the turns into which they are
// serialized. Each turn serves every address once, so a request takes as many turns as its busiest address
// has lanes (as counted by count_atomic_turns, which equals the profiler's sectors). The timing model has the
// duration of a turn.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct ContendedAddress {
    std::uint64_t address = 0;
    LaneMask lanes;
};

struct AtomicDetail {
    LaneMask lanes;
    std::vector<ContendedAddress> addresses;  // distinct, ascending
    std::vector<LaneMask> turns;              // lanes served in each turn, the lowest of an address first
    std::uint32_t most_lanes() const { return static_cast<std::uint32_t>(turns.size()); }
};
AtomicDetail detail_atomic(const trace::Access& access);

/// A site's requests by number of turns.
struct ContentionHistogram {
    std::array<std::uint64_t, warp_size + 1> requests{};  // by turns; [0] stays 0
    std::array<std::uint64_t, warp_size + 1>
        first_access{};                           // index into Trace::accesses, where requests > 0
    std::uint64_t all = 0, turns = 0, lanes = 0;  // sums
    double mean_turns() const { return all ? double(turns) / double(all) : 0; }
};
ContentionHistogram contention_of_site(const trace::Trace& trace, SiteId site);

}  // namespace warplens::analysis
