#include "app/pipeline/advice/index_pad_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/launch_arguments.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/scene/own_source.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

constexpr std::array<std::string_view, 14> changing{
    "++", "--", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "("};

/// `__shared__ type name[extent];`: the tokens of the name, of those that are the only declarator. Of dynamic
/// shared memory, `extern __shared__ type name[];`, where it is one array.
std::vector<std::size_t> shared_arrays(const KernelDefinition& kernel) {
    std::vector<std::size_t> names;
    const Tokens& tokens = kernel.tokens;
    for (std::size_t at = kernel.body; at < kernel.body_end; ++at) {
        if (!tokens[at].is("__shared__")) continue;
        const bool dynamic = tokens[at - 1].is("extern");
        std::size_t name = at + 1;
        while (name + 1 < kernel.body_end && tokens[name].is_word() && tokens[name + 1].is_word()) ++name;
        if (name + 1 >= kernel.body_end || name == at + 1 || !tokens[name + 1].is("[")) continue;
        const std::size_t close = closing(tokens, name + 1, kernel.body_end);
        if (close + 1 < kernel.body_end && (close > name + 2) != dynamic && tokens[close + 1].is(";"))
            names.push_back(name);
    }
    return names;
}

/// The subscripts of the array in the kernel, its declaration's first; empty where it is used otherwise.
std::vector<std::size_t> subscripts_of(const KernelDefinition& kernel, std::size_t name) {
    std::vector<std::size_t> brackets;
    const Tokens& tokens = kernel.tokens;
    std::size_t last = 0;
    for (std::size_t at = kernel.body; at < kernel.body_end; ++at) {
        if (tokens[at].text != tokens[name].text || tokens[at - 1].is(".") || tokens[at - 1].is("->"))
            continue;
        if (at < last || at + 1 >= kernel.body_end || !tokens[at + 1].is("[") || tokens[at - 1].is("&"))
            return {};
        last = closing(tokens, at + 1, kernel.body_end);
        const bool declares = at == name;  // without an extent where it is dynamic
        if (last >= kernel.body_end || (last < at + 3 && !declares) ||
            tokens[at + 1].line != tokens[last].line)
            return {};
        for (std::size_t inside = at + 2; inside < last; ++inside)
            if (std::ranges::any_of(changing,
                                    [&](std::string_view mark) { return tokens[inside].is(mark); }) &&
                !(tokens[inside].is("(") && !tokens[inside - 1].is_word()))
                return {};
        brackets.push_back(at + 1);
    }
    return brackets;
}

/// What each launch of the kernel in the text gives as dynamic shared memory; empty where one cannot be
/// changed so.
std::vector<TokenRange> dynamic_sizes(const Tokens& tokens, std::string_view entry) {
    std::vector<TokenRange> sizes;
    for (const auto& arguments : launch_arguments(tokens, entry)) {
        if (arguments.size() < 3 || arguments[2].empty()) return {};
        const TokenRange size = arguments[2];
        if (tokens[size.begin].line != tokens[size.end - 1].line) return {};
        sizes.push_back(size);
    }
    return sizes;
}

}  // namespace

PaddedIndexes padded_indexes(const std::string& source, std::string_view entry,
                             const std::set<std::uint32_t>& lines) {
    PaddedIndexes padded;
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return padded;
    const Tokens& tokens = kernel->tokens;
    std::vector<Insertion> insertions;
    for (const std::size_t name : shared_arrays(*kernel)) {
        const std::vector<std::size_t> brackets = subscripts_of(*kernel, name);
        const bool wanted = std::ranges::any_of(
            brackets, [&](std::size_t bracket) { return lines.contains(tokens[bracket].line); });
        if (!wanted) continue;
        const bool is_dynamic = closing(tokens, name + 1, kernel->body_end) == name + 2;
        if (is_dynamic) {
            const auto sizes = dynamic_sizes(tokens, entry);
            if (sizes.empty() || ++padded.dynamic > 1) return {};
            for (const TokenRange& size : sizes) {
                const Token &first = tokens[size.begin], &last = tokens[size.end - 1];
                insertions.push_back({offset_of(first, source), first.line, "("});
                insertions.push_back({offset_of(last, source) + last.text.size(), last.line,
                                      ") + ((" + text_of(tokens, size) + ") >> 5)"});
            }
        }
        padded.arrays.emplace_back(tokens[name].text);
        for (const std::size_t bracket : brackets) {
            if (is_dynamic && bracket == name + 1) continue;
            const std::size_t close = closing(tokens, bracket, kernel->body_end);
            const std::size_t begin = offset_of(tokens[bracket], source) + 1,
                              end = offset_of(tokens[close], source);
            const std::uint32_t line = tokens[bracket].line;
            insertions.push_back({begin, line, "("});
            insertions.push_back({end, line, ") + ((" + source.substr(begin, end - begin) + ") >> 5)"});
        }
    }
    std::ranges::stable_sort(insertions, {}, &Insertion::offset);
    // One in the index of another would be there twice, and only once padded.
    for (std::size_t i = 0; i + 1 < insertions.size(); i += 2)
        if (insertions[i].text != "(" || insertions[i + 1].text == "(") return {};
    padded.edits = edits_of(source, insertions);
    return padded;
}

std::optional<Proposal> proposed_padded_indexes(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now) {
    const Program& program = now.trace->program;
    const std::uint32_t file = own_source(program);
    if (kernel->language != instrumentation::Language::cuda || file == no_index) return std::nullopt;
    std::set<std::uint32_t> lines;
    for (const LineRequests& line : requests_by_line(*now.report, program))
        if (line.file == file && line.space == Space::shared && line.excess() > 0) lines.insert(line.line);
    if (lines.empty()) return std::nullopt;
    PaddedIndexes padded = padded_indexes(kernel->source, plain_name(program.entry), lines);
    if (padded.edits.empty()) return std::nullopt;
    // A header's launch is not in the code.
    const bool dynamic = padded.dynamic > 0;
    if (const auto read = instrumentation::read_kernel_file(kernel->path, kernel->source);
        dynamic && (!read || read->has_header))
        return std::nullopt;
    Proposal proposal = with_changed_lines(
        kernel, overrides, std::move(padded.edits),
        fmt::format("a word left free after each 32 of `{}`", fmt::join(padded.arrays, "` and `")));
    if (dynamic) {
        auto changed = std::make_shared<instrumentation::KernelFile>(*proposal.kernel);
        changed->dynamic_shared_bytes = fmt::format("({0}) + (({0}) >> 5)", kernel->dynamic_shared_bytes);
        proposal.kernel = std::move(changed);
    }
    return proposal;
}

}  // namespace warplens::app
