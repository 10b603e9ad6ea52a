#include "analysis/memory/block_runs.h"

#include <algorithm>
#include <map>

namespace warplens::analysis {
namespace {

/// Runs closer than this are in one row: fields of a structure, or a stride.
constexpr std::uint64_t least_row = 32;
constexpr std::size_t least_runs = 3;

using Part = std::pair<std::uint64_t, std::uint64_t>;

/// In the order of addresses; those that touch or overlap are one.
std::vector<Part> joined(std::vector<Part> parts) {
    std::ranges::sort(parts);
    std::vector<Part> runs;
    for (const Part& part : parts) {
        if (!runs.empty() && part.first <= runs.back().second)
            runs.back().second = std::max(runs.back().second, part.second);
        else runs.push_back(part);
    }
    return runs;
}

}  // namespace

void BlockRuns::hear(const StoredRequest& request, std::uint64_t block) {
    if (!block_) block_ = block;
    if (block != *block_) return;
    std::vector<Part> lanes;
    for_each_lane(request.record.mask, [&](int lane) {
        const std::uint64_t address = request.addresses[static_cast<std::size_t>(lane)];
        lanes.emplace_back(address, address + request.bytes_per_lane);
    });
    for (const Part& run : joined(std::move(lanes))) parts_.push_back(run);
}

std::uint64_t BlockRuns::pitch() const {
    const std::vector<Part> runs = joined(parts_);
    if (runs.size() < least_runs) return 0;
    std::map<std::uint64_t, std::size_t> steps;
    for (std::size_t i = 1; i < runs.size(); ++i) ++steps[runs[i].first - runs[i - 1].first];
    const auto common = std::ranges::max_element(steps, {}, [](const auto& step) { return step.second; });
    const bool agree = 4 * common->second >= 3 * (runs.size() - 1);
    return agree && common->first >= least_row ? common->first : 0;
}

}  // namespace warplens::analysis
