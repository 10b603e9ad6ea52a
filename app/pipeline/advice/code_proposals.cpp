#include "app/pipeline/advice/code_proposals.h"

#include <optional>
#include <utility>

#include "app/pipeline/advice/asynchronous_copy_proposal.h"
#include "app/pipeline/advice/constant_step_proposal.h"
#include "app/pipeline/advice/index_pad_proposal.h"
#include "app/pipeline/advice/launch_bounds_proposal.h"
#include "app/pipeline/advice/literal_proposal.h"
#include "app/pipeline/advice/power_of_two_proposal.h"
#include "app/pipeline/advice/product_tile_proposal.h"
#include "app/pipeline/advice/reduction_proposal.h"
#include "app/pipeline/advice/restrict_proposal.h"
#include "app/pipeline/advice/root_proposal.h"
#include "app/pipeline/advice/scan_proposal.h"
#include "app/pipeline/advice/shared_counters_proposal.h"
#include "app/pipeline/advice/swapped_lanes_proposal.h"
#include "app/pipeline/advice/transposed_tile_proposal.h"
#include "app/pipeline/advice/unroll_proposal.h"
#include "app/pipeline/advice/warp_sum_proposal.h"

namespace warplens::app {
namespace {

using Kernel = std::shared_ptr<const instrumentation::KernelFile>;
using Overrides = std::map<std::string, std::string>;

void add(std::optional<Proposal> one, std::vector<Proposal>& all) {
    if (one) all.push_back(std::move(*one));
}
void add(std::vector<Proposal> several, std::vector<Proposal>& all) {
    for (Proposal& one : several) all.push_back(std::move(one));
}

}  // namespace

std::vector<Proposal> proposed_rewrites(const Kernel& kernel, const Overrides& overrides, const Scene& now) {
    std::vector<Proposal> all;
    add(proposed_swapped_lanes(kernel, overrides, now), all);
    add(proposed_reductions(kernel, overrides, now), all);
    add(proposed_warp_sums(kernel, overrides, now), all);
    add(proposed_shared_counters(kernel, overrides, now), all);
    add(proposed_transposed_tile(kernel, overrides, now), all);
    add(proposed_product_tiles(kernel, overrides, now), all);
    add(proposed_scan(kernel, overrides, now), all);
    add(proposed_asynchronous_copies(kernel, overrides, now), all);
    add(proposed_constant_steps(kernel, overrides, now), all);
    add(proposed_padded_indexes(kernel, overrides, now), all);
    add(proposed_literals(kernel, overrides, now), all);
    add(proposed_roots(kernel, overrides, now.trace->program), all);
    return all;
}

std::vector<Proposal> proposed_hints(const Kernel& kernel, const Overrides& overrides, const Scene& now) {
    const Program& program = now.trace->program;
    std::vector<Proposal> all;
    add(proposed_restrict(kernel, overrides, program), all);
    add(proposed_masks(kernel, overrides, program), all);
    add(proposed_launch_bounds(kernel, overrides, now), all);
    add(proposed_unrolls(kernel, overrides, now), all);
    return all;
}

}  // namespace warplens::app
