#include "app/pipeline/advice/root_proposal.h"

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/symbol_name.h"

namespace warplens::app {

std::vector<Edit> root_edits(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const auto& tokens = kernel->tokens;
    std::vector<Insertion> words;
    for (std::size_t at = kernel->body + 1; at + 2 < kernel->body_end; ++at) {
        if (!tokens[at].is("/") || !tokens[at + 1].is("sqrtf") || !tokens[at + 2].is("(")) continue;
        words.push_back({offset_of(tokens[at], source), tokens[at].line, "*", 1});
        words.push_back({offset_of(tokens[at + 1], source), tokens[at + 1].line, "r"});
    }
    return edits_of(source, words);
}

std::optional<Proposal> proposed_roots(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                       const std::map<std::string, std::string>& overrides,
                                       const Program& program) {
    if (kernel->language != instrumentation::Language::cuda) return std::nullopt;
    std::vector<Edit> edits = root_edits(kernel->source, plain_name(program.entry));
    if (edits.empty()) return std::nullopt;
    Proposal proposal =
        with_changed_lines(kernel, overrides, std::move(edits), "`rsqrtf` in place of a division");
    proposal.change.condition = "rounds in its last bits";
    return proposal;
}

}  // namespace warplens::app
