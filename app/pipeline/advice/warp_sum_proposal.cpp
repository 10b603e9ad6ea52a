#include "app/pipeline/advice/warp_sum_proposal.h"

#include <fmt/format.h>

#include "app/pipeline/advice/kernel_words.h"
#include "core/lane_mask.h"
#include "core/symbol_name.h"

namespace warplens::app {

std::vector<Edit> warp_sum_edits(const std::string& source, std::string_view entry,
                                 const GlobalCounters& counter, bool per_block) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const std::string own = "thread_" + counter.name, of_block = "block_" + counter.name;
    for (const std::string& name : {own, of_block, std::string("offset")})
        if (free_name(kernel->tokens, name) != name) return {};
    const auto additions = own_additions(*kernel, source, counter, own, OwnAdditions::Into::name);
    if (!additions) return {};
    std::vector<Edit> edits;
    const auto insert = [&](std::uint32_t line, const std::string& code) {
        edits.push_back({Edit::Kind::insert, line, "    " + code});
    };
    const std::uint32_t begin = kernel->tokens[kernel->body].line + 1,
                        end = kernel->tokens[kernel->body_end].line;
    if (per_block) {
        insert(begin, fmt::format("__shared__ {} {};", counter.type, of_block));
        insert(begin, fmt::format("if (threadIdx.x == 0) {} = 0;", of_block));
        insert(begin, "__syncthreads();");
    }
    insert(begin, fmt::format("{} {} = 0;", counter.type, own));
    for (Edit& edit : edits_of(source, additions->words)) edits.push_back(std::move(edit));
    for (int i = 0; i < additions->opened; ++i) insert(end, "}");
    insert(end, "for (int offset = 16; offset > 0; offset /= 2)");
    insert(end, fmt::format("    {0} += __shfl_down_sync(0xffffffff, {0}, offset);", own));
    insert(end, fmt::format("if (threadIdx.x % 32 == 0 && {0} != 0) atomicAdd({1}, {0});", own,
                            per_block ? "&" + of_block : counter.name));
    if (per_block) {
        insert(end, "__syncthreads();");
        insert(end, fmt::format("if (threadIdx.x == 0) atomicAdd({}, {});", counter.name, of_block));
    }
    return in_order(std::move(edits));
}

std::vector<Proposal> proposed_warp_sums(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now) {
    const trace::Launch& launch = now.trace->launch;
    const Dim3 block = launch.geometry.block;
    if (kernel->language != instrumentation::Language::cuda || block.y * block.z != 1 ||
        block.x % static_cast<std::uint32_t>(warp_size) != 0)
        return {};
    const std::string entry = plain_name(now.trace->program.entry);
    std::vector<Proposal> proposals;
    for (const GlobalCounters& counter : global_counters(kernel->source, entry)) {
        const auto buffer = counted_buffer(*kernel, launch, counter);
        if (!buffer || buffer->elements != 1) continue;
        for (const bool per_block : {true, false}) {
            auto edits = warp_sum_edits(kernel->source, entry, counter, per_block);
            if (edits.empty()) continue;
            proposals.push_back(
                with_changed_lines(kernel, overrides, std::move(edits),
                                   fmt::format("`{}` added up by shuffles first, added once per {}",
                                               counter.name, per_block ? "block" : "warp")));
            proposals.back().change.condition = "right for blocks of whole warps";
        }
    }
    return proposals;
}

}  // namespace warplens::app
