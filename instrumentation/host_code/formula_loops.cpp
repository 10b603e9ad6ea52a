// Formulas of loops: what depends on which, and other formulas in their place.
#include <algorithm>
#include <utility>

#include "instrumentation/host_code/formula.h"

namespace warplens::instrumentation::host_code {

FormulaPointer substituted(const FormulaPointer& formula, const FormulaPointer& index,
                           const std::map<int, FormulaPointer>& loops) {
    if (!formula) return nullptr;
    if (formula->kind == Formula::Kind::index) return index;
    if (formula->kind == Formula::Kind::loop) {
        const auto found = loops.find(formula->loop.id);
        if (found == loops.end()) return formula;
        // The range is that of the loop, whatever the index may be elsewhere.
        if (!found->second) return nullptr;
        Formula with_range = *found->second;
        with_range.least = std::max(with_range.least, formula->least);
        with_range.most = std::min(with_range.most, formula->most);
        with_range.type = formula->type;
        return made(std::move(with_range));
    }
    if (formula->operands.empty()) return formula;
    Formula copy = *formula;
    const bool sum = formula->kind == Formula::Kind::sum;  // the index in its term is the term's own
    for (std::size_t i = 0; i < (sum ? 1 : copy.operands.size()); ++i)
        copy.operands[i] = substituted(copy.operands[i], index, loops);
    const bool adds =
        copy.kind == Formula::Kind::binary && copy.word == "+" && copy.operands[0] && copy.operands[1];
    if (const FormulaPointer whole = adds ? put_together(*copy.operands[0], *copy.operands[1]) : nullptr) {
        Formula with_range = *whole;  // that of the sum, as of a loop's variable
        with_range.least = std::max(with_range.least, copy.least);
        with_range.most = std::min(with_range.most, copy.most);
        with_range.type = copy.type;
        return made(std::move(with_range));
    }
    return made(std::move(copy));
}

namespace {

constexpr std::int64_t most_factor = std::int64_t{1} << 40;

bool is_small(const Affine& affine) {
    return std::abs(affine.constant) <= most_factor &&
           std::ranges::all_of(affine.terms,
                               [](const auto& term) { return std::abs(term.second.second) <= most_factor; });
}

/// Nothing where a product is too large for what it is used for.
bool scale(Affine& affine, std::int64_t by) {
    bool fits = !__builtin_mul_overflow(affine.constant, by, &affine.constant);
    for (auto& [id, term] : affine.terms)
        fits = !__builtin_mul_overflow(term.second, by, &term.second) && fits;
    return fits && is_small(affine);
}

}  // namespace

std::optional<Affine> affine_of(const FormulaPointer& formula) {
    if (!formula || is_real(formula->type)) return std::nullopt;
    Affine affine;
    if (formula->kind == Formula::Kind::number) {
        affine.constant = static_cast<std::int64_t>(formula->number);
        return is_small(affine) ? std::optional(affine) : std::nullopt;
    }
    if (formula->kind == Formula::Kind::loop) {
        affine.terms[formula->loop.id] = {formula->loop, 1};
        return affine;
    }
    if (formula->kind == Formula::Kind::unary && formula->word == "as")
        return affine_of(formula->operands[0]);
    if (formula->kind != Formula::Kind::binary ||
        (formula->word != "+" && formula->word != "-" && formula->word != "*"))
        return std::nullopt;
    auto a = affine_of(formula->operands[0]), b = affine_of(formula->operands[1]);
    if (!a || !b) return std::nullopt;
    if (formula->word == "*") {
        if (!b->terms.empty()) std::swap(a, b);
        if (!b->terms.empty()) return std::nullopt;
        if (!scale(*a, b->constant)) return std::nullopt;
        return a;
    }
    const std::int64_t sign = formula->word == "+" ? 1 : -1;
    a->constant += sign * b->constant;
    for (const auto& [id, term] : b->terms) {
        auto& mine = a->terms[id];
        mine = {term.first, mine.second + sign * term.second};
    }
    std::erase_if(a->terms, [](const auto& term) { return term.second.second == 0; });
    return is_small(*a) ? a : std::nullopt;
}

void add_loops(const FormulaPointer& formula, std::map<int, Loop>& loops) {
    if (!formula) return;
    if (formula->kind == Formula::Kind::loop) loops[formula->loop.id] = formula->loop;
    for (const FormulaPointer& operand : formula->operands) add_loops(operand, loops);
}

}  // namespace warplens::instrumentation::host_code
