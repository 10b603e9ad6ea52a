// Banks: how the 32 four-byte banks of shared memory serve one request. In one wavefront each bank delivers
// one word to every lane that requests it. Lanes are processed in groups: the warp for up to 4 bytes per
// lane, half-warps for 8, quarter-warps for 16. A group takes as many wavefronts as there are distinct words
// in its busiest bank. If the lanes of a wide load repeat their neighbour's address in pairs (every lane i
// and i^1, or every i and i^2), its groups are merged in pairs; those of stores never are. This was measured
// on an H200 with hardware counters, one warp and one request per launch, at random addresses and masks: the
// rules give every count of 1- to 16-byte loads and stores and of 4-byte atomics, whose lanes at one word add
// no wavefront (they are still serialized; see AtomicRounds in coalescing.h). Assumed, not measured: 8-byte
// atomics count like stores.
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
    std::uint32_t wavefronts = 0;  // wavefronts of the request
    /// The profiler's ideal: min(wavefronts, ceil(active lanes * bytes per lane / 128)). For a full warp it
    /// is 1 for up to 4 bytes per lane, 2 for 8, 4 for 16.
    std::uint32_t ideal_wavefronts = 0;
    /// wavefronts / ideal_wavefronts; 1 means no conflict.
    double conflict_ways() const { return ideal_wavefronts ? double(wavefronts) / ideal_wavefronts : 0; }
};

/// Counts one request. Allocation-free.
WavefrontCount count_wavefronts(const trace::Access& access);

/// Distinct words per bank over the whole request. Allocation-free.
std::array<std::uint8_t, bank_count> count_bank_words(const trace::Access& access);

/// Wavefronts of one constant request: one for each distinct word (programming guide, "Constant Memory");
/// ideal 1.
WavefrontCount count_constant_wavefronts(const trace::Access& access);

/// The same request in detail, for a picture.
struct BankDetail {
    WavefrontCount count;
    std::array<std::uint32_t, bank_count> words{};  // distinct words per bank over the request
    std::vector<LaneMask> wavefronts;  // lanes that receive a word in each; the order is our choice
    std::vector<LaneMask> groups;      // lanes processed together: the warp, halves, quarters
    std::array<std::uint64_t, warp_size> word_address{};  // each lane's first word (address / 4 * 4)
};
BankDetail detail_banks(const trace::Access& access);

}  // namespace warplens::analysis
