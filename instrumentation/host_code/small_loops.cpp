// Walk: loops over a few known numbers, which are run to their end: `while (n >>= 1) ++log2;`.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

constexpr int most_rounds = 1024;
constexpr std::size_t most_tokens_in_loop = 200;

/// Numbers and operators, without calls, elements, members and loops in it.
bool is_arithmetic(const Tokens& tokens, std::size_t begin, std::size_t end) {
    static constexpr std::array<std::string_view, 14> other{
        "[",  "<<<",    "->",    ".",        "::",   "for",   "while",
        "do", "return", "break", "continue", "goto", "throw", "new"};
    for (std::size_t i = begin; i < end; ++i) {
        if (std::ranges::find(other, tokens[i].text) != other.end()) return false;
        if (tokens[i].kind != TokenKind::word && tokens[i].kind != TokenKind::mark &&
            tokens[i].kind != TokenKind::number)
            return false;
        const bool called = i + 1 < end && tokens[i].is_word() && tokens[i + 1].is("(");
        if (called && !tokens[i].is("if")) return false;
    }
    return true;
}

}  // namespace

/// False: it is none, or does not end soon; then nothing has changed.
bool Walk::run_small_loop(const Tokens& tokens, std::size_t at, std::size_t after) {
    const bool is_for = tokens[at].is("for");
    if ((!is_for && !tokens[at].is("while")) || uncertain_ || second_branch_ || !guard_.known ||
        guard_.condition || at + 2 >= after || !tokens[at + 1].is("("))
        return false;
    const std::size_t close = closing(tokens, at + 1, after);
    if (close + 1 >= after || after - at > most_tokens_in_loop || rounds_left_ <= 0 ||
        !is_arithmetic(tokens, at + 2, after))
        return false;
    std::size_t condition = at + 2, condition_end = close, step = close;
    if (is_for) {
        condition = std::min(passed(tokens, at + 2, close), close);
        condition_end = condition;
        while (condition_end < close && !tokens[condition_end].is(";")) ++condition_end;
        step = condition_end + 1;
        if (condition_end == close || condition_end == condition) return false;
    }
    std::map<Slot, Value> before;
    for (std::size_t i = at + 2; i < after; ++i)
        if (const Slot slot = tokens[i].is_word() ? look_up(std::string(tokens[i].text), {}).slot : nullptr)
            before.emplace(slot, *slot);
    frames_.back().scopes.emplace_back();
    if (is_for) statement(tokens, at + 2, condition);
    const auto is_known = [](const Value& value) {
        return value.is_number() && !value.varies && !value.random && !value.element;
    };
    bool known = true, counts = false;
    std::set<std::string_view> inside;  // declared in the body
    for (std::size_t i = condition; i < after && known; ++i) {
        if (!tokens[i].is_word() || tokens[i].is("if") || tokens[i].is("else")) continue;
        const std::string word(tokens[i].text);
        if (is_type(word)) continue;
        if (tokens[i - 1].is_word() && is_type(std::string(tokens[i - 1].text)))
            inside.insert(tokens[i].text);
        known = inside.contains(tokens[i].text) || is_known(look_up(word, {}));
        counts = counts || (is_for && i == condition && counted(tokens, condition, close, word));
    }
    bool ends = false;
    for (int round = 0; known && !counts && round < most_rounds && !ends; ++round, --rounds_left_) {
        std::size_t from = condition;
        const Value holds = evaluate(tokens, from, condition_end, *this, true);
        known = is_known(holds);
        ends = known && holds.number() == 0;
        if (!known || ends) break;
        statement(tokens, close + 1, after);
        if (frames_.empty()) return true;
        if (step < close) evaluate(tokens, from = step, close, *this, true);
    }
    frames_.back().scopes.pop_back();
    ends = ends && std::ranges::all_of(before, [&](const auto& entry) {
               return !is_known(entry.second) || is_known(*entry.first);
           });
    if (!ends)
        for (const auto& [slot, value] : before) *slot = value;
    return ends;
}

}  // namespace warplens::instrumentation::host_code
