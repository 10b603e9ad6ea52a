#include "app/pipeline/advice/constant_step_proposal.h"

#include <fmt/format.h>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/advice/token_pattern.h"
#include "core/symbol_name.h"

namespace warplens::app {

using instrumentation::host_code::Token;

std::vector<Edit> constant_step_edits(const std::string& source, std::string_view entry, Dim3 block) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const auto& tokens = kernel->tokens;
    std::vector<Insertion> words;
    for (std::size_t at = kernel->body; at < kernel->body_end; ++at) {
        BoundNames names;
        if (!match(tokens, {at, kernel->body_end}, "+= blockDim . $axis )", names)) continue;
        const Token &first = tokens[at + 1], &axis = tokens[names["axis"].begin];
        if (first.line != axis.line) continue;
        const auto side = axis.is("x") ? block.x : axis.is("y") ? block.y : block.z;
        const std::size_t begin = offset_of(first, source);
        words.push_back({begin, first.line, std::to_string(side), offset_of(axis, source) + 1 - begin});
    }
    return edits_of(source, words);
}

std::optional<Proposal> proposed_constant_steps(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now) {
    if (kernel->language != instrumentation::Language::cuda) return std::nullopt;
    const Dim3 block = now.trace->launch.geometry.block;
    auto edits = constant_step_edits(kernel->source, plain_name(now.trace->program.entry), block);
    if (edits.empty()) return std::nullopt;
    Proposal proposal = with_changed_lines(kernel, overrides, std::move(edits),
                                           "loops that step by a number in place of `blockDim`");
    proposal.change.condition =
        block.y * block.z == 1
            ? fmt::format("right for blocks of {} threads", block.x)
            : fmt::format("right for blocks of {} × {} × {} threads", block.x, block.y, block.z);
    return proposal;
}

}  // namespace warplens::app
