#include "app/pipeline/advice/reduction_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "app/pipeline/advice/kernel_words.h"
#include "app/pipeline/advice/source_edits.h"
#include "app/pipeline/advice/tree_loop.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

constexpr int last_of_block = 32;  // the last step in which more than one warp has a part

class ReductionWriter {
  public:
    ReductionWriter(const std::string& source, const KernelDefinition& kernel)
        : source_(source), kernel_(kernel), tokens_(kernel.tokens) {}

    /// False: this loop cannot be changed so.
    bool add(const TreeLoop& loop, bool by_shuffles) {
        if (loop.neighbours_first && !add_halves(loop, by_shuffles)) return false;
        if (!by_shuffles) return true;
        const std::string variable = text(loop.variable);
        if (!loop.neighbours_first &&
            !replace(loop.condition, fmt::format("{} > {}", variable, last_of_block)))
            return false;
        return add_shuffles(loop);
    }

    std::vector<Edit> edits() {
        std::ranges::stable_sort(words_, {}, &Insertion::offset);
        std::vector<Edit> edits = edits_of(source_, words_);
        edits.insert(edits.end(), lines_.begin(), lines_.end());
        return in_order(std::move(edits));
    }

  private:
    std::string text(TokenRange range) const { return text_of(tokens_, range); }

    /// Within one line.
    bool replace(TokenRange range, std::string word) {
        const Token &first = tokens_[range.begin], &last = tokens_[range.end - 1];
        if (first.line != last.line) return false;
        const std::size_t begin = offset_of(first, source_);
        words_.push_back(
            {begin, first.line, std::move(word), offset_of(last, source_) + last.text.size() - begin});
        return true;
    }

    bool add_halves(const TreeLoop& loop, bool by_shuffles) {
        const std::string variable = text(loop.variable), limit = text(loop.limit);
        const bool is_simple = limit.find_first_of(" +-?") == std::string::npos;
        const std::string half = is_simple ? limit + " / 2" : "(" + limit + ") / 2";
        const bool headed = replace(
            {loop.start.begin, loop.head.end},
            fmt::format("{}; {} > {}; {} >>= 1", half, variable, by_shuffles ? last_of_block : 0, variable));
        if (!headed || !replace(loop.guard, fmt::format("{} < {}", text(loop.lane), variable))) return false;
        if (loop.index_definition.empty()) return true;
        // Lanes have their own index now.
        const std::uint32_t line = tokens_[loop.index_definition.begin].line;
        const bool is_alone = tokens_[loop.index_definition.begin - 1].line < line &&
                              tokens_[loop.index_definition.end - 1].line == line &&
                              tokens_[loop.index_definition.end].line > line;
        if (!is_alone) return false;
        lines_.push_back({Edit::Kind::remove, line, text(loop.index_definition)});
        for (std::size_t at = loop.body.begin; at < loop.body.end; ++at)
            if (same_text(tokens_, {at, at + 1}, loop.index) && !replace({at, at + 1}, text(loop.lane)))
                return false;
        return true;
    }

