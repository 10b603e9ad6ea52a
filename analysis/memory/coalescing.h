// Coalescing: which 32-byte sectors one global or local request accesses. Exact at the level of the access
// given; caches are not modelled, so a sector that two requests fetch counts twice. `ideal_sectors` is the
// profiler's "theoretical L2 sectors, ideal": the lanes' bytes packed contiguously, but never more than the
// request accesses. Lanes that share an address each count, so a broadcast has its own sectors as its ideal.
// This definition reproduces every row of tests/hardware/h200_sites.csv and of 360 requests at random
// addresses on an H200; counting distinct bytes does not (a row-broadcast load of a naive matrix product
// would be 1 where the profiler reports 2).
#pragma once

#include <cstdint>
#include <vector>

#include "trace/observer.h"

namespace warplens::analysis {

inline constexpr std::uint32_t sector_bytes = 32;
inline constexpr std::uint32_t line_bytes = 128;

struct SectorCount {
    std::uint32_t sectors = 0;        // distinct 32-byte sectors accessed
    std::uint32_t ideal_sectors = 0;  // min(sectors, ceil(active lanes * bytes per lane / 32))
    std::uint32_t used_bytes = 0;     // distinct bytes requested
};

/// The sectors of a request, if they are cheap to find.
struct SectorRange {
    std::uint64_t first = 0;            // in sectors from address 0
    std::uint32_t count = 0;            // contiguous; 0: they have gaps, or were not determined
    std::uint32_t ascending_lanes = 0;  // of a full warp: this many first lanes access all sectors, one
                                        // each, in ascending order; 0: not known
};

/// Counts one request. Allocation-free.
SectorCount count_sectors(const trace::Access& access);
/// The same, with the sectors.
SectorCount count_sectors(const trace::Access& access, SectorRange& range);

/// The same for a local request, whose addresses are offsets within each thread's own local memory: the
/// hardware interleaves the threads word by word (programming guide, "Local Memory"), so a warp at one offset
/// is coalesced. This layout is assumed, not measured.
SectorCount count_local_sectors(const trace::Access& access);

/// Lanes of a global atomic at one address are serialized into rounds. Each round serves every address once.
struct AtomicRounds {
    std::uint32_t rounds = 0;   // most lanes at one address
    std::uint32_t sectors = 0;  // sectors accessed, summed over the rounds: the profiler's hardware counter
};
AtomicRounds count_atomic_rounds(const trace::Access& access);

/// One sector of the detail below, ascending by address.
struct Sector {
    std::uint64_t address = 0;    // multiple of 32
    std::uint32_t byte_mask = 0;  // bit b: byte `address + b` is used by some lane
    LaneMask lanes;               // lanes that access it
};

/// The same request in detail, for a picture.
struct SectorDetail {
    SectorCount count;
    std::vector<Sector> sectors;
};
SectorDetail detail_sectors(const trace::Access& access);

}  // namespace warplens::analysis
