// Walk: what a counted loop adds up, in a variable or from one element of an array to the next, and the scans
// of the standard library.
#include <algorithm>
#include <utility>

#include "instrumentation/host_code/arithmetic.h"
#include "instrumentation/host_code/walk.h"

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

bool is_step_mark(const Token& token) { return token.is("++") || token.is("--"); }

bool is_change(const Token& token) {
    static constexpr std::string_view words[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};
    return token.kind == TokenKind::mark && std::ranges::find(words, token.text) != std::end(words);
}

FormulaPointer integer_formula(std::int64_t number) {
    return number_formula(static_cast<double>(number), NumberType::i64);
}

/// How often the body changes the variable, or may, through its address.
std::ptrdiff_t changes_of(const Tokens& tokens, std::size_t begin, std::size_t end, std::string_view name) {
    std::ptrdiff_t changes = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if (!tokens[i].is_word() || tokens[i].text != name) continue;
        const bool after = i + 1 < end && is_change(tokens[i + 1]);
        const bool before = i > 0 && (is_step_mark(tokens[i - 1]) || tokens[i - 1].is("&"));
        changes += after || before ? 1 : 0;
    }
    return changes;
}

/// How often elements of the array are assigned, and how often it is named.
std::ptrdiff_t names_of(const Tokens& tokens, std::size_t begin, std::size_t end, std::string_view name) {
    return std::count_if(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                         tokens.begin() + static_cast<std::ptrdiff_t>(end),
                         [&](const Token& token) { return token.is_word() && token.text == name; });
}

/// The first array of which an element is assigned; empty: there is none.
std::string_view assigned_array(const Tokens& tokens, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i + 2 < end; ++i) {
        if (!tokens[i].is_word() || !tokens[i + 1].is("[")) continue;
        const std::size_t close = closing(tokens, i + 1, end);
        if (close + 1 < end && is_change(tokens[close + 1])) return tokens[i].text;
    }
    return {};
}

/// Of one iteration of `loop`, as a function of the iteration's number.
FormulaPointer by_iteration(const FormulaPointer& term, const Loop& loop) {
    return substituted(
        term, nullptr,
        {{loop.id, binary_formula("+", index_formula(loop.count), integer_formula(loop.first))}});
}

}  // namespace

/// `int degree = …;`, which is followed once more to know what a sum adds.
bool Walk::declares_number(const Tokens& tokens, std::size_t at, std::size_t end) {
    std::size_t name = at;
    const std::string type = read_type(tokens, name, end, *this);
    return name > at && name + 1 < end && tokens[name].is_word() && tokens[name + 1].is("=") &&
           size_of_type(resolved(type)) && !type.ends_with('*');
}

/// What each variable grows by when the body runs once.
std::map<Slot, FormulaPointer> Walk::growth(const Tokens& tokens, std::size_t begin, std::size_t end,
                                            const Loop& loop, std::vector<ArraySum>* arrays) {
    std::map<Slot, FormulaPointer> grown;
    std::map<Slot, std::string> names;
    const auto add = [&](const Slot& slot, const std::string& name, const FormulaPointer& by) {
        if (!slot) return;
        const bool again = names.contains(slot);
        names[slot] = name;
        grown[slot] = again ? nullptr : by;
    };
    const bool block = tokens[begin].is("{");
    const std::size_t last = block ? closing(tokens, begin, end) : end;
    frames_.back().scopes.emplace_back();
    for (std::size_t at = block ? begin + 1 : begin; at < last;) {
        const std::size_t next = std::max(std::min(passed(tokens, at, last), last), at + 1);
        const std::size_t stop = next > at + 1 && tokens[next - 1].is(";") ? next - 1 : next;
        if (tokens[at].is("for")) {
            std::map<Slot, std::string> inner;
            const auto by_loop = growth_of_inner(tokens, at, next, inner);
            for (const auto& [slot, by] : by_loop) add(slot, inner[slot], by);
        } else if (stop == at + 2 && (is_step_mark(tokens[at]) || is_step_mark(tokens[at + 1]))) {
            const Token& word = tokens[is_step_mark(tokens[at]) ? at + 1 : at];
            const bool up = tokens[at].is("++") || tokens[at + 1].is("++");
            const std::string name(word.text);
            if (word.is_word()) add(look_up(name, {}).slot, name, integer_formula(up ? 1 : -1));
        } else if (stop > at + 2 && tokens[at].is_word() && tokens[at + 1].is("+=")) {
            std::size_t from = at + 2;
            const std::string name(tokens[at].text);
            const FormulaPointer by = formula_of(loaded(evaluate(tokens, from, stop, *this)));
            add(look_up(name, {}).slot, name, from == stop ? by : nullptr);
        } else if (declares_number(tokens, at, stop)) {
            statement(tokens, at, next);
        } else if (arrays && tokens[at].is("if")) {
            const std::string_view name = assigned_array(tokens, at, next);
            if (names_of(tokens, begin, end, name) == 3)
                if (auto sum = array_sum_but_first(tokens, at, next, loop))
                    arrays->push_back(std::move(*sum));
        } else if (arrays && stop > at + 2 && tokens[at].is_word() && tokens[at + 1].is("[")) {
            if (auto sum = array_sum(tokens, at, stop, loop)) {
                if (names_of(tokens, begin, end, tokens[at].text) == 2) arrays->push_back(std::move(*sum));
            }
        }
        at = next;
    }
    frames_.back().scopes.pop_back();
    std::erase_if(grown, [&](const auto& one) {
        return !one.second || changes_of(tokens, begin, end, names[one.first]) != 1;
    });
    return grown;
}

