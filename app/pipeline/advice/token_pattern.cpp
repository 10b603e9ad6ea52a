#include "app/pipeline/advice/token_pattern.h"

#include <algorithm>
#include <sstream>

namespace warplens::app {
namespace {

using instrumentation::host_code::closing;
using instrumentation::host_code::Token;
using instrumentation::host_code::Tokens;

std::vector<std::string> words_of(std::string_view pattern) {
    std::istringstream stream{std::string(pattern)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

/// Where the tokens from `at` on end before `word`, which no bracket holds; without a word, with the range.
std::optional<std::size_t> end_before(const Tokens& tokens, TokenRange in, const std::string* word) {
    std::size_t at = in.begin;
    while (at < in.end) {
        if (word != nullptr && tokens[at].is(*word)) return at;
        if (closes(tokens[at])) return std::nullopt;
        if (opens(tokens[at])) at = closing(tokens, at, in.end);
        ++at;
    }
    return word == nullptr && at == in.end ? std::optional(at) : std::nullopt;
}

}  // namespace

bool same_text(const Tokens& tokens, TokenRange a, TokenRange b) {
    return std::equal(tokens.begin() + static_cast<std::ptrdiff_t>(a.begin),
                      tokens.begin() + static_cast<std::ptrdiff_t>(a.end),
                      tokens.begin() + static_cast<std::ptrdiff_t>(b.begin),
                      tokens.begin() + static_cast<std::ptrdiff_t>(b.end),
                      [](const Token& one, const Token& other) { return one.text == other.text; });
}

std::optional<std::size_t> match(const Tokens& tokens, TokenRange in, std::string_view pattern,
                                 BoundNames& bound) {
    const std::vector<std::string> words = words_of(pattern);
    BoundNames names = bound;
    std::size_t at = in.begin;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word.front() != '$') {
            if (at >= in.end || !tokens[at].is(word)) return std::nullopt;
            ++at;
            continue;
        }
        const bool is_long = word.ends_with("...");
        const std::string name = word.substr(1, word.size() - (is_long ? 4 : 1));
        const auto known = names.find(name);
        std::size_t end = at + 1;
        if (known != names.end()) {
            end = at + known->second.end - known->second.begin;
            if (end > in.end || !same_text(tokens, known->second, {at, end})) return std::nullopt;
        } else if (is_long) {
            const auto found =
                end_before(tokens, {at, in.end}, i + 1 < words.size() ? &words[i + 1] : nullptr);
            if (!found || *found == at) return std::nullopt;
            end = *found;
        } else if (at >= in.end || !tokens[at].is_word()) {
            return std::nullopt;
        }
        if (known == names.end()) names[name] = {at, end};
        at = end;
    }
    bound = std::move(names);
    return at;
}

bool matches_all_of(const Tokens& tokens, TokenRange range, const std::vector<std::string_view>& patterns,
                    BoundNames& bound) {
    return std::ranges::any_of(patterns, [&](std::string_view pattern) {
        BoundNames names = bound;
        const auto end = match(tokens, range, pattern, names);
        if (end != range.end) return false;
        bound = std::move(names);
        return true;
    });
}

std::string text_of(const Tokens& tokens, TokenRange range) {
    if (range.empty()) return {};
    const std::string_view first = tokens[range.begin].text, last = tokens[range.end - 1].text;
    return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

}  // namespace warplens::app
