// x // n * n + x % n is x, as of the rows and columns of a matrix whose elements are filled in two loops.
#include "instrumentation/host_code/formula.h"

namespace warplens::instrumentation::host_code {

namespace {

const Formula& unconverted(const Formula& integer) {
    const bool conversion = integer.kind == Formula::Kind::unary && integer.word == "as";
    return conversion && !is_real(integer.operands[0]->type) ? unconverted(*integer.operands[0]) : integer;
}

bool is_of_integers(const Formula& formula, const char* word) {
    return formula.kind == Formula::Kind::binary && formula.word == word && !is_real(formula.type);
}

bool is_same(const FormulaPointer& x, const FormulaPointer& y) {
    return !x->has_random && text_of(x, NumberType::f64) == text_of(y, NumberType::f64);
}

}  // namespace

FormulaPointer put_together(const Formula& left, const Formula& right) {
    const Formula &product = unconverted(left), &rest = unconverted(right);
    if (!is_of_integers(product, "*") || !is_of_integers(rest, "%")) return nullptr;
    const Formula& quotient = unconverted(*product.operands[0]);
    const bool whole = is_of_integers(quotient, "/") && is_same(quotient.operands[0], rest.operands[0]) &&
                       is_same(quotient.operands[1], rest.operands[1]) &&
                       is_same(product.operands[1], rest.operands[1]);
    return whole ? rest.operands[0] : nullptr;
}

}  // namespace warplens::instrumentation::host_code