/// Of a counted loop in the body, all that it adds.
std::map<Slot, FormulaPointer> Walk::growth_of_inner(const Tokens& tokens, std::size_t at, std::size_t end,
                                                     std::map<Slot, std::string>& names) {
    std::size_t open = at + 1;
    if (open >= end || !tokens[open].is("(")) return {};
    const std::size_t close = closing(tokens, open, end), body = close + 1;
    if (body >= end) return {};
    frames_.back().scopes.emplace_back();
    Slot variable;
    loop_header(tokens, open + 1, close, variable);
    std::map<Slot, FormulaPointer> grown;
    if (variable && variable->formula && variable->formula->loop.step == 1) {
        const Loop loop = variable->formula->loop;
        grown = growth(tokens, body, end, loop, nullptr);
        for (auto& [slot, by] : grown) {
            by = sum_formula(integer_formula(loop.count), by_iteration(by, loop), sum_budget_);
            for (std::size_t i = body; i < end; ++i)
                if (tokens[i].is_word() && look_up(std::string(tokens[i].text), {}).slot == slot)
                    names[slot] = tokens[i].text;
        }
    }
    frames_.back().scopes.pop_back();
    return grown;
}

/// a[i + 1] = a[i] + …; a[i + 1] += a[i];
std::optional<Walk::ArraySum> Walk::array_sum(const Tokens& tokens, std::size_t at, std::size_t end,
                                              const Loop& loop) {
    const std::size_t close = closing(tokens, at + 1, end);
    if (close + 2 >= end) return std::nullopt;
    const bool adds = tokens[close + 1].is("+=");
    const std::size_t other = close + 2;
    if (!adds && !tokens[close + 1].is("=")) return std::nullopt;
    if (other + 1 >= end || tokens[other].text != tokens[at].text || !tokens[other + 1].is("["))
        return std::nullopt;
    const std::size_t other_close = closing(tokens, other + 1, end);
    if (adds ? other_close + 1 != end : other_close + 2 >= end || !tokens[other_close + 1].is("+"))
        return std::nullopt;
    std::size_t from = at;
    const Value to = evaluate(tokens, from, close + 1, *this);
    from = other;
    const Value before = evaluate(tokens, from, other_close + 1, *this);
    const auto index = affine_of(to.index), from_index = affine_of(before.index);
    if (!to.element || !to.storage || to.storage != before.storage || !index || !from_index)
        return std::nullopt;
    const auto is_of_loop = [&](const Affine& one) {
        return one.terms.size() == 1 && one.terms.begin()->first == loop.id &&
               one.terms.begin()->second.second == 1;
    };
    if (!is_of_loop(*index) || !is_of_loop(*from_index) || index->constant != from_index->constant + 1)
        return std::nullopt;
    FormulaPointer term;
    const Contents& contents = to.storage->contents;
    const bool unfilled = contents.kind == Contents::Kind::unfilled;
    if (adds) {
        if (!unfilled) term = formula_of(loaded(to));
    } else {
        from = other_close + 2;
        term = formula_of(loaded(evaluate(tokens, from, end, *this)));
        if (from != end) return std::nullopt;
    }
    const NumberType type = number_type_of(to.type);
    const std::int64_t start = loop.first + from_index->constant;
    FormulaPointer first =
        unfilled ? integer_formula(0) : element_of(*to.storage, to.type, integer_formula(start));
    const auto number = first ? value_at(*first, 0) : std::nullopt;
    if (!number || start < 0) return std::nullopt;
    const Loop all{++loop_ids_, start, 1, loop.count + 1};
    const FormulaPointer position = loop_formula(all, NumberType::i64);
    const FormulaPointer sum = sum_formula(binary_formula("-", position, integer_formula(start)),
                                           converted(by_iteration(term, loop), type), sum_budget_);
    Fill fill{to.type, position, binary_formula("+", number_formula(*number, type), sum), {}, {}};
    fill.origin = {tokens[at].file, tokens[at].line};
    if (!fill.value) return std::nullopt;
    return ArraySum{to.storage, contents, std::move(fill)};
}

