#include "app/pipeline/advice/kernel_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "app/pipeline/advice/source_edits.h"
#include "instrumentation/host_code/named_numbers.h"

namespace warplens::app {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

std::size_t after_statement(const Tokens& tokens, std::size_t at, std::size_t end) {
    for (; at < end; ++at) {
        if (tokens[at].is("{")) return std::min(closing(tokens, at, end) + 1, end);
        if (tokens[at].is("(") || tokens[at].is("[")) at = std::min(closing(tokens, at, end), end - 1);
        else if (tokens[at].is(";")) return at + 1;
    }
    return end;
}

std::string free_name(const Tokens& tokens, const std::string& wanted) {
    const auto is_free = [&](const std::string& name) {
        return std::ranges::none_of(tokens, [&](const Token& token) { return token.text == name; });
    };
    if (is_free(wanted)) return wanted;
    const std::string longer = wanted + "_of_warp";
    return is_free(longer) ? longer : std::string();
}

bool assigns(const Token& token) {
    constexpr std::array<std::string_view, 13> marks{
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "<<=", ">>=", "--"};
    return std::ranges::any_of(marks, [&](std::string_view mark) { return token.is(mark); });
}

bool is_definition(const Tokens& tokens, TokenRange statement) {
    std::size_t at = statement.begin;
    while (at < statement.end && (tokens[at].is_word() || tokens[at].is("*"))) ++at;
    if (at < statement.begin + 2 || at >= statement.end) return false;
    for (const std::string_view word : {"if", "while", "do", "return", "switch", "goto"})
        if (tokens[statement.begin].is(word)) return false;
    std::size_t assigned = 0;
    for (std::size_t of = statement.begin; of < statement.end; ++of) {
        if (tokens[of].text.starts_with("atomic") || tokens[of].is("{")) return false;
        if (assigns(tokens[of]) && !tokens[of].is("=")) return false;
        if (!tokens[of].is("=")) continue;
        ++assigned;
        if (!tokens[of - 1].is_word()) return false;
    }
    return assigned > 0 || tokens[at].is(";") || tokens[at].is(",");
}

namespace {

/// Of one comparison.
std::optional<std::string> other_comparison(const Tokens& tokens, TokenRange condition) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> contraries{
        {{"$a... >= $b...", "<"},
         {"$a... > $b...", "<="},
         {"$a... == $b...", "!="},
         {"$a... < $b...", ">="},
         {"$a... <= $b...", ">"},
         {"$a... != $b...", "=="}}};
    for (std::size_t at = condition.begin; at < condition.end; ++at)
        if (tokens[at].is("&&") || tokens[at].is("||") || tokens[at].is("?")) return std::nullopt;
    for (const auto& [pattern, other] : contraries) {
        BoundNames names;
        if (match(tokens, condition, pattern, names) == condition.end)
            return fmt::format("{} {} {}", text_of(tokens, names["a"]), other, text_of(tokens, names["b"]));
    }
    return std::nullopt;
}

}  // namespace

std::string contrary_of(const Tokens& tokens, TokenRange condition) {
    if (auto other = other_comparison(tokens, condition)) return *std::move(other);
    BoundNames names;
    if (match(tokens, condition, "$a... || $b...", names) == condition.end) {
        const auto a = other_comparison(tokens, names["a"]), b = other_comparison(tokens, names["b"]);
        if (a && b) return *a + " && " + *b;
    }
    return fmt::format("!({})", text_of(tokens, condition));
}

std::string name_of_number(const std::string& source, std::uint64_t number) {
    const auto lines = lines_of(source);
    for (const auto& named : instrumentation::host_code::named_numbers(source)) {
        const std::string& line = lines[named.line - 1];
        if (named.value == number && line.find_first_not_of(" \t") == line.find('#')) return named.name;
    }
    return std::to_string(number);
}

std::string pointed_type(const Tokens& tokens, TokenRange parameter) {
    std::string type;
    for (std::size_t at = parameter.begin; at < parameter.end; ++at) {
        if (tokens[at].is("*")) return type;
        if (!tokens[at].is("const")) type += (type.empty() ? "" : " ") + std::string(tokens[at].text);
    }
    return {};
}

std::vector<TokenRange> parts_between(const Tokens& tokens, TokenRange brackets) {
    std::vector<TokenRange> parts{{brackets.begin, brackets.begin}};
    for (std::size_t at = brackets.begin; at < brackets.end; ++at) {
        if (tokens[at].is(",")) {
            parts.push_back({at + 1, at + 1});
            continue;
        }
        if (tokens[at].is("(") || tokens[at].is("{") || tokens[at].is("["))
            at = std::min(closing(tokens, at, brackets.end), brackets.end - 1);
        parts.back().end = at + 1;
    }
    return parts;
}

}  // namespace warplens::app