    /// After the loop, whose last step leaves 64 values.
    bool add_shuffles(const TreeLoop& loop) {
        const std::uint32_t last = tokens_[loop.end - 1].line;
        if (loop.end >= tokens_.size() || tokens_[loop.end].line == last) return false;
        const std::string lane = text(loop.lane);
        const bool one = loop.arrays.size() == 1;
        const bool adds = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(loop.body.begin),
                                      tokens_.begin() + static_cast<std::ptrdiff_t>(loop.body.end),
                                      [](const Token& token) { return token.is("+="); });
        const auto own = [&](std::string_view array) {
            return one ? fresh(adds ? "sum" : "value") : fresh(fmt::format("{}_value", array));
        };
        const auto other = [&](std::string_view array) {
            return one ? fresh("other") : fresh(fmt::format("{}_other", array));
        };
        const std::string offset = fresh("offset");
        const auto shuffle = [&](std::string_view array) {
            return fmt::format("__shfl_down_sync(0xffffffff, {}, {})", own(array), offset);
        };
        const std::string blanks = indentation_of(tokens_[loop.begin].line);
        const auto line = [&](int depth, const std::string& code) {
            lines_.push_back({Edit::Kind::insert, last + 1,
                              blanks + std::string(static_cast<std::size_t>(4 * depth), ' ') + code});
        };
        if (loop.barrier_first) line(0, text(loop.barrier));
        line(0, fmt::format("if ({} < 32) {{", lane));
        for (const std::string_view array : loop.arrays)
            line(1, fmt::format("auto {} = {}[{}];", own(array), array, lane));
        line(1, body_of(loop, own,
                        [&](std::string_view array) { return fmt::format("{}[{} + 32]", array, lane); }));
        const bool is_plain = one && is_one_assignment(loop);
        line(1, fmt::format("for (int {0} = 16; {0} > 0; {0} /= 2){1}", offset, is_plain ? "" : " {"));
        if (is_plain) {
            line(2, body_of(loop, own, shuffle));
        } else {
            for (const std::string_view array : loop.arrays)
                line(2, fmt::format("const auto {} = {};", other(array), shuffle(array)));
            line(2, body_of(loop, own, other));
            line(1, "}");
        }
        std::string result;
        for (const std::string_view array : loop.arrays)
            result += fmt::format("{}{}[0] = {};", result.empty() ? "" : " ", array, own(array));
        line(1, fmt::format("if ({} == 0) {}", lane, one ? result : "{ " + result + " }"));
        line(0, "}");
        if (!loop.barrier_first && !only_first_lane_reads(loop)) line(0, text(loop.barrier));
        return names_are_free_;
    }

    /// The guarded statements on one line, with other words for the elements.
    std::string body_of(const TreeLoop& loop, const std::function<std::string(std::string_view)>& own,
                        const std::function<std::string(std::string_view)>& other) const {
        if (loop.choice.empty()) return of_values(loop, loop.body, own, other);
        return fmt::format("if ({}) {{ {} }}", of_values(loop, loop.choice, own, other),
                           of_values(loop, loop.body, own, other));
    }

    std::string of_values(const TreeLoop& loop, TokenRange range,
                          const std::function<std::string(std::string_view)>& own,
                          const std::function<std::string(std::string_view)>& other) const {
        const TokenRange lane = loop.index.empty() ? loop.lane : loop.index;
        std::string code;
        std::size_t end = offset_of(tokens_[range.begin], source_);
        for (std::size_t at = range.begin; at < range.end; ++at) {
            const std::size_t begin = offset_of(tokens_[at], source_);
            if (begin > end) code += ' ';
            if (at + 1 < range.end && tokens_[at + 1].is("[")) {
                const std::size_t close = instrumentation::host_code::closing(tokens_, at + 1, range.end);
                const bool is_own = same_text(tokens_, {at + 2, close}, lane);
                code += is_own ? own(tokens_[at].text) : other(tokens_[at].text);
                at = close;
            } else {
                code += tokens_[at].text;
            }
            end = offset_of(tokens_[at], source_) + tokens_[at].text.size();
        }
        return code;
    }

    /// Every lane reaches its one operand of another lane, once.
    bool is_one_assignment(const TreeLoop& loop) const {
        if (!loop.choice.empty()) return false;
        int subscripts = 0, ends = 0;
        for (std::size_t at = loop.body.begin; at < loop.body.end; ++at) {
            for (const std::string_view branch : {"?", "&&", "||", "if", "{"})
                if (tokens_[at].is(branch)) return false;
            if (tokens_[at].is(";")) ++ends;
            if (!tokens_[at].is("[")) continue;
            const std::size_t close = instrumentation::host_code::closing(tokens_, at, loop.body.end);
            if (!same_text(tokens_, {at + 1, close}, loop.index.empty() ? loop.lane : loop.index))
                ++subscripts;
        }
        return ends == 1 && subscripts == 1;
    }

    /// The rest of the kernel uses the arrays only in a statement behind `if (t == 0)`, which is next.
    bool only_first_lane_reads(const TreeLoop& loop) const {
        if (!loop.in_own_block) return false;
        BoundNames names{{"t", loop.lane}};
        const TokenRange rest{loop.end, kernel_.body_end};
        std::optional<std::size_t> at;
        for (const std::string_view pattern : {"if ( $t == 0 )", "if ( ! $t )", "if ( 0 == $t )",
                                               "if ( $t < 1 )", "if ( threadIdx . x == 0 )"})
            if (!at) at = match(tokens_, rest, pattern, names);
        if (!at) return false;
        std::size_t end = *at;
        if (tokens_[end].is("{")) end = instrumentation::host_code::closing(tokens_, end, kernel_.body_end);
        else
            while (end < kernel_.body_end && !tokens_[end].is(";")) ++end;
        for (; end < kernel_.body_end; ++end)
            if (std::ranges::find(loop.arrays, tokens_[end].text) != loop.arrays.end()) return false;
        return true;
    }

    std::string indentation_of(std::uint32_t line) const {
        const std::string whole = lines_of(source_)[line - 1];
        return whole.substr(0, whole.find_first_not_of(" \t"));
    }

    std::string fresh(const std::string& wanted) {
        std::string name = free_name(tokens_, wanted);
        names_are_free_ = names_are_free_ && !name.empty();
        return name;
    }

    const std::string& source_;
    const KernelDefinition& kernel_;
    const Tokens& tokens_;
    std::vector<Insertion> words_;
    std::vector<Edit> lines_;
    bool names_are_free_ = true;
};

