#include "app/pipeline/advice/proposed_changes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/pipeline/advice/code_proposals.h"
#include "app/pipeline/advice/launch_proposals.h"
#include "app/pipeline/block_sample.h"

namespace warplens::app {
namespace {

/// The search for a pad looks at the shared-memory requests of this many blocks.
constexpr std::uint64_t blocks_for_pads = 4;

}  // namespace

std::vector<Proposal> proposed_changes(Pipeline& pipeline, const LaunchRequest& request, const Scene& now,
                                       const std::function<bool()>& stop) {
    const auto& kernel = request.kernel;
    const auto& overrides = request.overrides;
    std::vector<Proposal> all;
    const auto add = [&](std::vector<Proposal> more) { std::ranges::move(more, std::back_inserter(all)); };
    // Other code for a wrong kernel may hide what is wrong; its settings were tried before.
    const bool is_right = now.report->problems.empty();
    if (is_right) add(proposed_rewrites(kernel, overrides, now));
    if (is_right) add(proposed_settings(kernel, overrides));
    auto pad = proposed_pad(pipeline, request, spread_blocks(now.blocks_in_grid, blocks_for_pads), stop);
    // A setting goes first: its search knows the effect. A change of the code is for what no setting reaches.
    if (pad && !pad->change.parameter.empty()) {
        std::erase_if(all, [&](const Proposal& other) { return other.overrides == pad->overrides; });
        all.insert(all.begin(), std::move(*pad));
    } else if (pad) {
        all.push_back(std::move(*pad));
    }
    const FindEntries entries = [&](const instrumentation::KernelFile& file) {
        return pipeline.entries(
            {std::make_shared<const instrumentation::KernelFile>(file), {}, request.gpu, {}});
    };
    add(proposed_launches(kernel, overrides, now, entries));
    if (is_right) add(proposed_hints(kernel, overrides, now));
    return all;
}

}  // namespace warplens::app
