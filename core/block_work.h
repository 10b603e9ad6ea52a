// BlockWork: how much of a launch one block executed. With it the time of a grid can be estimated before any
// of its blocks is timed.
#pragma once

#include <cstdint>
#include <vector>

namespace warplens {

struct BlockWork {
    std::uint64_t block = 0;         // linear index in the grid
    std::uint64_t steps = 0;         // warp-instructions
    std::uint64_t longest_warp = 0;  // warp-instructions of the warp that executed most

    friend bool operator==(const BlockWork&, const BlockWork&) = default;
};

inline std::uint64_t steps_of(const std::vector<BlockWork>& blocks) {
    std::uint64_t steps = 0;
    for (const BlockWork& block : blocks) steps += block.steps;
    return steps;
}

}  // namespace warplens
