#include "app/pipeline/advice/launch_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "app/pipeline/advice/constant_proposals.h"
#include "app/pipeline/advice/row_warp_proposal.h"
#include "app/pipeline/advice/vector_proposal.h"
#include "app/pipeline/block_sample.h"
#include "app/pipeline/same_threads.h"
#include "core/lane_mask.h"

namespace warplens::app {
namespace {

using Kernel = std::shared_ptr<const instrumentation::KernelFile>;

bool is_number(const std::vector<std::string>& extents) {
    if (extents.empty()) return false;
    const std::string& text = extents.front();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

/// Whether the expression has this number: "ceil_div(n, 256)".
bool names_number(const std::string& expression, std::uint64_t number) {
    const std::string text = std::to_string(number);
    const auto is_digit = [&](std::size_t at) {
        return at < expression.size() && expression[at] >= '0' && expression[at] <= '9';
    };
    for (std::size_t at = expression.find(text); at != std::string::npos; at = expression.find(text, at + 1))
        if (!is_digit(at + text.size()) && (at == 0 || !is_digit(at - 1))) return true;
    return false;
}

Proposal with_launch(const Kernel& kernel, const std::map<std::string, std::string>& overrides,
                     std::uint64_t grid, std::uint64_t block, std::string words) {
    auto changed = std::make_shared<instrumentation::KernelFile>(*kernel);
    changed->grid = {std::to_string(grid)};
    changed->block = {std::to_string(block)};
    Proposal proposal{{}, std::move(changed), overrides};
    proposal.change.launch = std::move(words);
    return proposal;
}

/// Whether more blocks could share the same work: each goes on by the grid's size, or takes from a counter.
bool may_share_work(const Program& program) {
    return reads_grid(program) || std::ranges::any_of(program.sites, [](const Site& site) {
               return site.opcode.starts_with("atom.");
           });
}

std::vector<Proposal> without_change_of_text(const Kernel& kernel,
                                             const std::map<std::string, std::string>& overrides,
                                             const Scene& now) {
    const trace::Launch& launch = now.trace->launch;
    const Dim3 grid = launch.geometry.grid, block = launch.geometry.block;
    if (grid.y * grid.z * block.y * block.z != 1 || !kernel->cluster.empty() || kernel->cooperative)
        return {};
    std::vector<Proposal> proposals;
    const auto blocks = static_cast<std::uint64_t>(grid.x), threads = static_cast<std::uint64_t>(block.x);
    const std::uint64_t full = blocks_that_fill(launch, *now.gpu);
    const auto sms = static_cast<std::uint64_t>(std::max(now.gpu->sm_count, 1));
    // A grid that follows from the amount of data has no use for more blocks. What every block does once,
    // such as adding its sum to a global one, may cost more than a full GPU gains.
    if (is_number(kernel->grid) && may_share_work(now.trace->program))
        for (const std::uint64_t count : {full, full / 2, full / 4})
            if (count > blocks && count % sms == 0)
                proposals.push_back(with_launch(
                    kernel, overrides, count, threads,
                    fmt::format("grid {} ({} per SM) instead of {}", count, count / sms, blocks)));
    if (!is_number(kernel->block)) return proposals;
    for (const std::uint64_t other : {threads * 2, threads / 2, threads * 4, threads / 4, threads * 8}) {
        if (other < least_threads || other > most_threads ||
            other % static_cast<std::uint64_t>(warp_size) != 0)
            continue;
        // A grid that is computed without the block, such as one block a row, stays.
        if (!is_number(kernel->grid) && !names_number(kernel->grid.front(), threads)) {
            proposals.push_back(with_launch(kernel, overrides, blocks, other,
                                            fmt::format("block {} instead of {}", other, threads)));
            continue;
        }
        const std::uint64_t count = (blocks * threads + other - 1) / other;
        proposals.push_back(
            with_launch(kernel, overrides, count, other,
                        fmt::format("block {} instead of {}, grid {}", other, threads, count)));
    }
    return proposals;
}

}  // namespace

std::vector<Proposal> proposed_launches(const Kernel& kernel,
                                        const std::map<std::string, std::string>& overrides, const Scene& now,
                                        const FindEntries& find_entries) {
    std::vector<Proposal> all = proposed_constants(kernel, overrides, now, find_entries);
    // A block that the text can give is not tried against what else the text makes from that number.
    const auto is_there = [&](const Proposal& launch) {
        return std::ranges::any_of(all, [&](const Proposal& other) {
            return !other.untried.empty() || other.kernel->block == launch.kernel->block;
        });
    };
    for (Proposal& launch : without_change_of_text(kernel, overrides, now))
        if (launch.kernel->block == kernel->block || !is_there(launch)) all.push_back(std::move(launch));
    if (auto vectors = proposed_vectors(kernel, overrides, now, find_entries))
        all.insert(all.begin(), std::move(*vectors));
    auto rows = proposed_row_warps(kernel, overrides, now, find_entries);
    all.insert(all.begin(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    return all;
}

}  // namespace warplens::app
