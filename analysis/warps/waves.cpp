#include "analysis/warps/waves.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/wording.h"

namespace warplens::analysis {

namespace {

std::string fullness(const Waves& waves) {
    const double full = 1 - waves.idle_in_last();
    return full < 0.01 ? "less than 1 %" : percent(full);
}

}  // namespace

Waves waves_of(std::uint64_t blocks, int blocks_per_sm, int sm_count) {
    Waves waves;
    waves.blocks = blocks;
    waves.at_once = static_cast<std::uint64_t>(std::max(blocks_per_sm, 0)) *
                    static_cast<std::uint64_t>(std::max(sm_count, 0));
    if (waves.at_once == 0 || blocks == 0) return waves;
    waves.count = (blocks + waves.at_once - 1) / waves.at_once;
    waves.last_blocks = blocks - (waves.count - 1) * waves.at_once;
    return waves;
}

std::string waves_in_words(const Waves& waves, int blocks_per_sm, int sm_count) {
    if (waves.count == 0) return "No block of this launch fits on an SM.";
    const std::string places =
        fmt::format("{} at once ({} SMs × {})", grouped(waves.at_once), sm_count, blocks_per_sm);
    const std::string blocks =
        waves.blocks == 1 ? "1 block" : fmt::format("{} blocks", grouped(waves.blocks));
    if (waves.count == 1) return fmt::format("{}, {}: one wave, {} full", blocks, places, fullness(waves));
    return fmt::format("{}, {}: {} waves, the last {} full", blocks, places, grouped(waves.count),
                       fullness(waves));
}

}  // namespace warplens::analysis
