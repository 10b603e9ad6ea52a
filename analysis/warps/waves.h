// Waves: how many times a GPU must fill with blocks to run a grid, and how full the last wave is — the tail,
// in which SMs are idle. Assumes that all blocks take equally long; the measured behaviour of a launch is in
// analysis/time/measured_summary.h.
#pragma once

#include <cstdint>
#include <string>

namespace warplens::analysis {

struct Waves {
    std::uint64_t blocks = 0;       // of the grid
    std::uint64_t at_once = 0;      // resident on all SMs; 0: the block does not fit or the GPU is not known
    std::uint64_t count = 0;        // including the last one
    std::uint64_t last_blocks = 0;  // in the last wave
    /// Share of empty places in the last wave, 0 to below 1.
    double idle_in_last() const { return at_once ? 1 - double(last_blocks) / double(at_once) : 0; }
    /// Share of places with a block, over all waves.
    double efficiency() const { return count ? double(blocks) / double(count * at_once) : 0; }
};
Waves waves_of(std::uint64_t blocks, int blocks_per_sm, int sm_count);

/// "4,096 blocks, 1,056 at once (132 SMs x 8): 4 waves, the last 88 % full".
std::string waves_in_words(const Waves& waves, int blocks_per_sm, int sm_count);

}  // namespace warplens::analysis
