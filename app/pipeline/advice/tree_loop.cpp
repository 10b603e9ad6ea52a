#include "app/pipeline/advice/tree_loop.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;
using Patterns = std::vector<std::string_view>;

const Patterns falls{"$s > 0", "$s >= 1", "$s != 0", "$s", "0 < $s"};
const Patterns halves{"$s >>= 1", "$s /= 2", "$s = $s / 2", "$s = $s >> 1"};
const Patterns rises{"$s < $limit..."};
const Patterns doubles{"$s *= 2", "$s <<= 1", "$s = $s * 2", "$s = $s << 1", "$s = 2 * $s", "$s += $s"};
const Patterns sequential_guard{"$t... < $s", "$s > $t..."};
const Patterns neighbours_guard{"$t... % ( 2 * $s ) == 0",
                                "$t... % ( $s * 2 ) == 0",
                                "$t... % ( $s << 1 ) == 0",
                                "( $t... % ( 2 * $s ) ) == 0",
                                "( $t... % ( $s * 2 ) ) == 0",
                                "( $t... & ( 2 * $s - 1 ) ) == 0",
                                "( $t... & ( ( 2 * $s ) - 1 ) ) == 0",
                                "! ( $t... % ( 2 * $s ) )",
                                "! ( $t... % ( $s * 2 ) )"};
const Patterns spread_index{"$type $i = 2 * $s * $t... ;", "$type $sign $i = 2 * $s * $t... ;",
                            "$type $i = $s * 2 * $t... ;"};
const Patterns barriers{"__syncthreads ( ) ;", "cg :: sync ( $group ) ;", "$group . sync ( ) ;"};
/// What would be done twice, or by other lanes.
constexpr std::array<std::string_view, 8> unwanted{"return", "break", "continue", "for",
                                                   "while",  "goto",  "++",       "--"};

class TreeReader {
  public:
    explicit TreeReader(const KernelDefinition& kernel) : kernel_(kernel), tokens_(kernel.tokens) {}

    std::optional<TreeLoop> loop_at(std::size_t at) {
        loop_ = {};
        names_ = {};
        if (!tokens_[at].is("for") && !tokens_[at].is("while")) return std::nullopt;
        if (!tokens_[at + 1].is("(")) return std::nullopt;
        const std::size_t close = closing(tokens_, at + 1, kernel_.body_end);
        if (close + 1 >= kernel_.body_end || !tokens_[close + 1].is("{")) return std::nullopt;
        const std::size_t end = closing(tokens_, close + 1, kernel_.body_end);
        if (end >= kernel_.body_end) return std::nullopt;
        loop_.begin = at;
        loop_.end = end + 1;
        loop_.head = {at + 2, close};
        const bool is_for = tokens_[at].is("for");
        if (is_for ? !reads_for() : !reads_while()) return std::nullopt;
        TokenRange passes{close + 2, end};
        if (!is_for && !takes_step(passes)) return std::nullopt;
        if (!reads_pass(passes) || !reads_lane() || !reads_body()) return std::nullopt;
        loop_.in_own_block = depth_of(at) == 1;
        return loop_;
    }

  private:
    /// The three parts between the semicolons, and of the first one the variable and its start.
    bool reads_for() {
        std::vector<TokenRange> parts{{loop_.head.begin, loop_.head.begin}};
        for (std::size_t at = loop_.head.begin; at < loop_.head.end; ++at) {
            parts.back().end = at;
            if (tokens_[at].is(";")) parts.push_back({at + 1, at + 1});
        }
        parts.back().end = loop_.head.end;
        if (parts.size() != 3) return false;
        std::size_t equals = parts[0].begin;
        while (equals < parts[0].end && !tokens_[equals].is("=")) ++equals;
        if (equals == parts[0].begin || equals + 1 >= parts[0].end || !tokens_[equals - 1].is_word())
            return false;
        loop_.variable = names_["s"] = {equals - 1, equals};
        loop_.start = {equals + 1, parts[0].end};
        loop_.condition = parts[1];
        if (is_all(parts[1], falls) && is_all(parts[2], halves)) return depends_on_the_block(loop_.start);
        loop_.neighbours_first = true;
        const bool from_one = equals + 2 == parts[0].end && tokens_[equals + 1].is("1");
        if (!from_one || !is_all(parts[1], rises) || !is_all(parts[2], doubles)) return false;
        loop_.limit = names_["limit"];
        return depends_on_the_block(loop_.limit);
    }

