#include "app/pipeline/advice/literal_proposal.h"

#include <cctype>
#include <string_view>
#include <utility>

#include "app/pipeline/advice/source_edits.h"
#include "app/scene/own_source.h"
#include "instrumentation/host_code/tokens.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::TokenKind;

/// "0.5", "1e-3" and "2.", not "0.5f", "2", "0x1e" or "1.0L".
bool is_double(const Token& token) {
    const std::string_view text = token.text;
    if (token.kind != TokenKind::number || text.starts_with("0x") || text.starts_with("0X")) return false;
    const bool ends_bare = text.back() == '.' || std::isdigit(static_cast<unsigned char>(text.back())) != 0;
    return ends_bare && text.find_first_of(".eE") != std::string_view::npos;
}

}  // namespace

std::vector<Edit> literal_edits(const std::string& source, const std::set<std::uint32_t>& lines) {
    const auto tokens = instrumentation::host_code::tokenize(source);
    std::set<std::uint32_t> wanted = lines;
    for (const Token& token : tokens)
        if (token.is("double")) wanted.erase(token.line);
    std::vector<Insertion> insertions;
    for (const Token& token : tokens)
        if (wanted.contains(token.line) && is_double(token)) {
            const auto begin = static_cast<std::size_t>(token.text.data() - source.data());
            insertions.push_back({begin + token.text.size(), token.line, "f"});
        }
    return edits_of(source, insertions);
}

std::set<std::uint32_t> with_called_functions(const std::string& source, std::set<std::uint32_t> lines) {
    const auto tokens = instrumentation::host_code::tokenize(source);
    struct Definition {
        std::string_view name;
        std::uint32_t first, last;
    };
    std::vector<Definition> definitions;
    std::vector<const Token*> calls;
    for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
        if (!tokens[at].is_word() || !tokens[at + 1].is("(")) continue;
        const std::size_t close = closing(tokens, at + 1, tokens.size());
        const bool is_body = close + 1 < tokens.size() && tokens[close + 1].is("{") &&
                             tokens[at - 1].is_word() && !tokens[at - 1].is("else");
        if (!is_body) calls.push_back(&tokens[at]);
        else if (const std::size_t end = closing(tokens, close + 1, tokens.size()); end < tokens.size())
            definitions.push_back({tokens[at].text, tokens[at].line, tokens[end].line});
    }
    for (bool grown = true; grown;) {
        grown = false;
        for (const Token* call : calls) {
            if (!lines.contains(call->line)) continue;
            for (const Definition& function : definitions) {
                if (function.name != call->text || lines.contains(function.last)) continue;
                for (std::uint32_t line = function.first; line <= function.last; ++line)
                    grown |= lines.insert(line).second;
            }
        }
    }
    return lines;
}

std::optional<Proposal> proposed_literals(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                          const std::map<std::string, std::string>& overrides,
                                          const Scene& now) {
    const Program& program = now.trace->program;
    const std::uint32_t file = own_source(program);
    if (kernel->language != instrumentation::Language::cuda || file == no_index) return std::nullopt;
    std::set<std::uint32_t> lines;
    for (const analysis::SiteReport& site : now.report->sites) {
        const Site& about = program.sites[site.site];
        if (site.steps > 0 && about.file == file && about.opcode.find(".f64") != std::string::npos)
            lines.insert(about.line);
    }
    std::vector<Edit> edits =
        literal_edits(kernel->source, with_called_functions(kernel->source, std::move(lines)));
    if (edits.empty()) return std::nullopt;
    Proposal proposal =
        with_changed_lines(kernel, overrides, std::move(edits), "literals of single precision");
    proposal.change.condition = "rounded to single precision";
    return proposal;
}

}  // namespace warplens::app
