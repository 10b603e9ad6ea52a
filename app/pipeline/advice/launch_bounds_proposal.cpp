#include "app/pipeline/advice/launch_bounds_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/symbol_name.h"

namespace warplens::app {

std::vector<Edit> launch_bounds_edits(const std::string& source, std::string_view entry, int threads,
                                      int blocks) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    for (std::size_t at = kernel->global; at < kernel->name; ++at)
        if (kernel->tokens[at].is("__launch_bounds__")) return {};
    const auto& name = kernel->tokens[kernel->name];
    return edits_of(source, {{offset_of(name, source), name.line,
                              fmt::format("__launch_bounds__({}, {}) ", threads, blocks)}});
}

std::vector<Proposal> proposed_launch_bounds(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                             const std::map<std::string, std::string>& overrides,
                                             const Scene& now) {
    using analysis::Limiter;
    if (kernel->language != instrumentation::Language::cuda) return {};
    const Program& program = now.trace->program;
    const analysis::Occupancy& occupancy = now.report->occupancy;
    constexpr auto registers = static_cast<std::size_t>(Limiter::registers);
    if (!analysis::is_limit(occupancy, registers)) return {};
    int most = occupancy.blocks_allowed[0];
    for (std::size_t limit = 0; limit < occupancy.blocks_allowed.size(); ++limit)
        if (limit != registers) most = std::min(most, occupancy.blocks_allowed[limit]);
    const auto threads = static_cast<int>(now.trace->launch.geometry.threads_per_block());
    std::vector<Proposal> proposals;
    for (const int blocks : std::set{occupancy.blocks_per_sm + 1, most}) {
        if (blocks <= occupancy.blocks_per_sm || blocks > most) continue;
        std::vector<Edit> edits =
            launch_bounds_edits(kernel->source, plain_name(program.entry), threads, blocks);
        if (edits.empty()) return {};
        proposals.push_back(with_changed_lines(kernel, overrides, std::move(edits),
                                               fmt::format("`__launch_bounds__({}, {})`", threads, blocks)));
        proposals.back().change.condition = fmt::format("for blocks of at most {} threads", threads);
    }
    return proposals;
}

}  // namespace warplens::app