/// if (i > 1) a[i] = a[i - 1] + …; else a[1] = …; or with its sides exchanged: the other side in the first
/// iterations alone.
std::optional<Walk::ArraySum> Walk::array_sum_but_first(const Tokens& tokens, std::size_t at, std::size_t end,
                                                        const Loop& loop) {
    constexpr std::int64_t most_others = 4;
    const std::size_t close = closing(tokens, at + 1, end), yes = close + 1;
    const std::size_t after = yes < end ? passed(tokens, yes, end) : end;
    if (after + 1 >= end || !tokens[after].is("else")) return std::nullopt;
    std::size_t from = at + 2;
    FormulaPointer holds =
        by_iteration(condition_of(formula_of(loaded(evaluate(tokens, from, close, *this)))), loop);
    if (from != close || !holds || !is_comparison(holds->word)) return std::nullopt;
    using Side = std::pair<std::size_t, std::size_t>;  // its only statement, without the semicolon
    const auto side = [&](std::size_t begin, std::size_t stop) {
        if (tokens[begin].is("{")) ++begin, --stop;
        const std::size_t last = std::min(passed(tokens, begin, stop), stop);
        return last == stop && last > begin ? Side{begin, last - 1} : Side{begin, begin};
    };
    Side sums = side(yes, after), others = side(after + 1, end);
    if (value_at(*holds, 0) != 0) {
        std::swap(sums, others);
        holds = negated_condition(holds);
    }
    std::int64_t count = 0;  // of other iterations; a comparison changes once, but for ==
    while (count < std::min(most_others, loop.count) && value_at(*holds, static_cast<double>(count)) == 0)
        ++count;
    const bool then_sums = count < most_others && count < loop.count && holds->word != "==" &&
                           value_at(*holds, static_cast<double>(count)) == 1 &&
                           value_at(*holds, static_cast<double>(loop.count - 1)) == 1;
    if (!then_sums || (holds->word == "!=" && count != 1)) return std::nullopt;
    const std::size_t bracket = others.first + 1;
    const std::size_t mark =
        bracket < others.second ? closing(tokens, bracket, others.second) + 1 : others.second;
    if (mark + 1 >= others.second || !tokens[bracket].is("[") || !tokens[mark].is("=")) return std::nullopt;
    from = others.first;
    const Value to = evaluate(tokens, from, mark, *this);
    from = mark + 1;
    const FormulaPointer value =
        by_iteration(formula_of(loaded(evaluate(tokens, from, others.second, *this))), loop);
    const FormulaPointer index = by_iteration(to.index, loop);
    if (from != others.second || !to.element || !to.storage || !value || !index) return std::nullopt;
    const Contents before = to.storage->contents;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto place = value_at(*index, static_cast<double>(i)),
                   number = value_at(*value, static_cast<double>(i));
        if (place && number)
            fill(*to.storage, {to.type,
                               number_formula(*place, NumberType::i64),
                               number_formula(*number, number_type_of(to.type)),
                               {},
                               to.origin});
        else guess(*to.storage, "a branch that is not followed", to.origin);
    }
    auto sum =
        array_sum(tokens, sums.first, sums.second, {loop.id, loop.first + count, 1, loop.count - count});
    if (!sum || sum->storage != to.storage) {
        to.storage->contents = before;
        return std::nullopt;
    }
    return sum;
}

