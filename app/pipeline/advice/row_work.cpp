#include "app/pipeline/advice/row_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "app/pipeline/advice/kernel_words.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::TokenKind;
using instrumentation::host_code::Tokens;

struct TotalForm {
    std::string_view pattern;
    RowTotal::Kind kind;
};
/// Where a name stands twice, both times for the same text.
constexpr TotalForm total_forms[]{
    {"$t += $v... ;", RowTotal::Kind::sum},
    {"$t = $t + $v... ;", RowTotal::Kind::sum},
    {"$t = fmaf ( $a... , $b... , $t ) ;", RowTotal::Kind::sum},
    {"$t = fma ( $a... , $b... , $t ) ;", RowTotal::Kind::sum},
    {"$t = fmaxf ( $t , $v... ) ;", RowTotal::Kind::largest},
    {"$t = fmax ( $t , $v... ) ;", RowTotal::Kind::largest},
    {"$t = max ( $t , $v... ) ;", RowTotal::Kind::largest},
    {"$t = fmaxf ( $v... , $t ) ;", RowTotal::Kind::largest},
    {"$t = max ( $v... , $t ) ;", RowTotal::Kind::largest},
    {"$t = fminf ( $t , $v... ) ;", RowTotal::Kind::smallest},
    {"$t = min ( $t , $v... ) ;", RowTotal::Kind::smallest},
    {"if ( $v... > $t ) $t = $v... ;", RowTotal::Kind::largest},
    {"if ( $v... > $t ) { $t = $v... ; }", RowTotal::Kind::largest},
    {"if ( $t < $v... ) $t = $v... ;", RowTotal::Kind::largest},
    {"if ( $t < $v... ) { $t = $v... ; }", RowTotal::Kind::largest},
    {"if ( $v... < $t ) $t = $v... ;", RowTotal::Kind::smallest},
    {"if ( $v... < $t ) { $t = $v... ; }", RowTotal::Kind::smallest},
};

class RowReader {
  public:
    RowReader(const KernelDefinition& kernel, const GlobalIndex& row)
        : kernel_(kernel), tokens_(kernel.tokens), row_(row) {}

    std::optional<RowWork> read() {
        std::size_t end = row_.guarded.end;
        while (end > row_.guarded.begin && tokens_[end - 1].is("}") && opens_outside(end - 1)) --end;
        for (std::size_t at = row_.guarded.begin; at < end;) {
            if (is_pragma(tokens_[at])) {
                ++at;
                continue;
            }
            const std::size_t next = statement_end(at, end);
            if (!reads_statement({at, next})) return std::nullopt;
            at = next;
        }
        return work_.loops.empty() || !stored_by_their_lane() ? std::nullopt : std::optional(work_);
    }

  private:
    /// The bracket closes one from before the row's statements.
    bool opens_outside(std::size_t close) const {
        int depth = 0;
        for (std::size_t at = row_.guarded.begin; at < close; ++at)
            depth += (tokens_[at].is("{") ? 1 : 0) - (tokens_[at].is("}") ? 1 : 0);
        return depth <= 0;
    }

    static bool is_pragma(const Token& token) {
        return token.kind == TokenKind::directive && token.text.find("pragma") != std::string_view::npos;
    }

    /// Of `for (…) for (…) x;` and `if (…) x;`, too.
    std::size_t statement_end(std::size_t at, std::size_t end) const {
        return after_statement(tokens_, at, end);
    }

    bool reads_statement(TokenRange statement) {
        if (tokens_[statement.begin].is("for")) return reads_loop(statement);
        if (is_plain_definition(statement)) return true;
        if (has_effects(statement)) return false;
        // Each lane has the totals, so each computes what is made of them.
        BoundNames names;
        for (const std::string_view pattern : {"$name = $v... ;", "$name += $v... ;", "$name -= $v... ;",
                                               "$name *= $v... ;", "$name /= $v... ;"})
            if (match(tokens_, statement, pattern, names) == statement.end)
                return !is_parameter(tokens_[names["name"].begin].text);
        for (const std::string_view place : {"$out [ $to... ]", "$out [ $to... ] . $m"})
            for (const std::string_view assignment : {"=", "+=", "-=", "*="}) {
                const std::string pattern = fmt::format("{} {} $v... ;", place, assignment);
                if (match(tokens_, statement, pattern, names) != statement.end) continue;
                work_.stores.push_back(statement);
                stored_.emplace(tokens_[names["out"].begin].text);
                return true;
            }
        return false;
    }

