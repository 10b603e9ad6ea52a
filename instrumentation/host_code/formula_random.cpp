// One random number that a formula uses more than once: (1 - t) * low + t * high.
#include <algorithm>
#include <optional>
#include <set>

#include "instrumentation/host_code/formula.h"

namespace warplens::instrumentation::host_code {

namespace {

using FormulaKind = Formula::Kind;

void add_random(const Formula& formula, std::set<const Formula*>& numbers) {
    if (formula.kind == FormulaKind::random) numbers.insert(&formula);
    for (const FormulaPointer& operand : formula.operands)
        if (operand->has_random) add_random(*operand, numbers);
}

/// first + slope * random; of a constant the random number is null.
struct Straight {
    FormulaPointer random;
    double first = 0, slope = 0;
};

std::optional<Straight> combined(std::string_view word, const Straight& a, const Straight& b) {
    if (a.random && b.random && a.random != b.random) return std::nullopt;
    const FormulaPointer random = a.random ? a.random : b.random;
    if (word == "+") return Straight{random, a.first + b.first, a.slope + b.slope};
    if (word == "-") return Straight{random, a.first - b.first, a.slope - b.slope};
    if (word == "*" && (!a.random || !b.random))
        return Straight{random, a.first * b.first, a.first * b.slope + a.slope * b.first};
    if (word == "/" && !b.random && b.first != 0)
        return Straight{random, a.first / b.first, a.slope / b.first};
    return std::nullopt;
}

std::optional<Straight> straight_of(const FormulaPointer& formula) {
    if (formula->kind == FormulaKind::number) return Straight{nullptr, formula->number, 0};
    if (formula->kind == FormulaKind::random) return Straight{formula, 0, 1};
    if (!is_real(formula->type)) return std::nullopt;
    if (formula->kind == FormulaKind::unary && formula->word == "as")
        return straight_of(formula->operands[0]);
    if (formula->kind != FormulaKind::binary) return std::nullopt;
    const auto a = straight_of(formula->operands[0]), b = straight_of(formula->operands[1]);
    return a && b ? combined(formula->word, *a, *b) : std::nullopt;
}

}  // namespace

bool share_random(const Formula& a, const Formula& b) {
    if (!a.has_random || !b.has_random) return false;
    std::set<const Formula*> of_a, of_b;
    add_random(a, of_a);
    add_random(b, of_b);
    return std::ranges::any_of(of_a, [&](const Formula* number) { return of_b.contains(number); });
}

FormulaPointer of_one_random(std::string_view word, const FormulaPointer& a, const FormulaPointer& b) {
    const NumberType type = std::max(a->type, b->type);
    const auto left = straight_of(a), right = straight_of(b);
    const auto line = left && right && is_real(type) ? combined(word, *left, *right) : std::nullopt;
    if (!line || !line->random) return nullptr;
    return binary_formula(
        "+", binary_formula("*", converted(line->random, type), number_formula(line->slope, type)),
        number_formula(line->first, type));
}

FormulaPointer drawn_again(const FormulaPointer& formula) {
    if (!formula || !formula->has_random) return formula;
    Formula copy = *formula;
    for (FormulaPointer& operand : copy.operands) operand = drawn_again(operand);
    return std::make_shared<const Formula>(std::move(copy));
}

}  // namespace warplens::instrumentation::host_code
