#include "instrumentation/host_code/named_numbers.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "core/number_text.h"
#include "instrumentation/host_code/tokens.h"

namespace warplens::instrumentation::host_code {
namespace {

/// The number that the token holds in decimal digits, after them at most a suffix; without a name.
std::optional<NamedNumber> decimal_number(const Token& number, std::uint32_t line,
                                          const std::string& source) {
    if (number.kind != TokenKind::number) return std::nullopt;
    const std::size_t digits = std::min(number.text.find_first_not_of("0123456789"), number.text.size());
    if (number.text.find_first_not_of("uUlL", digits) != std::string_view::npos) return std::nullopt;
    const bool octal = digits > 1 && number.text.front() == '0';
    const auto value = number_from<std::uint64_t>(std::string(number.text.substr(0, digits)));
    if (!value || octal) return std::nullopt;
    const auto offset = static_cast<std::size_t>(number.text.data() - source.data());
    return NamedNumber{"", *value, offset, digits, line, false};
}

/// `word` names the number.
std::optional<NamedNumber> named_number(const Token& word, const Token& number, std::uint32_t line,
                                        const std::string& source) {
    auto named = word.is_word() ? decimal_number(number, line, source) : std::nullopt;
    if (named) named->name = word.text;
    return named;
}

/// `#define NAME 256` or `#define NAME (256)`.
std::optional<NamedNumber> defined_number(const Token& directive, const std::string& source) {
    const Tokens tokens = tokenize(directive.text.substr(1));
    const bool bracketed = tokens.size() == 5 && tokens[2].is("(") && tokens[4].is(")");
    if ((tokens.size() != 3 && !bracketed) || !tokens[0].is("define")) return std::nullopt;
    const Token& number = tokens[bracketed ? 3 : 2];
    return named_number(tokens[1], number, directive.line + number.line - 1, source);
}

/// After `enum`, its name and its type: the index of its `{`; `at` where it has none.
std::size_t enumerators_of(const Tokens& tokens, std::size_t at) {
    std::size_t brace = at + 1;
    while (brace < tokens.size() && (tokens[brace].is_word() || tokens[brace].is(":"))) ++brace;
    return brace < tokens.size() && tokens[brace].is("{") ? brace : at;
}

/// Of the words of the type before `name`.
bool is_const(const Tokens& tokens, std::size_t name) {
    for (std::size_t at = name; at > 0 && tokens[at - 1].is_word(); --at)
        if (tokens[at - 1].is("const") || tokens[at - 1].is("constexpr")) return true;
    return false;
}

}  // namespace

std::vector<NamedNumber> numbers_in(const Tokens& tokens, std::size_t begin, std::size_t end,
                                    const std::string& source) {
    std::vector<NamedNumber> found;
    for (std::size_t i = begin; i < end; ++i)
        if (auto number = decimal_number(tokens[i], tokens[i].line, source)) found.push_back(*number);
    return found;
}

std::vector<NamedNumber> named_numbers(const std::string& source) {
    std::vector<NamedNumber> found;
    const auto keep = [&](std::optional<NamedNumber> number, bool is_constant) {
        if (!number) return;
        number->is_constant = is_constant;
        found.push_back(std::move(*number));
    };
    const Tokens tokens = tokenize(source);
    std::size_t enum_end = 0;  // the `}` of the enumeration that is read
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (tokens[at].is("enum"))
            if (const std::size_t brace = enumerators_of(tokens, at); brace != at)
                enum_end = closing(tokens, brace, tokens.size());
        const auto ends = [&](std::size_t i) {
            return tokens[i].is(",") || tokens[i].is(at < enum_end ? "}" : ";");
        };
        if (tokens[at].kind == TokenKind::directive) keep(defined_number(tokens[at], source), true);
        // `int threads = 256;` and not `threads = 256;`; `enum { tile = 16 }`
        else if (at > 0 && at + 3 < tokens.size() && tokens[at + 1].is("=") && ends(at + 3) &&
                 (at < enum_end || tokens[at - 1].is_word()))
            keep(named_number(tokens[at], tokens[at + 2], tokens[at + 2].line, source),
                 at < enum_end || is_const(tokens, at));
    }
    return found;
}

}  // namespace warplens::instrumentation::host_code
