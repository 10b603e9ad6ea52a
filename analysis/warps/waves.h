// Waves: how often a GPU must fill up with blocks to run a grid, and how full the last filling is — the tail,
// in which SMs stand idle. Arithmetic on blocks that all take equally long; what a launch really did is in
// analysis/time/measured_summary.h.
#pragma once

#include <cstdint>
#include <string>

namespace warplens::analysis {

struct Waves {
    std::uint64_t blocks = 0;       // of the grid
    std::uint64_t at_once = 0;      // all SMs together; 0: the block does not fit or the GPU is not known
    std::uint64_t count = 0;        // waves begun, the last one included
    std::uint64_t last_blocks = 0;  // in the last wave
    /// Share of the places that the last wave leaves empty, 0 to below 1.
    double idle_in_last() const { return at_once ? 1 - double(last_blocks) / double(at_once) : 0; }
    /// Share of all places, over all waves, that hold a block.
    double efficiency() const { return count ? double(blocks) / double(count * at_once) : 0; }
};
Waves waves_of(std::uint64_t blocks, int blocks_per_sm, int sm_count);

/// "4,096 blocks, 1,056 at once (132 SMs x 8): 4 waves, the last 88 % full".
std::string waves_in_words(const Waves& waves, int blocks_per_sm, int sm_count);

}  // namespace warplens::analysis
