// Banks: how the 32 four-byte banks of shared memory serve one request. Exact for loads and stores of 1 to 16
// bytes a lane; an atomic is counted like a store whose equal words serialise. A wavefront is one pass.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/observer.h"

namespace warplens::analysis {

inline constexpr int bank_count = 32;
inline constexpr int bank_bytes = 4;

constexpr int bank_of(std::uint64_t shared_address) {
    return static_cast<int>(shared_address / bank_bytes % bank_count);
}

struct WavefrontCount {
    std::uint32_t wavefronts = 0;        // passes the request takes
    std::uint32_t ideal_wavefronts = 0;  // passes without any conflict: 1, 2 (8 bytes a lane), 4 (16 bytes)
    /// wavefronts / ideal_wavefronts; 1 means no conflict.
    double conflict_ways() const { return ideal_wavefronts ? double(wavefronts) / ideal_wavefronts : 0; }
};

/// Counts one request. Allocation-free.
WavefrontCount count_wavefronts(const trace::Access& access);

/// The same request in detail, for a picture.
struct BankDetail {
    WavefrontCount count;
    std::array<std::uint32_t, bank_count> words{};  // distinct words asked of each bank, over the request
    std::vector<LaneMask> wavefronts;               // lanes served by each pass, in order
    std::vector<LaneMask> groups;                   // lanes considered together: the warp, halves or quarters
    std::array<std::uint64_t, warp_size> word_address{};  // each lane's first word (address / 4 * 4)
};
BankDetail detail_banks(const trace::Access& access);

}  // namespace warplens::analysis
