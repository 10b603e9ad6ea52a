#include "app/pipeline/advice/row_warp_proposal.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/pipeline/advice/followed_launch.h"
#include "app/pipeline/advice/global_index.h"
#include "app/pipeline/advice/kernel_words.h"
#include "app/pipeline/advice/launch_arguments.h"
#include "app/pipeline/advice/row_work.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/lane_mask.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

/// A warp would have nothing to do for most of its lanes in rows that are shorter than it is.
constexpr int lanes_of_short_rows = 8;

/// As a function of two values of a lane; empty: they are added.
std::string_view function_of(RowTotal::Kind kind) {
    switch (kind) {
        case RowTotal::Kind::largest:
            return "max";
        case RowTotal::Kind::smallest:
            return "min";
        case RowTotal::Kind::sum:
            break;
    }
    return {};
}

/// Each lane gets the total of all.
std::string exchanged(const std::string& name, RowTotal::Kind kind, const std::string& offset) {
    const std::string other = fmt::format("__shfl_xor_sync(0xffffffff, {}, {})", name, offset);
    const std::string_view function = function_of(kind);
    return function.empty() ? fmt::format("{} += {};", name, other)
                            : fmt::format("{0} = {1}({0}, {2});", name, function, other);
}

}  // namespace

std::vector<Edit> row_warp_edits(const std::string& source, std::string_view entry, int lanes) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const Tokens& tokens = kernel->tokens;
    const auto row = global_index(*kernel);
    const auto work = row ? row_work(*kernel, *row) : std::nullopt;
    const std::string lane = free_name(tokens, "lane"), offset = free_name(tokens, "offset");
    auto words = changed_grids(tokens, source, entry, fmt::format("{} * ", lanes), "");
    if (!work || !words || lane.empty() || offset.empty()) return {};
    const std::vector<std::string> lines = lines_of(source);
    const auto blanks_of = [&](std::size_t token) {
        const std::string& line = lines[tokens[token].line - 1];
        return line.substr(0, line.find_first_not_of(" \t"));
    };
    const auto end_of = [&](TokenRange range) {
        const Token& last = tokens[range.end - 1];
        return offset_of(last, source) + last.text.size();
    };
    const auto begin_of = [&](TokenRange range) { return offset_of(tokens[range.begin], source); };
    std::vector<Edit> edits;
    const auto insert = [&](std::uint32_t line, std::string code) {
        edits.push_back({Edit::Kind::insert, line, std::move(code)});
    };
    const std::uint32_t index_line = tokens[row->after].line;
    if (tokens[row->after + 1].line == index_line) return {};
    words->push_back({begin_of(row->value), index_line, "("});
    words->push_back({end_of(row->value), index_line, fmt::format(") / {}", lanes)});
    insert(index_line + 1,
           fmt::format("{}const int {} = threadIdx.x % {};", blanks_of(row->name.begin), lane, lanes));
    for (const RowLoop& loop : work->loops) {
        const std::uint32_t loop_end = tokens[loop.end - 1].line;
        if (tokens[loop.end].line == loop_end) return {};
        const Token& start = tokens[loop.start.begin];
        const bool from_zero = loop.start.end == loop.start.begin + 1 && start.is("0");
        if (from_zero) words->push_back({offset_of(start, source), start.line, lane, start.text.size()});
        else words->push_back({end_of(loop.start), start.line, " + " + lane});
        words->push_back({begin_of(loop.step), tokens[loop.step.begin].line,
                          fmt::format("{} += {}", text_of(tokens, loop.variable), lanes),
                          end_of(loop.step) - begin_of(loop.step)});
        if (loop.totals.empty()) continue;
        const std::string blanks = blanks_of(loop.begin);
        const bool one = loop.totals.size() == 1;
        insert(loop_end + 1, fmt::format("{0}for (int {1} = {3}; {1} > 0; {1} /= 2){2}", blanks, offset,
                                         one ? "" : " {", lanes / 2));
        for (const RowTotal& total : loop.totals)
            insert(loop_end + 1,
                   blanks + "    " + exchanged(text_of(tokens, total.name), total.kind, offset));
        if (!one) insert(loop_end + 1, blanks + "}");
    }
    for (const TokenRange store : work->stores)
        words->push_back({begin_of(store), tokens[store.begin].line, fmt::format("if ({} == 0) ", lane)});
    std::ranges::stable_sort(*words, {}, &Insertion::offset);
    for (Edit& edit : edits_of(source, *words)) edits.push_back(std::move(edit));
    return in_order(std::move(edits));
}

std::vector<Proposal> proposed_row_warps(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now, const FindEntries& find_entries) {
    const LaunchGeometry& geometry = now.trace->launch.geometry;
    if (kernel->language != instrumentation::Language::cuda || geometry.block.y * geometry.block.z != 1 ||
        geometry.grid.y * geometry.grid.z != 1 || geometry.block.x % warp_size != 0)
        return {};
    const auto wastes = [](const analysis::AccessTotals& total) {
        return total.sectors > total.ideal_sectors;
    };
    if (!wastes(now.report->global_load) && !wastes(now.report->global_store)) return {};
    std::vector<Proposal> proposals;
    for (const int lanes : {warp_size, lanes_of_short_rows}) {
        const std::string words = lanes == warp_size ? "a warp" : fmt::format("{} lanes", lanes);
        std::vector<Edit> edits = row_warp_edits(kernel->source, plain_name(now.trace->program.entry), lanes);
        if (edits.empty()) return {};
        const bool adds = std::ranges::any_of(
            edits, [](const Edit& edit) { return edit.code.find(" += __shfl") != std::string::npos; });
        Proposal proposal = with_changed_lines(kernel, overrides, std::move(edits),
                                               words + " for each row in place of a thread");
        if (adds) proposal.change.condition = "adds in another order";
        proposal.ratio = {.from = 1, .to = static_cast<std::uint32_t>(lanes)};
        if (auto followed = with_followed_launch(
                kernel, now.trace->program.entry, std::move(proposal), find_entries,
                fmt::format("{} for each row, in {} times as many blocks", words, lanes)))
            proposals.push_back(std::move(*followed));
    }
    return proposals;
}

}  // namespace warplens::app