    bool reads_while() {
        loop_.condition = loop_.head;
        for (const std::string_view pattern : falls) {
            BoundNames names;
            if (match(tokens_, loop_.condition, pattern, names) != loop_.condition.end) continue;
            loop_.variable = names["s"];
            names_ = std::move(names);
            return true;
        }
        return false;
    }

    /// At the end of a pass; `passes` loses it.
    bool takes_step(TokenRange& passes) {
        std::size_t begin = passes.end;
        if (begin <= passes.begin + 1 || !tokens_[begin - 1].is(";")) return false;
        for (--begin; begin > passes.begin && !tokens_[begin - 1].is(";") && !tokens_[begin - 1].is("}");)
            --begin;
        const bool is_step = is_all({begin, passes.end - 1}, halves);
        passes.end = begin;
        return is_step;
    }

    /// `if (guard) body barrier`, or the barrier first.
    bool reads_pass(TokenRange pass) {
        loop_.barrier_first = takes_barrier(pass);
        if (loop_.neighbours_first)
            for (const std::string_view pattern : spread_index)
                if (const auto end = match(tokens_, pass, pattern, names_)) {
                    loop_.index_definition = {pass.begin, *end};
                    loop_.index = names_["i"];
                    pass.begin = *end;
                    break;
                }
        if (pass.begin + 1 >= pass.end || !tokens_[pass.begin].is("if") || !tokens_[pass.begin + 1].is("("))
            return false;
        const std::size_t close = closing(tokens_, pass.begin + 1, pass.end);
        if (close + 1 >= pass.end) return false;
        loop_.guard = {pass.begin + 2, close};
        std::size_t end = close + 1;
        if (tokens_[end].is("{")) end = closing(tokens_, end, pass.end);
        else
            while (end < pass.end && !tokens_[end].is(";"))
                end = (tokens_[end].is("(") || tokens_[end].is("[") ? closing(tokens_, end, pass.end) : end) +
                      1;
        if (end >= pass.end) return false;
        loop_.body = tokens_[close + 1].is("{") ? TokenRange{close + 2, end} : TokenRange{close + 1, end + 1};
        TokenRange rest{end + 1, pass.end};
        if (!loop_.barrier_first && !takes_barrier(rest)) return false;
        return rest.empty() && !loop_.body.empty();
    }

    bool takes_barrier(TokenRange& range) {
        for (const std::string_view pattern : barriers) {
            BoundNames names;
            const auto end = match(tokens_, range, pattern, names);
            if (!end) continue;
            loop_.barrier = {range.begin, *end};
            range.begin = *end;
            return true;
        }
        return false;
    }

    /// Of `t < s && a[t + s] > a[t]` what the lane itself does not decide; the guard loses it.
    void takes_choice() {
        for (std::size_t at = loop_.guard.begin; at < loop_.guard.end; ++at) {
            if (tokens_[at].is("(") || tokens_[at].is("[")) at = closing(tokens_, at, loop_.guard.end);
            else if (tokens_[at].is("||") || tokens_[at].is("?")) return;
            else if (tokens_[at].is("&&") && loop_.choice.empty()) loop_.choice = {at + 1, loop_.guard.end};
        }
        if (!loop_.choice.empty()) loop_.guard.end = loop_.choice.begin - 1;
    }

