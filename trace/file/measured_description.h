// The small part of a Measured as JSON: the device, its SMs, what recording cost, and which blocks of the
// file were measured. The warps and their visits are stored as columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "trace/measured.h"
#include "trace/trace.h"

namespace warplens::trace {

/// Linear indices of blocks, both ends included.
struct BlockRange {
    std::uint64_t first = 0, last = 0;
    friend bool operator==(const BlockRange&, const BlockRange&) = default;
};

/// Ascending, without overlap.
using BlockRanges = std::vector<BlockRange>;
bool contains(const BlockRanges& ranges, std::uint64_t block);
/// Blocks in all of them.
std::uint64_t count(const BlockRanges& ranges);

struct MeasuredDescription {
    Measured measured;   // without warps and visits
    BlockRanges blocks;  // that have measured warps
    BlockRanges
        alone;  // of them those of which nothing but times was recorded: no warp of the Trace is theirs
};

/// Of a Trace that has a Measured.
std::string describe_measured(const Trace& trace);
Result<MeasuredDescription> parse_measured(std::string_view json);

}  // namespace warplens::trace
