#include "app/pipeline/row_warp_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/pipeline/followed_launch.h"
#include "app/pipeline/global_index.h"
#include "app/pipeline/kernel_words.h"
#include "app/pipeline/launch_arguments.h"
#include "app/pipeline/source_edits.h"
#include "core/lane_mask.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::TokenKind;
using instrumentation::host_code::Tokens;

/// A loop along a row, and what it adds to.
struct RowLoop {
    std::size_t begin = 0, end = 0;  // from `for` to after its last token
    TokenRange variable, start, step;
    std::vector<TokenRange> sums;
    TokenRange results;  // the statements after the loop
    std::size_t result_count = 0;
};

class RowReader {
  public:
    RowReader(const KernelDefinition& kernel, const GlobalIndex& row)
        : kernel_(kernel), tokens_(kernel.tokens), row_(row) {}

    std::optional<RowLoop> read() {
        std::size_t at = row_.guarded.begin;
        // Before the loop numbers are made, and nothing is stored.
        while (at < row_.guarded.end && !tokens_[at].is("for")) {
            const std::size_t end = after_statement(tokens_, at, row_.guarded.end);
            if (!is_definition(tokens_, {at, end})) return std::nullopt;
            at = end;
        }
        if (at + 1 >= row_.guarded.end || !reads_head(at) || !reads_body() || !sums_begin_at_zero())
            return std::nullopt;
        loop_.results = {loop_.end, row_.guarded.end};
        return reads_results() ? std::optional(loop_) : std::nullopt;
    }

  private:
    bool reads_head(std::size_t at) {
        const std::size_t close = closing(tokens_, at + 1, row_.guarded.end);
        if (close >= row_.guarded.end) return false;
        loop_.begin = at;
        loop_.end = after_statement(tokens_, close + 1, row_.guarded.end);
        body_ = {close + 1, loop_.end};
        if (tokens_[body_.begin].is("{")) body_ = {body_.begin + 1, body_.end - 1};
        std::size_t equals = at + 2;
        while (equals < close && !tokens_[equals].is("=") && !tokens_[equals].is(";")) ++equals;
        if (!tokens_[equals].is("=") || equals < at + 4 || !tokens_[equals - 1].is_word()) return false;
        BoundNames names{{"j", {equals - 1, equals}}};
        for (const std::string_view head :
             {"$start... ; $j < $end... ; $j ++ )", "$start... ; $j < $end... ; ++ $j )",
              "$start... ; $j < $end... ; $j += 1 )"})
            if (const auto end = match(tokens_, {equals + 1, close + 1}, head, names); end == close + 1) {
                loop_.variable = names["j"];
                loop_.start = names["start"];
                std::size_t step = close;
                while (!tokens_[step - 1].is(";")) --step;
                loop_.step = {step, close};
                return tokens_[loop_.start.begin].line == tokens_[close].line;
            }
        return false;
    }

    /// Only definitions and sums.
    bool reads_body() {
        for (std::size_t at = body_.begin; at < body_.end;) {
            const std::size_t end = after_statement(tokens_, at, body_.end);
            BoundNames names;
            if (match(tokens_, {at, end}, "$sum += $value... ;", names) == end) {
                for (std::size_t of = names["value"].begin; of < names["value"].end; ++of)
                    if (assigns(tokens_[of])) return false;
                const auto is_known = std::ranges::any_of(
                    loop_.sums, [&](TokenRange other) { return same_text(tokens_, other, names["sum"]); });
                if (!is_known) loop_.sums.push_back(names["sum"]);
            } else if (!is_definition(tokens_, {at, end})) {
                return false;
            }
            at = end;
        }
        // A sum is nothing that the rest of the loop reads.
        for (const TokenRange sum : loop_.sums)
            for (std::size_t at = body_.begin; at < body_.end; ++at)
                if (tokens_[at].text == tokens_[sum.begin].text && !tokens_[at + 1].is("+=")) return false;
        return !loop_.sums.empty();
    }

    /// Else each lane would add what is there.
    bool sums_begin_at_zero() const {
        return std::ranges::all_of(loop_.sums, [&](TokenRange sum) {
            for (std::size_t at = kernel_.body; at + 3 < loop_.begin; ++at) {
                if (tokens_[at].text != tokens_[sum.begin].text || !tokens_[at + 1].is("=")) continue;
                const Token& value = tokens_[at + 2];
                double number = 1;
                if (value.kind == TokenKind::number)
                    std::from_chars(value.text.data(), value.text.data() + value.text.size(), number);
                return number == 0 && (tokens_[at + 3].is(";") || tokens_[at + 3].is(","));
            }
            return false;
        });
    }

    /// Plain statements up to the end of the kernel.
    bool reads_results() {
        while (loop_.results.end > loop_.results.begin && tokens_[loop_.results.end - 1].is("}"))
            --loop_.results.end;
        for (std::size_t at = loop_.results.begin; at < loop_.results.end;) {
            for (const std::string_view word : {"if", "for", "while", "do", "return", "switch", "{", "}"})
                if (tokens_[at].is(word)) return false;
            at = after_statement(tokens_, at, loop_.results.end);
            ++loop_.result_count;
        }
        return loop_.result_count > 0;
    }