    bool reads_lane() {
        if (!loop_.neighbours_first) {
            takes_choice();
            if (!is_all(loop_.guard, sequential_guard)) return false;
        } else if (loop_.index_definition.empty()) {
            if (!is_all(loop_.guard, neighbours_guard)) return false;
        } else if (!is_all(loop_.guard, {"$i < $limit..."})) {
            return false;
        }
        loop_.lane = names_["t"];
        BoundNames names;
        if (is_shape(loop_.lane, "threadIdx . x")) return true;
        if (loop_.lane.end != loop_.lane.begin + 1) return false;
        for (std::size_t at = kernel_.body; at + 5 < loop_.begin; ++at)
            if (tokens_[at].text == tokens_[loop_.lane.begin].text && tokens_[at + 1].is("=") &&
                is_shape({at + 2, at + 5}, "threadIdx . x") &&
                (tokens_[at + 5].is(";") || tokens_[at + 5].is(",")))
                return true;
        return false;
    }

    bool reads_body() {
        return reads_elements(loop_.choice) && reads_elements(loop_.body) && !loop_.arrays.empty();
    }

    /// Indexes only arrays of the block, with t and t + s, and calls functions of these elements at most.
    bool reads_elements(TokenRange range) {
        for (std::size_t at = range.begin; at < range.end; ++at) {
            const Token& token = tokens_[at];
            if (token.kind == instrumentation::host_code::TokenKind::directive) return false;
            if (token.text.starts_with("__sync") || std::ranges::find(unwanted, token.text) != unwanted.end())
                return false;
            if (!token.is("[")) continue;
            const std::size_t close = closing(tokens_, at, range.end);
            if (close >= range.end || !tokens_[at - 1].is_word()) return false;
            if (!is_own({at + 1, close}) && !is_other({at + 1, close})) return false;
            const std::string_view array = tokens_[at - 1].text;
            if (is_parameter(array)) return false;
            if (std::ranges::find(loop_.arrays, array) == loop_.arrays.end()) loop_.arrays.push_back(array);
            at = close;
        }
        return true;
    }

    bool is_own(TokenRange index) const {
        return same_text(tokens_, index, loop_.index.empty() ? loop_.lane : loop_.index);
    }
    bool is_other(TokenRange index) const {
        BoundNames names{{"t", loop_.index.empty() ? loop_.lane : loop_.index}, {"s", loop_.variable}};
        return matches_all_of(tokens_, index, {"$t + $s", "$s + $t"}, names);
    }

    bool is_all(TokenRange range, const Patterns& patterns) {
        return matches_all_of(tokens_, range, patterns, names_);
    }
    bool is_shape(TokenRange range, std::string_view pattern) const {
        BoundNames names;
        return match(tokens_, range, pattern, names) == range.end;
    }

    /// Not on an argument: a number of elements need be no power of two in another launch.
    bool depends_on_the_block(TokenRange range) const {
        for (std::size_t at = range.begin; at < range.end; ++at)
            if (is_parameter(tokens_[at].text) && !tokens_[at - 1].is(".")) return false;
        return !range.empty();
    }

    bool is_parameter(std::string_view name) const {
        for (std::size_t at = kernel_.parameters + 1; at < kernel_.parameters_end; ++at)
            if (tokens_[at].is_word() && tokens_[at].text == name) return true;
        return false;
    }

    /// Brackets around the token, the body's counted.
    int depth_of(std::size_t of) const {
        int depth = 0;
        for (std::size_t at = kernel_.body; at < of; ++at)
            depth += (tokens_[at].is("{") ? 1 : 0) - (tokens_[at].is("}") ? 1 : 0);
        // `if (x) for …` has no bracket.
        return tokens_[of - 1].is(")") || tokens_[of - 1].is("else") ? depth + 1 : depth;
    }

    const KernelDefinition& kernel_;
    const Tokens& tokens_;
    TreeLoop loop_;
    BoundNames names_;
};

}  // namespace

std::vector<TreeLoop> tree_loops(const KernelDefinition& kernel) {
    std::vector<TreeLoop> loops;
    TreeReader reader(kernel);
    for (std::size_t at = kernel.body + 1; at + 1 < kernel.body_end; ++at)
        if (const auto loop = reader.loop_at(at)) {
            loops.push_back(*loop);
            at = loop->end - 1;
        }
    return loops;
}

}  // namespace warplens::app
