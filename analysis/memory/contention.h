// Contention: which lanes of an atomic request access the same address, and the rounds into which they are
// serialized. Each round serves every address once, so a request takes as many rounds as its busiest address
// has lanes (as counted by count_atomic_rounds, which equals the profiler's sectors). The timing model has
// the duration of a round.
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
    std::vector<LaneMask> rounds;             // lanes served in each round, the lowest of an address first
    std::uint32_t most_lanes() const { return static_cast<std::uint32_t>(rounds.size()); }
};
AtomicDetail detail_atomic(const trace::Access& access);

/// A site's requests by number of rounds.
struct ContentionHistogram {
    std::array<std::uint64_t, warp_size + 1> requests{};  // by rounds; [0] stays 0
    std::array<std::uint64_t, warp_size + 1>
        first_access{};                            // index into Trace::accesses, where requests > 0
    std::uint64_t all = 0, rounds = 0, lanes = 0;  // sums
    double mean_rounds() const { return all ? double(rounds) / double(all) : 0; }
};
ContentionHistogram contention_of_site(const trace::Trace& trace, SiteId site);

}  // namespace warplens::analysis
