// Walk: loops. Each is followed once, with its variable as a formula where its header counts.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

bool is_assignment(const Token& token) {
    static constexpr std::string_view words[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="};
    return token.kind == TokenKind::mark && std::ranges::find(words, token.text) != std::end(words);
}

bool is_step(const Token& token) { return token.is("++") || token.is("--"); }

/// The first of these marks outside brackets; `end`: none.
std::size_t find_mark(const Tokens& tokens, std::size_t begin, std::size_t end,
                      std::initializer_list<std::string_view> marks) {
    for (std::size_t i = begin; i < end; ++i) {
        if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")) i = closing(tokens, i, end);
        else if (tokens[i].kind == TokenKind::mark && std::ranges::find(marks, tokens[i].text) != marks.end())
            return i;
    }
    return end;
}

}  // namespace

/// What one iteration changes is not the same in the next: numbers and pointers that the body assigns.
void Walk::forget_changes(const Tokens& tokens, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        if (!tokens[i].is_word()) continue;
        const bool member = i > begin && (tokens[i - 1].is(".") || tokens[i - 1].is("->"));
        const bool declared = i > begin && (tokens[i - 1].is_word() || tokens[i - 1].is("*"));
        const bool changes =
            (i + 1 < end && (is_step(tokens[i + 1]) || (is_assignment(tokens[i + 1]) && !declared))) ||
            (i > begin && is_step(tokens[i - 1]));
        if (member || !changes) continue;
        const Slot slot = look_up(std::string(tokens[i].text), {}).slot;
        if (!slot || slot->element) continue;
        if (slot->is_number() || slot->random) slot->varies = true, slot->formula = nullptr;
        const bool grows =
            i + 1 < end && tokens[i + 1].is("+=") && slot->type == "std::vector<char>";  // a std::string
        if (slot->kind == Kind::memory && !grows) slot->index = nullptr;
    }
}

/// Arrays of which one iteration reads elements that another one writes, as in a running sum: what they hold
/// is not followed. Two elements are the same if the words of their index are.
void Walk::forget_carried(const Tokens& tokens, std::size_t begin, std::size_t end) {
    struct Elements {
        std::set<std::string> read, written;
        Origin origin;
    };
    std::map<std::string_view, Elements> arrays;
    for (std::size_t i = begin; i + 1 < end; ++i) {
        const bool member = i > begin && (tokens[i - 1].is(".") || tokens[i - 1].is("->"));
        if (!tokens[i].is_word() || !tokens[i + 1].is("[") || member) continue;
        std::string index;
        std::size_t after = i + 1;
        while (after < end && tokens[after].is("[")) {
            const std::size_t close = std::min(closing(tokens, after, end), end - 1);
            for (; after <= close; ++after) index.append(tokens[after].text).append(" ");
        }
        Elements& elements = arrays[tokens[i].text];
        const bool writes = after < end && is_assignment(tokens[after]);
        (writes ? elements.written : elements.read).insert(std::move(index));
        if (writes) elements.origin = {tokens[i].file, tokens[i].line};
    }
    for (const auto& [name, elements] : arrays) {
        if (elements.written.empty() || std::ranges::includes(elements.written, elements.read)) continue;
        const Slot slot = look_up(std::string(name), {}).slot;
        if (slot && slot->storage)
            guess(*slot->storage, "a loop that reads what it has written", elements.origin);
    }
}

/// The loop of `v < bound; v += step`, with `v` as it was set; nothing where the header counts otherwise.
std::optional<Loop> Walk::counted(const Tokens& tokens, std::size_t condition, std::size_t end,
                                  const std::string& name) {
    const std::size_t semicolon = find_mark(tokens, condition, end, {";"});
    const std::size_t mark = find_mark(tokens, condition, semicolon, {"<", "<=", ">", ">=", "!="});
    if (semicolon == end || mark != condition + 1 || !tokens[condition].is(name)) return std::nullopt;
    const Value first = look_up(name, {});
    std::size_t from = mark + 1;
    const Value bound = loaded(evaluate(tokens, from, semicolon, *this));
    if (first.kind != Kind::integer || bound.kind != Kind::integer || first.varies || bound.varies ||
        from < semicolon)
        return std::nullopt;
    std::int64_t step = 0;
    const std::size_t at = semicolon + 1;
    if (at + 2 == end && (is_step(tokens[at]) || is_step(tokens[at + 1]))) {
        const bool before = is_step(tokens[at]);
        if (tokens[before ? at + 1 : at].is(name)) step = tokens[before ? at : at + 1].is("++") ? 1 : -1;
    } else if (at + 2 < end && tokens[at].is(name) && (tokens[at + 1].is("+=") || tokens[at + 1].is("-="))) {
        std::size_t amount = at + 2;
        const Value by = loaded(evaluate(tokens, amount, end, *this));
        if (by.kind == Kind::integer && !by.varies && amount == end)
            step = tokens[at + 1].is("+=") ? by.integer : -by.integer;
    }
    constexpr std::int64_t most = std::int64_t{1} << 40;
    if (step == 0 || std::abs(step) > most || std::abs(first.integer) > most ||
        std::abs(bound.integer) > most)
        return std::nullopt;
    const bool up = tokens[mark].is("<") || tokens[mark].is("<=") || (tokens[mark].is("!=") && step > 0);
    if (up != (step > 0)) return std::nullopt;
    const std::int64_t last = bound.integer + (tokens[mark].is("<=") ? 1 : tokens[mark].is(">=") ? -1 : 0);
    const std::int64_t distance = up ? last - first.integer : first.integer - last;
    counter_roots_ = bound.roots;
    if (distance <= 0 || (tokens[mark].is("!=") && distance % std::abs(step) != 0)) return std::nullopt;
    return Loop{++loop_ids_, first.integer, step, (distance + std::abs(step) - 1) / std::abs(step)};
}