    bool is_plain_definition(TokenRange statement) const {
        return is_definition(tokens_, statement) && !has_effects(statement);
    }

    /// What every lane may not do, or what ends in another place.
    bool has_effects(TokenRange statement) const {
        for (std::size_t at = statement.begin; at < statement.end; ++at) {
            const Token& token = tokens_[at];
            if (token.text.starts_with("atomic") || token.text.starts_with("__sync") ||
                token.text.starts_with("__shfl") || token.kind == TokenKind::directive)
                return true;
            for (const std::string_view word : {"return", "break", "continue", "goto", "while", "do",
                                                "switch", "++", "--", "printf", "__shared__", "asm"})
                if (token.is(word)) return true;
        }
        return false;
    }

    bool reads_loop(TokenRange statement) {
        const std::size_t at = statement.begin;
        const std::size_t close = closing(tokens_, at + 1, statement.end);
        if (close + 1 >= statement.end) return false;
        loop_ = {};
        loop_.begin = at;
        loop_.end = statement.end;
        if (!reads_head(at, close)) return false;
        const Token& before = tokens_[at - 1];
        if (before.kind == TokenKind::directive && !is_pragma(before)) return false;
        const bool in_braces = tokens_[close + 1].is("{");
        body_ = in_braces ? TokenRange{close + 2, statement.end - 1} : TokenRange{close + 1, statement.end};
        if (!reads_body(body_) || !totals_are_only_made()) return false;
        for (const RowTotal& total : loop_.totals)
            if (total.kind == RowTotal::Kind::sum && !begins_at_zero(total.name)) return false;
        work_.loops.push_back(loop_);
        return true;
    }

