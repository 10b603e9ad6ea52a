#include "app/pipeline/advice/unroll_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/scene/own_source.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

constexpr std::size_t most_loops = 2;

bool is_loop(const Token& token) { return token.is("for") || token.is("while"); }

/// The index of the last token of the statement at `at`; `end` when it has none.
std::size_t end_of_statement(const Tokens& tokens, std::size_t at, std::size_t end) {
    while (at < end && (is_loop(tokens[at]) || tokens[at].is("if")) && tokens[at + 1].is("("))
        at = std::min(closing(tokens, at + 1, end), end - 1) + 1;
    if (at < end && tokens[at].is("{")) return closing(tokens, at, end);
    for (; at < end && !tokens[at].is(";"); ++at)
        if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{")) {
            at = closing(tokens, at, end);
            if (at >= end) return end;
        }
    return at;
}

struct Loop {
    std::uint32_t begin = 0, end = 0;  // its first and last line
    bool can_be_marked = false;        // a line before it would belong to it, and says nothing yet
};

/// In the order of the source, so that of two loops around a line the inner one comes later.
std::vector<Loop> loops_in(const KernelDefinition& kernel) {
    const Tokens& tokens = kernel.tokens;
    std::vector<Loop> loops;
    for (std::size_t at = kernel.body + 1; at + 1 < kernel.body_end; ++at) {
        if (!is_loop(tokens[at]) || !tokens[at + 1].is("(")) continue;
        const std::size_t header = closing(tokens, at + 1, kernel.body_end);
        if (header + 1 >= kernel.body_end || tokens[header + 1].is(";")) continue;  // of a `do`, or empty
        const std::size_t end = end_of_statement(tokens, at, kernel.body_end);
        if (end >= kernel.body_end) continue;
        const Token& before = tokens[at - 1];
        const bool begins_line = before.line < tokens[at].line;
        const bool stands_alone = before.is(";") || before.is("{") || before.is("}") || before.is(")");
        loops.push_back({tokens[at].line, tokens[end].line, begins_line && stands_alone});
    }
    return loops;
}

}  // namespace

std::vector<std::uint32_t> loops_of(const std::string& source, std::string_view entry,
                                    const std::vector<std::uint32_t>& lines) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const std::vector<Loop> loops = loops_in(*kernel);
    std::vector<std::uint32_t> begins;
    for (const std::uint32_t line : lines) {
        const auto inner = std::find_if(loops.rbegin(), loops.rend(), [&](const Loop& loop) {
            return loop.begin <= line && line <= loop.end;
        });
        if (inner == loops.rend() || !inner->can_be_marked) continue;
        if (std::ranges::find(begins, inner->begin) == begins.end()) begins.push_back(inner->begin);
    }
    return begins;
}

std::vector<Proposal> proposed_unrolls(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                       const std::map<std::string, std::string>& overrides,
                                       const Scene& now) {
    const Program& program = now.trace->program;
    const std::uint32_t file = own_source(program);
    if (kernel->language != instrumentation::Language::cuda || file == no_index) return {};
    std::map<std::uint32_t, std::uint64_t> loads;  // by line
    for (const analysis::SiteReport& site : now.report->sites) {
        const Site& about = program.sites[site.site];
        if (site.space == Space::global && site.operation == Operation::load && about.file == file)
            loads[about.line] += site.access.requests;
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> most;
    for (const auto& [line, requests] : loads) most.emplace_back(requests, line);
    std::ranges::stable_sort(most, std::ranges::greater{}, &std::pair<std::uint64_t, std::uint32_t>::first);
    std::vector<std::uint32_t> lines;
    for (const auto& [requests, line] : most) lines.push_back(line);
    std::vector<std::uint32_t> loops = loops_of(kernel->source, plain_name(program.entry), lines);
    if (loops.size() > most_loops) loops.resize(most_loops);
    std::vector<Proposal> proposals;
    for (const int iterations : {4, 8})
        for (const std::uint32_t line : loops)
            proposals.push_back(with_changed_lines(
                kernel, overrides, {{Edit::Kind::insert, line, fmt::format("#pragma unroll {}", iterations)}},
                {}));
    return proposals;
}

}  // namespace warplens::app