/// Before the body of a counted loop is followed: variables that it adds to get formulas, and what the body
/// changes otherwise is forgotten.
Walk::RunningSums Walk::running_sums(const Tokens& tokens, std::size_t begin, std::size_t end,
                                     const Slot& counter) {
    RunningSums sums;
    const auto leaves = [](const Token& token) {
        return token.is("break") || token.is("continue") || token.is("goto") || token.is("return") ||
               token.is("throw") || token.is("<<<");
    };
    const bool followed = counter && counter->formula && counter->formula->loop.step == 1 && begin < end &&
                          !uncertain_ && guard_.known && !guard_.condition &&
                          std::none_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                                       tokens.begin() + static_cast<std::ptrdiff_t>(end), leaves);
    std::map<Slot, Value> before;
    for (std::size_t i = begin; followed && i < end; ++i) {
        const bool changes =
            tokens[i].is_word() && ((i + 1 < end && is_change(tokens[i + 1])) || is_step_mark(tokens[i - 1]));
        if (!changes || (i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("->")))) continue;
        const Slot slot = look_up(std::string(tokens[i].text), {}).slot;
        if (slot && slot != counter && slot->kind == Kind::integer) before.emplace(slot, *slot);
    }
    forget_changes(tokens, begin, end);
    if (!followed || !counter->formula) return sums;
    const Loop loop = counter->formula->loop;
    const FormulaPointer done = binary_formula("-", counter->formula, integer_formula(loop.first));
    for (const auto& [slot, by] :
         growth(tokens, begin, end, loop, counters_.empty() ? &sums.arrays : nullptr)) {
        const auto old = before.find(slot);
        if (old == before.end()) continue;
        const NumberType type = number_type_of(old->second.type);
        const FormulaPointer term = converted(by_iteration(by, loop), type), first = formula_of(old->second);
        const FormulaPointer all = sum_formula(integer_formula(loop.count), term, sum_budget_);
        const FormulaPointer sum = sum_formula(done, term, sum_budget_);
        slot->formula = converted(binary_formula("+", first, sum), type);
        if (slot->formula) sums.variables[slot] = converted(binary_formula("+", first, all), type);
    }
    return sums;
}

/// What an array holds after the loop, from before it on.
void Walk::put_array_sums(const RunningSums& sums) {
    for (const ArraySum& sum : sums.arrays) {
        sum.storage->contents = sum.before;
        fill(*sum.storage, sum.fill);
    }
}

/// After the loop.
void Walk::put_sums(const RunningSums& sums) {
    put_array_sums(sums);
    for (const auto& [slot, after] : sums.variables) {
        slot->formula = after;
        slot->varies = true;
        slot->roots = {};
        if (!after || after->kind != Formula::Kind::number) continue;
        slot->kind = Kind::integer;
        slot->integer = static_cast<std::int64_t>(after->number);
        slot->varies = false;
        slot->formula = nullptr;
    }
}

/// std::partial_sum, std::inclusive_scan and std::exclusive_scan, also those of thrust, with +.
std::optional<Value> Walk::call_of_scan(const Call& call) {
    const bool exclusive = call.name == "exclusive_scan";
    if (!exclusive && call.name != "partial_sum" && call.name != "inclusive_scan") return std::nullopt;
    const std::vector<Value>& given = call.arguments;
    if (given.size() < 3 || given.size() > (exclusive ? 4U : 3U)) return std::nullopt;
    const Value &from = given[0], &last = given[1], &to = given[2];
    const bool plain = from.storage && from.storage == last.storage && to.storage && from.index &&
                       last.index && to.index && !from.element && !to.element &&
                       from.index->kind == Formula::Kind::number && last.index->kind == Formula::Kind::number;
    if (!plain || from.index_bytes != 0 || to.index_bytes != 0) return std::nullopt;
    const auto count = static_cast<std::int64_t>(last.index->number - from.index->number);
    if (count <= 0) return std::nullopt;
    const std::string type = from.storage->element;
    const FormulaPointer at = loop_formula({++loop_ids_, 0, 1, count}, NumberType::i64);
    const FormulaPointer term =
        element_of(*from.storage, type, binary_formula("+", index_formula(count), from.index));
    const FormulaPointer terms = exclusive ? at : binary_formula("+", at, integer_formula(1));
    const FormulaPointer first = given.size() == 4 ? formula_of(loaded(given[3])) : integer_formula(0);
    Value value;
    value.varies = true;
    value.formula =
        binary_formula("+", converted(first, number_type_of(type)), sum_formula(terms, term, sum_budget_));
    if (!value.formula) return std::nullopt;
    Value element = to;
    element.element = true;
    element.type = to.storage->element;
    element.index = binary_formula("+", to.index, at);
    fill_element(element, value, call.origin);
    return Value();
}

}  // namespace warplens::instrumentation::host_code
