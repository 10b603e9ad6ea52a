// The small part of a Measured as JSON: the device, its SMs, the cost of recording, and which blocks of the
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
/// The number of blocks in all ranges.
std::uint64_t count(const BlockRanges& ranges);

struct MeasuredDescription {
    Measured measured;   // without warps and visits
    BlockRanges blocks;  // blocks with measured warps
    BlockRanges alone;   // of these, blocks with only recorded times: the Trace has no warps of them
};

/// For a Trace that has a Measured.
std::string describe_measured(const Trace& trace);
Result<MeasuredDescription> parse_measured(std::string_view json);

}  // namespace warplens::trace
