// Coalescing: which 32-byte sectors one global or local request touches. Exact at the level of the access
// given; it does not model caches, so a sector fetched twice by two requests counts twice.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/observer.h"

namespace warplens::analysis {

inline constexpr std::uint32_t sector_bytes = 32;
inline constexpr std::uint32_t line_bytes = 128;

struct SectorCount {
    std::uint32_t sectors = 0;        // distinct 32-byte sectors touched
    std::uint32_t ideal_sectors = 0;  // what the same number of distinct bytes would need, packed
    std::uint32_t used_bytes = 0;     // distinct bytes asked for
};

/// Counts one request. Allocation-free.
SectorCount count_sectors(const trace::Access& access);

/// One sector of the detail below, ascending by address.
struct Sector {
    std::uint64_t address = 0;    // multiple of 32
    std::uint32_t byte_mask = 0;  // bit b: byte `address + b` is used by some lane
    LaneMask lanes;               // lanes that touch it
};

/// The same request in detail, for a picture.
struct SectorDetail {
    SectorCount count;
    std::vector<Sector> sectors;
};
SectorDetail detail_sectors(const trace::Access& access);

}  // namespace warplens::analysis
