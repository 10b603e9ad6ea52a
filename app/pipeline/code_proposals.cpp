#include "app/pipeline/code_proposals.h"

#include <optional>
#include <utility>

#include "app/pipeline/index_pad_proposal.h"
#include "app/pipeline/launch_bounds_proposal.h"
#include "app/pipeline/literal_proposal.h"
#include "app/pipeline/power_of_two_proposal.h"
#include "app/pipeline/reduction_proposal.h"
#include "app/pipeline/restrict_proposal.h"
#include "app/pipeline/shared_counters_proposal.h"
#include "app/pipeline/swapped_lanes_proposal.h"
#include "app/pipeline/transposed_tile_proposal.h"
#include "app/pipeline/unroll_proposal.h"

namespace warplens::app {

std::vector<Proposal> proposed_code(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                    const std::map<std::string, std::string>& overrides, const Scene& now) {
    const Program& program = now.trace->program;
    std::vector<Proposal> all;
    const auto add_one = [&](std::optional<Proposal> one) {
        if (one) all.push_back(std::move(*one));
    };
    const auto add = [&](std::vector<Proposal> several) {
        for (Proposal& one : several) all.push_back(std::move(one));
    };
    add_one(proposed_swapped_lanes(kernel, overrides, now));
    add(proposed_reductions(kernel, overrides, now));
    add_one(proposed_shared_counters(kernel, overrides, now));
    add_one(proposed_transposed_tile(kernel, overrides, now));
    add_one(proposed_padded_indexes(kernel, overrides, now));
    add_one(proposed_literals(kernel, overrides, now));
    add_one(proposed_restrict(kernel, overrides, program));
    add(proposed_masks(kernel, overrides, program));
    add(proposed_launch_bounds(kernel, overrides, now));
    add(proposed_unrolls(kernel, overrides, now));
    return all;
}

}  // namespace warplens::app