/// for (float& x : values)
bool Walk::ranged(const Tokens& tokens, std::size_t begin, std::size_t end) {
    const std::size_t colon = find_mark(tokens, begin, end, {":", ";"});
    if (colon == end || !tokens[colon].is(":") || colon == begin || !tokens[colon - 1].is_word())
        return false;
    std::size_t from = colon + 1;
    const Value range = evaluate(tokens, from, end, *this);
    Value each;
    each.varies = true;
    if (range.kind == Kind::memory && range.storage) {
        const auto size = size_of(range.storage->element);
        const Storage& storage = *range.storage;
        each = range;
        each.element = true;
        each.type = storage.element;
        each.index = storage.bytes && size && *storage.bytes >= *size
                         ? loop_formula({++loop_ids_, 0, 1, *storage.bytes / *size}, NumberType::i64)
                         : nullptr;
        if (colon < begin + 2 || !(tokens[colon - 2].is("&") || tokens[colon - 2].is("&&")))
            each = loaded(each);
    } else if (range.kind == Kind::list && !range.list.empty()) {
        Value first = Value::of(0);
        first.varies = true;
        each = index(range, first);
        each.varies = true;
    }
    each.slot = nullptr;
    frames_.back().scopes.back()[std::string(tokens[colon - 1].text)] =
        std::make_shared<Value>(std::move(each));
    return true;
}

/// The header of a `for` up to its condition; its variable as a formula. The index of the condition.
std::size_t Walk::loop_header(const Tokens& tokens, std::size_t from, std::size_t close, Slot& variable) {
    const std::size_t first_end = std::min(passed(tokens, from, close), close);
    statement(tokens, from, first_end);
    const auto mark = [&](const std::string& name, const Slot& slot) {
        const auto loop = counted(tokens, first_end, close, name);
        slot->varies = true;
        slot->formula = loop ? loop_formula(*loop, number_type_of(slot->type)) : nullptr;
        if (slot->formula) variable = slot;
    };
    for (auto& [name, slot] : frames_.back().scopes.back()) mark(name, slot);
    if (from + 2 < first_end && tokens[from + 1].is("=")) {
        const std::string name(tokens[from].text);
        if (const Slot outside = look_up(name, {}).slot) mark(name, outside);
    }
    return first_end;
}

/// Once through the body, with the first value of the loop's variable.
std::size_t Walk::loop(const Tokens& tokens, std::size_t at, std::size_t end) {
    const std::size_t after = passed(tokens, at, end), first_launch = launches.size();
    if (run_small_loop(tokens, at, after) || run_passes(tokens, at, after)) return after;
    const bool is_do = tokens[at].is("do"), is_for = tokens[at].is("for");
    std::size_t body = at + 1;
    bool runs = true, known_to_run = is_do;
    Slot variable;
    frames_.back().scopes.emplace_back();
    loop_starts_.push_back({tokens[at].file, tokens[at].line});
    if (!is_do) {
        while (body < end && !tokens[body].is("(")) ++body;
        const std::size_t close = closing(tokens, body, end);
        std::size_t from = body + 1;
        body = std::min(close + 1, end);
        if (is_for && ranged(tokens, from, close)) {
            known_to_run = true;
        } else {
            if (is_for) from = loop_header(tokens, from, close, variable);
            if (from < close && !tokens[from].is(";")) {
                const Value holds = evaluate(tokens, from, close, *this);
                runs = !(holds.is_number() && holds.number() == 0);
                known_to_run = holds.is_number();
            }
        }
    }
    const std::size_t after_body = passed(tokens, body, end);
    const bool uncertain = uncertain_;
    const Guard guard = guard_;
    guard_.known = guard_.known && known_to_run;
    const Slot counter = variable;
    RunningSums sums;
    if (runs) {
        sums = running_sums(tokens, body, after_body, counter);
        forget_carried(tokens, body, after_body);
        put_array_sums(sums);
    }
    if (counter && !counter->formula) guard_.known = false;  // the body changes its own counter
    const bool cut = std::exchange(cut_, false);
    counters_.push_back(counter ? counter->formula : nullptr);
    if (runs) statement(tokens, body, end);
    counters_.pop_back();
    loop_starts_.pop_back();
    end_unknown_loop(tokens, at, after, first_launch);
    if (counters_.empty()) {
        for (const auto& [storage, origin] : of_first_iteration_)
            if (storage->contents.kind == Contents::Kind::known)
                guess(*storage, "a copy that is not followed", origin);
        of_first_iteration_.clear();
    }
    cut_ = cut;
    uncertain_ = uncertain;
    guard_ = guard;
    if (frames_.empty()) return end;
    put_sums(sums);
    if (counter) counter->formula = nullptr;  // after the loop it is another number
    const bool leaves_loop = frames_.back().left && !frames_.back().result.known();
    if (leaves_loop) frames_.back().left = false;  // break and continue
    frames_.back().scopes.pop_back();
    return is_do ? passed(tokens, after_body, end) : after_body;
}

}  // namespace warplens::instrumentation::host_code
