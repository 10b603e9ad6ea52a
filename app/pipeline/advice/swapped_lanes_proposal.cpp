#include "app/pipeline/advice/swapped_lanes_proposal.h"

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/symbol_name.h"

namespace warplens::app {

std::vector<Edit> swapped_lanes_edits(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    std::vector<Insertion> changes;
    bool has_x = false, has_y = false;
    for (std::size_t at = kernel->body; at + 2 < kernel->body_end; ++at) {
        const auto& axis = kernel->tokens[at + 2];
        if (!kernel->tokens[at].is("threadIdx") || !kernel->tokens[at + 1].is(".")) continue;
        if (!axis.is("x") && !axis.is("y")) continue;
        (axis.is("x") ? has_x : has_y) = true;
        changes.push_back({offset_of(axis, source), axis.line, axis.is("x") ? "y" : "x", 1});
    }
    if (!has_x || !has_y) return {};
    return edits_of(source, changes);
}

std::optional<Proposal> proposed_swapped_lanes(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now) {
    const Dim3 block = now.trace->launch.geometry.block;
    if (kernel->language != instrumentation::Language::cuda || block.x != block.y || block.x == 1 ||
        block.z != 1)
        return std::nullopt;
    const analysis::LaunchReport& report = *now.report;
    bool wastes = false;
    for (const analysis::AccessTotals* total :
         {&report.global_load, &report.global_store, &report.global_atomic})
        wastes = wastes || total->sectors > total->ideal_sectors;
    if (!wastes) return std::nullopt;
    std::vector<Edit> edits = swapped_lanes_edits(kernel->source, plain_name(now.trace->program.entry));
    if (edits.empty()) return std::nullopt;
    return with_changed_lines(kernel, overrides, std::move(edits),
                              "`threadIdx.x` and `threadIdx.y` exchanged");
}

}  // namespace warplens::app
