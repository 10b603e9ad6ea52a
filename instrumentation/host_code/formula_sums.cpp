// Formulas of running sums: exact, since their terms are added up when they are made.
#include <algorithm>
#include <cmath>

#include "instrumentation/host_code/formula.h"

namespace warplens::instrumentation::host_code {

namespace {

bool has_sum(const Formula& formula) {
    return formula.kind == Formula::Kind::sum ||
           std::ranges::any_of(formula.operands,
                               [](const FormulaPointer& operand) { return has_sum(*operand); });
}

}  // namespace

FormulaPointer sum_formula(const FormulaPointer& count, const FormulaPointer& term, std::size_t& budget) {
    if (!count || !term || count->least < 0 || is_real(count->type) || is_real(term->type)) return nullptr;
    if (term->kind == Formula::Kind::number) return binary_formula("*", converted(count, term->type), term);
    std::map<int, Loop> loops;
    add_loops(term, loops);
    if (!loops.empty() || term->has_random || count->has_random || has_sum(*term)) return nullptr;
    // Of a term that is not worth its text, or would end it.
    constexpr double most_terms = 1 << 24;
    if (count->most > most_terms || text_of(term, NumberType::i64).find("]]") != std::string::npos)
        return nullptr;
    const auto terms = static_cast<std::size_t>(count->most);
    if ((terms + 1) * term->size > budget) return nullptr;
    budget -= (terms + 1) * term->size;
    const double bound = term->type == NumberType::i32 ? 0x1p31 - 1 : 0x1p53;
    auto sums = std::make_shared<std::vector<double>>(1, 0.0);
    Formula formula;
    for (std::size_t i = 0; i < terms; ++i) {
        const auto value = value_at(*term, static_cast<double>(i));
        if (!value || std::isnan(*value)) return nullptr;
        sums->push_back(sums->back() + *value);
        if (std::abs(sums->back()) > bound || (term->type == NumberType::u32 && sums->back() >= 0x1p32))
            return nullptr;
        formula.least = std::min(formula.least, sums->back());
        formula.most = std::max(formula.most, sums->back());
    }
    if (count->kind == Formula::Kind::number) return number_formula(sums->back(), term->type);
    formula.kind = Formula::Kind::sum;
    formula.type = term->type;
    formula.operands = {count, term};
    formula.sums = std::move(sums);
    return made(std::move(formula));
}

}  // namespace warplens::instrumentation::host_code
