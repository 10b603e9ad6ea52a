// Same threads: the blocks of a launch that do what given blocks of another launch do, so that the two can be
// compared without running either grid as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/launch.h"
#include "core/program.h"

namespace warplens::app {

/// The blocks of `to`, by their linear indices, ascending: those with the given indices where only the
/// blocks' size differs, else those whose threads have the same places in the grid. Threads that only one
/// launch has, because its last blocks reach further, count for nothing. `reads_grid`: the kernel reads the
/// grid's extent, and so may go on by it. Nothing: the given blocks' threads are not those of whole blocks.
std::optional<std::vector<std::uint64_t>> blocks_of_the_same_threads(const std::vector<std::uint64_t>& blocks,
                                                                     const LaunchGeometry& from,
                                                                     const LaunchGeometry& to,
                                                                     bool reads_grid);

/// `from` neighbouring blocks along x of one launch compute what `to` neighbours of another one do.
struct BlockRatio {
    std::uint32_t from = 1, to = 1;
    friend constexpr bool operator==(const BlockRatio&, const BlockRatio&) = default;
};
/// The same where the change of the text says which blocks do what given blocks do.
std::optional<std::vector<std::uint64_t>> blocks_of_the_same_work(const std::vector<std::uint64_t>& blocks,
                                                                  const LaunchGeometry& from,
                                                                  const LaunchGeometry& to, BlockRatio ratio);

/// Whether the kernel reads the grid's extent.
bool reads_grid(const Program& program);

/// The blocks with their neighbours, which a launch with larger blocks makes one of: boxes of up to `group`
/// blocks.
std::vector<std::uint64_t> in_groups(const std::vector<std::uint64_t>& blocks, Dim3 group, Dim3 grid);

}  // namespace warplens::app
