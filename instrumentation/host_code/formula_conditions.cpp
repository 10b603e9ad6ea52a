// Conditions: comparisons, and what `and` and `or` make of them. Lua has them apart from numbers, and takes 0
// for true.
#include <algorithm>
#include <array>
#include <utility>

#include "instrumentation/host_code/formula.h"

namespace warplens::instrumentation::host_code {

namespace {

using FormulaKind = Formula::Kind;

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> opposites{
    {{"==", "!="}, {"!=", "=="}, {"<", ">="}, {">", "<="}, {"<=", ">"}, {">=", "<"}}};

bool is_condition(const Formula& formula) {
    return formula.kind == FormulaKind::binary &&
           (is_comparison(formula.word) || formula.word == "and" || formula.word == "or");
}

FormulaPointer joined(std::string_view word, FormulaPointer a, FormulaPointer b) {
    a = condition_of(std::move(a)), b = condition_of(std::move(b));
    if (!a || !b || share_random(*a, *b)) return nullptr;
    Formula formula;
    formula.kind = FormulaKind::binary;
    formula.word = word;
    formula.most = 1;
    formula.operands = {std::move(a), std::move(b)};
    return made(std::move(formula));
}

/// The parts of a conjunction.
void add_parts(const FormulaPointer& condition, std::vector<FormulaPointer>& parts) {
    if (condition->kind != FormulaKind::binary || condition->word != "and") return parts.push_back(condition);
    for (const FormulaPointer& operand : condition->operands) add_parts(operand, parts);
}

std::string text_of_condition(const FormulaPointer& condition) { return text_of(condition, NumberType::f64); }

/// The part of a conjunction that is random, and the others together, null where there are none; nothing
/// where several are random.
std::optional<std::pair<FormulaPointer, FormulaPointer>> random_part(const FormulaPointer& condition) {
    std::vector<FormulaPointer> parts;
    add_parts(condition, parts);
    FormulaPointer random, others;
    for (FormulaPointer& part : parts) {
        if (part->has_random && random) return std::nullopt;
        if (part->has_random) random = std::move(part);
        else if (others = both_conditions(std::move(others), std::move(part)); !others) return std::nullopt;
    }
    return std::pair(std::move(random), std::move(others));
}

}  // namespace

bool is_comparison(std::string_view word) {
    return std::ranges::any_of(opposites, [&](const auto& entry) { return entry.first == word; });
}

FormulaPointer condition_of(FormulaPointer a) {
    return !a || is_condition(*a) ? a
                                  : binary_formula("!=", std::move(a), number_formula(0, NumberType::i32));
}

FormulaPointer as_number(FormulaPointer a) {
    if (!is_condition(*a)) return a;
    return select_formula(std::move(a), number_formula(1, NumberType::i32),
                          number_formula(0, NumberType::i32));
}

FormulaPointer select_formula(FormulaPointer condition, FormulaPointer yes, FormulaPointer no) {
    condition = condition_of(std::move(condition));
    if (!condition || !yes || !no) return nullptr;
    yes = as_number(std::move(yes)), no = as_number(std::move(no));
    if (!yes || !no || share_random(*condition, *yes) || share_random(*condition, *no)) return nullptr;
    Formula formula;
    formula.kind = FormulaKind::select;
    formula.type = std::max(yes->type, no->type);
    formula.least = std::min(yes->least, no->least);
    formula.most = std::max(yes->most, no->most);
    formula.operands = {std::move(condition), std::move(yes), std::move(no)};
    return made(std::move(formula));
}

FormulaPointer replaced_where(FormulaPointer condition, FormulaPointer value, FormulaPointer before) {
    condition = condition_of(std::move(condition));
    if (!condition || !value || !before) return nullptr;
    if (before->kind != FormulaKind::select || !share_random(*condition, *before->operands[0]))
        return select_formula(std::move(condition), std::move(value), std::move(before));
    const auto now = random_part(condition), then = random_part(before->operands[0]);
    if (!now || !then || !now->first || !then->first) return nullptr;
    const FormulaPointer opposite = negated_condition(now->first);
    if (!opposite || text_of_condition(opposite) != text_of_condition(then->first) ||
        text_of_condition(now->second) != text_of_condition(then->second))
        return nullptr;
    FormulaPointer chosen = select_formula(then->first, before->operands[1], std::move(value));
    return now->second ? select_formula(now->second, std::move(chosen), before->operands[2]) : chosen;
}

FormulaPointer negated_condition(const FormulaPointer& of) {
    const FormulaPointer condition = condition_of(of);
    if (!condition) return nullptr;
    if (!is_comparison(condition->word))  // De Morgan
        return joined(condition->word == "and" ? "or" : "and", negated_condition(condition->operands[0]),
                      negated_condition(condition->operands[1]));
    Formula formula = *condition;
    for (const auto& [word, other] : opposites)
        if (condition->word == word) formula.word = other;
    return made(std::move(formula));
}

FormulaPointer both_conditions(FormulaPointer a, FormulaPointer b) {
    if (!a || !b) return condition_of(a ? std::move(a) : std::move(b));
    return joined("and", std::move(a), std::move(b));
}

FormulaPointer either_condition(FormulaPointer a, FormulaPointer b) {
    return joined("or", std::move(a), std::move(b));
}

}  // namespace warplens::instrumentation::host_code
