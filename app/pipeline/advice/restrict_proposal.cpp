#include "app/pipeline/advice/restrict_proposal.h"

#include <algorithm>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

constexpr std::string_view restrict_word = "__restrict__";

/// What a parameter's declaration says of its pointer.
struct Pointer {
    const Token* star = nullptr;  // the last one outside of brackets; null: it is not a pointer
    bool restricted = false;
    bool simple = true;  // only its name follows the star
};

std::vector<Pointer> pointers_between(const Tokens& tokens, std::size_t open, std::size_t close) {
    std::vector<Pointer> pointers(1);
    int depth = 0;
    std::size_t after_star = 0;
    for (std::size_t at = open + 1; at < close; ++at) {
        const Token& token = tokens[at];
        if (token.is("(") || token.is("<") || token.is("[")) ++depth;
        if (token.is(")") || token.is(">") || token.is("]")) --depth;
        Pointer& here = pointers.back();
        if (depth == 0 && token.is(",")) pointers.emplace_back();
        else if (depth == 0 && token.is("*")) here = {&token, false, true}, after_star = at;
        else if (token.is(restrict_word) || token.is("__restrict")) here.restricted = true;
        else if (here.star != nullptr && (at != after_star + 1 || !token.is_word())) here.simple = false;
        else if (token.is("const")) here.simple = here.star == nullptr;
    }
    return pointers;
}

}  // namespace

std::vector<Edit> restrict_edits(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    std::vector<Pointer> pointers =
        pointers_between(kernel->tokens, kernel->parameters, kernel->parameters_end);
    std::erase_if(pointers, [](const Pointer& pointer) { return pointer.star == nullptr; });
    if (pointers.size() < 2) return {};
    std::vector<Insertion> insertions;
    for (const Pointer& pointer : pointers) {
        if (pointer.restricted || !pointer.simple) continue;
        const std::size_t behind = offset_of(*pointer.star, source) + 1;
        const std::string word(restrict_word);
        const bool spaced = behind < source.size() && source[behind] == ' ';
        insertions.push_back({behind, pointer.star->line, spaced ? " " + word : word + " "});
    }
    return edits_of(source, insertions);
}

std::optional<Proposal> proposed_restrict(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                          const std::map<std::string, std::string>& overrides,
                                          const Program& program) {
    if (kernel->language != instrumentation::Language::cuda) return std::nullopt;
    const auto& buffers = kernel->buffers;
    for (const auto& buffer : buffers)
        if (std::ranges::count(kernel->arguments, buffer.name) > 1) return std::nullopt;
    std::vector<Edit> edits = restrict_edits(kernel->source, plain_name(program.entry));
    if (edits.empty()) return std::nullopt;
    Proposal proposal =
        with_changed_lines(kernel, overrides, std::move(edits), "`__restrict__` at the pointers");
    proposal.change.condition = "right where none of these arrays overlap";
    return proposal;
}

}  // namespace warplens::app
