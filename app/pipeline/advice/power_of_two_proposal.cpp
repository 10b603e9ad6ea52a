#include "app/pipeline/advice/power_of_two_proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/source_edits.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::TokenKind;
using instrumentation::host_code::Tokens;

constexpr std::size_t most_divisors = 2;

/// After these an operand begins, and nothing before it binds as strongly as `%`.
constexpr std::array<std::string_view, 28> openers{
    "(",  ",",  "=",  "{",  "}",  ";",  "return", "&&", "||", "?",  ":",  "[",  "<",   ">",
    "<=", ">=", "==", "!=", "+=", "-=", "*=",     "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

bool joins_names(const Token& token) { return token.is(".") || token.is("->") || token.is("::"); }

/// The index of the bracket that opens the one at `close`; nothing before `begin`.
std::optional<std::size_t> opening(const Tokens& tokens, std::size_t begin, std::size_t close) {
    for (std::size_t at = close; at-- > begin;)
        if (closing(tokens, at, close + 1) == close) return at;
    return std::nullopt;
}

/// The first token of the operand whose last one is at `last`: a name, a number, a member, an element, a call
/// or what is in brackets.
std::optional<std::size_t> begin_of_operand(const Tokens& tokens, std::size_t begin, std::size_t last) {
    std::size_t at = last;
    while (at > begin) {
        if (tokens[at].is(")") || tokens[at].is("]")) {
            const bool is_element = tokens[at].is("]");
            const auto open = opening(tokens, begin, at);
            if (!open || *open <= begin) return std::nullopt;
            const bool follows_name = tokens[*open - 1].is_word() && !tokens[*open - 1].is("return");
            if (!follows_name && !is_element) return open;
            at = *open - 1;
        } else if (!tokens[at].is_word() && tokens[at].kind != TokenKind::number) {
            return std::nullopt;
        } else if (joins_names(tokens[at - 1])) {
            at -= 2;
        } else {
            return at;
        }
    }
    return std::nullopt;
}

/// The last token of the operand that begins at `at`.
std::optional<std::size_t> end_of_operand(const Tokens& tokens, std::size_t at, std::size_t end) {
    if (tokens[at].is("(")) return std::optional(closing(tokens, at, end));
    if (!tokens[at].is_word()) return std::nullopt;
    while (at + 1 < end) {
        if (joins_names(tokens[at + 1])) at += 2;
        else if (tokens[at + 1].is("[") || tokens[at + 1].is("(")) at = closing(tokens, at + 1, end);
        else return at;
    }
    return std::nullopt;
}

}  // namespace

std::vector<MaskedRemainder> masked_remainders(const std::string& source, std::string_view entry) {
    const auto kernel = find_kernel_definition(source, entry);
    if (!kernel) return {};
    const Tokens& tokens = kernel->tokens;
    struct Divisor {
        std::string text;
        std::vector<Insertion> changes;
    };
    std::vector<Divisor> divisors;
    for (std::size_t at = kernel->body + 2; at + 2 < kernel->body_end; ++at) {
        if (!tokens[at].is("%")) continue;
        const auto left = begin_of_operand(tokens, kernel->body, at - 1);
        const auto right = end_of_operand(tokens, at + 1, kernel->body_end);
        if (!left || !right || *right >= kernel->body_end) continue;
        const bool stands_alone = std::ranges::any_of(
            openers, [&](std::string_view opener) { return tokens[*left - 1].is(opener); });
        if (!stands_alone || tokens[*left].line != tokens[*right].line) continue;
        const std::size_t begin = offset_of(tokens[at + 1], source);
        const std::size_t end = offset_of(tokens[*right], source) + tokens[*right].text.size();
        const std::string text = source.substr(begin, end - begin);
        auto found = std::ranges::find(divisors, text, &Divisor::text);
        if (found == divisors.end()) found = divisors.insert(divisors.end(), {text, {}});
        const std::uint32_t line = tokens[at].line;
        const auto add = [&](std::size_t offset, std::string word, std::size_t replaced) {
            found->changes.push_back({offset, line, std::move(word), replaced});
        };
        add(offset_of(tokens[*left], source), "(", 0);
        add(offset_of(tokens[at], source), "&", 1);
        add(begin, "(", 0);
        add(end, " - 1))", 0);
    }
    std::vector<MaskedRemainder> remainders;
    for (const Divisor& divisor : divisors) {
        // One within another would cross.
        if (!std::ranges::is_sorted(divisor.changes, {}, &Insertion::offset)) continue;
        remainders.push_back({divisor.text, edits_of(source, divisor.changes)});
    }
    return remainders;
}

std::vector<Proposal> proposed_masks(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                     const std::map<std::string, std::string>& overrides,
                                     const Program& program) {
    if (kernel->language != instrumentation::Language::cuda) return {};
    std::vector<Proposal> proposals;
    for (MaskedRemainder& remainder : masked_remainders(kernel->source, plain_name(program.entry))) {
        if (proposals.size() == most_divisors) break;
        proposals.push_back(with_changed_lines(kernel, overrides, std::move(remainder.edits),
                                               fmt::format("`&` instead of `% {}`", remainder.divisor)));
        proposals.back().change.condition =
            fmt::format("right where {} is a power of two and nothing is negative", remainder.divisor);
    }
    return proposals;
}

}  // namespace warplens::app
