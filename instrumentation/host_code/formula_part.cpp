// Formulas of a part of memory: of branches on the index, only the side that is taken there is left.
#include <algorithm>
#include <cmath>
#include <utility>

#include "instrumentation/host_code/formula.h"

namespace warplens::instrumentation::host_code {

namespace {

using PartKind = Formula::Kind;

struct Interval {
    double least, most;
};

Interval interval_of(const Formula& formula, const Interval& part) {
    if (formula.kind == PartKind::index) return part;
    const bool sum = formula.kind == PartKind::binary && !is_real(formula.type) &&
                     (formula.word == "+" || formula.word == "-");
    if (!sum) return {formula.least, formula.most};
    const Interval a = interval_of(*formula.operands[0], part), b = interval_of(*formula.operands[1], part);
    return formula.word == "+" ? Interval{a.least + b.least, a.most + b.most}
                               : Interval{a.least - b.most, a.most - b.least};
}

/// Nothing where the condition holds for some elements of the part only, or may do so.
std::optional<bool> decided(const Formula& condition, const Interval& part) {
    if (condition.kind != PartKind::binary) return std::nullopt;
    const std::string& word = condition.word;
    if (word == "and" || word == "or") {
        const auto a = decided(*condition.operands[0], part), b = decided(*condition.operands[1], part);
        const bool decides = word == "or";  // one operand that is so decides
        if (a == decides || b == decides) return decides;
        return a && b ? std::optional(!decides) : std::nullopt;
    }
    if (!is_comparison(word)) return std::nullopt;
    const Interval a = interval_of(*condition.operands[0], part),
                   b = interval_of(*condition.operands[1], part);
    const auto less = [](const Interval& x, const Interval& y) -> std::optional<bool> {
        if (x.most < y.least) return true;
        return x.least >= y.most ? std::optional(false) : std::nullopt;
    };
    const auto opposite = [](std::optional<bool> of) { return of ? std::optional(!*of) : of; };
    if (word == "<") return less(a, b);
    if (word == ">") return less(b, a);
    if (word == "<=") return opposite(less(b, a));
    if (word == ">=") return opposite(less(a, b));
    const bool apart = a.most < b.least || b.most < a.least;
    const bool same = a.least == a.most && b.least == b.most && a.least == b.least;
    if (!apart && !same) return std::nullopt;
    return (word == "==") == same;
}

/// index + c as c; nothing else.
std::optional<double> distance_from_index(const Formula& formula) {
    if (formula.kind == PartKind::index) return 0;
    const bool sum = formula.kind == PartKind::binary && (formula.word == "+" || formula.word == "-") &&
                     formula.operands[1]->kind == PartKind::number;
    const auto first = sum ? distance_from_index(*formula.operands[0]) : std::nullopt;
    if (!first) return std::nullopt;
    const double second = formula.operands[1]->number;
    return *first + (formula.word == "+" ? second : -second);
}

/// The elements of the part for which the condition holds, or fails; perhaps others between them.
Interval narrowed(const Formula& condition, bool holds, Interval part) {
    const std::string& word = condition.word;
    if (condition.kind != PartKind::binary) return part;
    if (word == (holds ? "and" : "or"))
        return narrowed(*condition.operands[1], holds, narrowed(*condition.operands[0], holds, part));
    const auto distance = is_comparison(word) ? distance_from_index(*condition.operands[0]) : std::nullopt;
    if (!distance || condition.operands[1]->kind != PartKind::number) return part;
    const double bound = condition.operands[1]->number - *distance;  // of the index
    const bool at_least = (word == ">=" && holds) || (word == "<" && !holds),
               more = (word == ">" && holds) || (word == "<=" && !holds),
               at_most = (word == "<=" && holds) || (word == ">" && !holds),
               less = (word == "<" && holds) || (word == ">=" && !holds),
               equal = word == (holds ? "==" : "!=");
    if (at_least || equal) part.least = std::max(part.least, std::ceil(bound));
    if (more) part.least = std::max(part.least, std::floor(bound) + 1);
    if (at_most || equal) part.most = std::min(part.most, std::floor(bound));
    if (less) part.most = std::min(part.most, std::ceil(bound) - 1);
    return part;
}

FormulaPointer taken_in(const FormulaPointer& formula, const Interval& part) {
    if (formula->operands.empty()) return formula;
    if (formula->word == "and" || formula->word == "or")
        for (const int i : {0, 1})  // an operand that is decided, but does not decide
            if (decided(*formula->operands[i], part)) return taken_in(formula->operands[1 - i], part);
    Formula copy = *formula;
    copy.has_random = false;  // unless an operand is random
    if (formula->kind == PartKind::select) {
        const Formula& condition = *formula->operands[0];
        if (const auto side = decided(condition, part))
            return taken_in(formula->operands[*side ? 1 : 2], part);
        copy.operands = {taken_in(formula->operands[0], part),
                         taken_in(formula->operands[1], narrowed(condition, true, part)),
                         taken_in(formula->operands[2], narrowed(condition, false, part))};
        return made(std::move(copy));
    }
    // The index in the term of a sum is the term's own.
    const std::size_t count = formula->kind == PartKind::sum ? 1 : copy.operands.size();
    for (std::size_t i = 0; i < count; ++i) copy.operands[i] = taken_in(copy.operands[i], part);
    return copy.operands == formula->operands ? formula : made(std::move(copy));
}

}  // namespace

FormulaPointer in_part(const FormulaPointer& formula, std::int64_t begin, std::int64_t end) {
    if (!formula || end <= begin) return formula;
    return taken_in(formula, {static_cast<double>(begin), static_cast<double>(end - 1)});
}

}  // namespace warplens::instrumentation::host_code