/// In one of the kernel's shared arrays: the order of their sums counts.
bool has_real_numbers(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    for (std::size_t at = kernel ? kernel->body : 0; kernel && at < kernel->body_end; ++at)
        if (kernel->tokens[at].is("__shared__"))
            for (; at < kernel->body_end && !kernel->tokens[at].is(";"); ++at)
                for (const std::string_view type : {"float", "double", "half", "__half"})
                    if (kernel->tokens[at].is(type)) return true;
    return false;
}

}  // namespace

std::vector<Edit> reduction_edits(const std::string& source, std::string_view entry, bool by_shuffles) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    ReductionWriter writer(source, *kernel);
    for (const TreeLoop& loop : tree_loops(*kernel))
        if (!writer.add(loop, by_shuffles)) return {};
    return writer.edits();
}

std::vector<Proposal> proposed_reductions(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                          const std::map<std::string, std::string>& overrides,
                                          const Scene& now) {
    const Dim3 block = now.trace->launch.geometry.block;
    const auto threads = static_cast<std::uint32_t>(block.x);
    if (kernel->language != instrumentation::Language::cuda || block.y != 1 || block.z != 1 ||
        !std::has_single_bit(threads) || threads < 2 * last_of_block)
        return {};
    std::vector<Proposal> proposals;
    const std::string entry = plain_name(now.trace->program.entry);
    const auto halves = reduction_edits(kernel->source, entry, false);
    const bool rounds = !halves.empty() && has_real_numbers(kernel->source, entry);
    const auto add = [&](std::vector<Edit> edits, std::string summary) {
        if (edits.empty()) return;
        proposals.push_back(with_changed_lines(kernel, overrides, std::move(edits), std::move(summary)));
        proposals.back().change.condition = "right for blocks of 64, 128, 256, 512 or 1024 threads";
        if (rounds) proposals.back().change.condition += ", adds in another order";
    };
    add(reduction_edits(kernel->source, entry, true),
        fmt::format("the reduction {}with its last 64 values in one warp, by shuffles",
                    halves.empty() ? "" : "in halves (`t < s`), "));
    add(halves, "the reduction in halves: neighbouring lanes add, `t < s`");
    return proposals;
}

}  // namespace warplens::app