    bool reads_head(std::size_t at, std::size_t close) {
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

    /// Definitions, totals, stores to elements of the loop's own, and these under a condition.
    bool reads_body(TokenRange body) {
        for (std::size_t at = body.begin; at < body.end;) {
            const std::size_t end = statement_end(at, body.end);
            if (!reads_pass({at, end})) return false;
            at = end;
        }
        return true;
    }

    bool reads_pass(TokenRange statement) {
        if (has_effects(statement)) return false;
        for (const TotalForm& form : total_forms) {
            BoundNames names;
            if (match(tokens_, statement, form.pattern, names) != statement.end) continue;
            const TokenRange total = names["t"];
            if (is_parameter(tokens_[total.begin].text) || is_made_in_loop(total)) break;
            for (const std::string_view part : {"v", "a", "b"})
                for (std::size_t of = names[std::string(part)].begin; of < names[std::string(part)].end; ++of)
                    if (assigns(tokens_[of]) || tokens_[of].text == tokens_[total.begin].text) return false;
            return adds_total(total, form.kind, statement);
        }
        if (is_definition(tokens_, statement)) return true;
        BoundNames names;
        if (match(tokens_, statement, "$out [ $to... ] = $v... ;", names) == statement.end) {
            const bool is_own = std::any_of(
                tokens_.begin() + static_cast<std::ptrdiff_t>(names["to"].begin),
                tokens_.begin() + static_cast<std::ptrdiff_t>(names["to"].end),
                [&](const Token& token) { return token.text == tokens_[loop_.variable.begin].text; });
            elements_[std::string(tokens_[names["out"].begin].text)].insert(text_of(tokens_, names["to"]));
            return is_own;
        }
        if (match(tokens_, statement, "if ( $c... ) { $body... }", names) == statement.end ||
            match(tokens_, statement, "if ( $c... ) $body...", names) == statement.end)
            return reads_body(names["body"]);
        return false;
    }

    bool adds_total(TokenRange name, RowTotal::Kind kind, TokenRange statement) {
        totals_at_.push_back(statement);
        const auto known = std::ranges::find_if(
            loop_.totals, [&](const RowTotal& other) { return same_text(tokens_, other.name, name); });
        if (known != loop_.totals.end()) return known->kind == kind;
        loop_.totals.push_back({kind, name});
        return true;
    }

    bool is_made_in_loop(TokenRange name) const {
        for (std::size_t at = body_.begin + 1; at < body_.end; ++at)
            if (tokens_[at].text == tokens_[name.begin].text && tokens_[at - 1].is_word() &&
                !tokens_[at - 1].is("else") && !tokens_[at - 1].is("return"))
                return true;
        return false;
    }

    /// Nothing in the loop reads a total but the statements that make it.
    bool totals_are_only_made() const {
        for (const RowTotal& total : loop_.totals)
            for (std::size_t at = loop_.begin; at < loop_.end; ++at) {
                if (tokens_[at].text != tokens_[total.name.begin].text) continue;
                const bool in_own = std::ranges::any_of(totals_at_, [&](TokenRange statement) {
                    return at >= statement.begin && at < statement.end;
                });
                if (!in_own) return false;
            }
        return true;
    }

    /// Else each lane would add what is there. The last assignment before the loop says it.
    bool begins_at_zero(TokenRange sum) const {
        bool zero = false;
        for (std::size_t at = kernel_.body; at + 3 < loop_.begin; ++at) {
            if (tokens_[at].text != tokens_[sum.begin].text || !assigns(tokens_[at + 1])) continue;
            const Token& value = tokens_[at + 2];
            double number = 1;
            if (tokens_[at + 1].is("=") && value.kind == TokenKind::number)
                std::from_chars(value.text.data(), value.text.data() + value.text.size(), number);
            zero = number == 0 && (tokens_[at + 3].is(";") || tokens_[at + 3].is(","));
        }
        return zero;
    }

    /// What a loop stores is read and stored at that element only, which is always the same lane's.
    bool stored_by_their_lane() const {
        for (const auto& [array, subscripts] : elements_) {
            if (subscripts.size() != 1 || stored_.contains(array)) return false;
            for (std::size_t at = row_.guarded.begin; at + 1 < row_.guarded.end; ++at) {
                if (tokens_[at].text != array || tokens_[at].kind != TokenKind::word) continue;
                if (!tokens_[at + 1].is("[")) return false;
                const std::size_t close = closing(tokens_, at + 1, row_.guarded.end);
                if (text_of(tokens_, {at + 2, close}) != *subscripts.begin()) return false;
            }
        }
        const auto starts_alike = [&](const RowLoop& loop) {
            return same_text(tokens_, loop.start, work_.loops.front().start) &&
                   same_text(tokens_, loop.variable, work_.loops.front().variable);
        };
        return elements_.empty() || std::ranges::all_of(work_.loops, starts_alike);
    }

    bool is_parameter(std::string_view name) const {
        for (std::size_t at = kernel_.parameters + 1; at < kernel_.parameters_end; ++at)
            if (tokens_[at].is_word() && tokens_[at].text == name) return true;
        return false;
    }

    const KernelDefinition& kernel_;
    const Tokens& tokens_;
    const GlobalIndex& row_;
    RowWork work_;
    RowLoop loop_;
    TokenRange body_;
    std::vector<TokenRange> totals_at_;
    std::set<std::string, std::less<>> stored_;                           // outside of loops
    std::map<std::string, std::set<std::string>, std::less<>> elements_;  // array to subscripts, in loops
};

}  // namespace

std::optional<RowWork> row_work(const KernelDefinition& kernel, const GlobalIndex& row) {
    return RowReader(kernel, row).read();
}

}  // namespace warplens::app