    const KernelDefinition& kernel_;
    const Tokens& tokens_;
    const GlobalIndex& row_;
    TokenRange body_;
    RowLoop loop_;
};

}  // namespace

std::vector<Edit> row_warp_edits(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const Tokens& tokens = kernel->tokens;
    const auto row = global_index(*kernel);
    const auto loop = row ? RowReader(*kernel, *row).read() : std::nullopt;
    const std::string lane = free_name(tokens, "lane"), offset = free_name(tokens, "offset");
    auto words = changed_grids(tokens, source, entry, "32 * ", "");
    if (!loop || !words || lane.empty() || offset.empty()) return {};
    const std::vector<std::string> lines = lines_of(source);
    const auto blanks_of = [&](std::size_t token) {
        const std::string& line = lines[tokens[token].line - 1];
        return line.substr(0, line.find_first_not_of(" \t"));
    };
    const auto end_of = [&](TokenRange range) {
        const Token& last = tokens[range.end - 1];
        return offset_of(last, source) + last.text.size();
    };
    // Each new line needs its place between two.
    const std::uint32_t index_line = tokens[row->after].line, loop_end = tokens[loop->end - 1].line,
                        results = tokens[loop->results.begin].line,
                        results_end = tokens[loop->results.end - 1].line;
    const bool has_places = tokens[row->after + 1].line > index_line && results > loop_end &&
                            tokens[loop->results.end].line > results_end;
    if (!has_places) return {};
    std::vector<Edit> edits;
    const auto insert = [&](std::uint32_t line, std::string code) {
        edits.push_back({Edit::Kind::insert, line, std::move(code)});
    };
    const std::size_t begin = offset_of(tokens[row->value.begin], source);
    words->push_back({begin, index_line, "("});
    words->push_back({end_of(row->value), index_line, ") / 32"});
    insert(index_line + 1,
           fmt::format("{}const int {} = threadIdx.x % 32;", blanks_of(row->name.begin), lane));
    const Token& start = tokens[loop->start.begin];
    const bool from_zero = loop->start.end == loop->start.begin + 1 && start.is("0");
    if (from_zero) words->push_back({offset_of(start, source), start.line, lane, start.text.size()});
    else words->push_back({end_of(loop->start), start.line, " + " + lane});
    const std::size_t step = offset_of(tokens[loop->step.begin], source);
    words->push_back({step, tokens[loop->step.begin].line,
                      fmt::format("{} += 32", text_of(tokens, loop->variable)), end_of(loop->step) - step});
    const std::string blanks = blanks_of(loop->begin);
    const bool one_sum = loop->sums.size() == 1;
    insert(loop_end + 1,
           fmt::format("{0}for (int {1} = 16; {1} > 0; {1} /= 2){2}", blanks, offset, one_sum ? "" : " {"));
    for (const TokenRange sum : loop->sums)
        insert(loop_end + 1, fmt::format("{0}    {1} += __shfl_down_sync(0xffffffff, {1}, {2});", blanks,
                                         text_of(tokens, sum), offset));
    if (!one_sum) insert(loop_end + 1, blanks + "}");
    if (loop->result_count == 1) {
        words->push_back(
            {offset_of(tokens[loop->results.begin], source), results, fmt::format("if ({} == 0) ", lane)});
    } else {
        insert(results, fmt::format("{}if ({} == 0) {{", blanks, lane));
        insert(results_end + 1, blanks + "}");
    }
    std::ranges::stable_sort(*words, {}, &Insertion::offset);
    for (Edit& edit : edits_of(source, *words)) edits.push_back(std::move(edit));
    return in_order(std::move(edits));
}

std::optional<Proposal> proposed_row_warps(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                           const std::map<std::string, std::string>& overrides,
                                           const Scene& now, const FindEntries& find_entries) {
    const LaunchGeometry& geometry = now.trace->launch.geometry;
    if (kernel->language != instrumentation::Language::cuda || geometry.block.y * geometry.block.z != 1 ||
        geometry.grid.y * geometry.grid.z != 1 || geometry.block.x % warp_size != 0)
        return std::nullopt;
    if (now.report->global_load.sectors <= now.report->global_load.ideal_sectors) return std::nullopt;
    std::vector<Edit> edits = row_warp_edits(kernel->source, plain_name(now.trace->program.entry));
    if (edits.empty()) return std::nullopt;
    Proposal proposal =
        with_changed_lines(kernel, overrides, std::move(edits), "a warp for each row in place of a thread");
    proposal.change.condition = "adds in another order";
    return with_followed_launch(kernel, now.trace->program.entry, std::move(proposal), find_entries,
                                "a warp for each row, in 32 times as many blocks");
}

}  // namespace warplens::app
