#include "instrumentation/host_code/formula.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace warplens::instrumentation::host_code {

namespace {

using FormulaKind = Formula::Kind;
constexpr double most_exact = 0x1p53;
constexpr std::size_t largest = 512;  // nodes: of a structure of a dozen members, filled in two loops

struct Range {
    double least, most;
};

Range limits_of(NumberType type) {
    if (type == NumberType::i32) return {-0x1p31, 0x1p31 - 1};
    if (type == NumberType::u32) return {0, 0x1p32 - 1};
    if (type == NumberType::i64) return {-most_exact, most_exact};
    return {-HUGE_VAL, HUGE_VAL};
}

bool is_number(const FormulaPointer& a, double number) {
    return a->kind == FormulaKind::number && a->number == number;
}

double compared(std::string_view word, double a, double b) {
    return word == "=="   ? a == b
           : word == "!=" ? a != b
           : word == "<"  ? a < b
           : word == ">"  ? a > b
           : word == "<=" ? a <= b
                          : a >= b;
}

Range corners(const Range& a, const Range& b, double (*result)(double, double)) {
    const std::array<double, 4> all{result(a.least, b.least), result(a.least, b.most),
                                    result(a.most, b.least), result(a.most, b.most)};
    return {*std::ranges::min_element(all), *std::ranges::max_element(all)};
}

/// Of integers the mask is one below a power of two: 1023.
bool is_mask(double number) {
    const double next = number + 1;
    int exponent = 0;
    return number > 0 && std::frexp(next, &exponent) == 0.5;
}

/// The range of `a word b`; nothing: C's result is not defined, or not known here.
std::optional<Range> range_of(std::string_view word, const Formula& a, const Formula& b, bool real) {
    const Range x{a.least, a.most}, y{b.least, b.most};
    if (word == "+") return Range{x.least + y.least, x.most + y.most};
    if (word == "-") return Range{x.least - y.most, x.most - y.least};
    if (word == "*") return corners(x, y, [](double p, double q) { return p * q; });
    if (word == "/") {
        if (y.least <= 0 && y.most >= 0) return std::nullopt;
        if (!real && (x.least < 0 || y.least < 0)) return std::nullopt;
        return corners(x, y, [](double p, double q) { return p / q; });
    }
    if (real) return std::nullopt;
    if (word == "%") {
        if (x.least < 0 || y.least <= 0) return std::nullopt;
        return Range{0, std::min(x.most, y.most - 1)};
    }
    if (x.least < 0 || y.least < 0) return std::nullopt;
    if (word == "&") return Range{0, std::min(x.most, y.most)};
    if (word == "|" || word == "^")
        return Range{0, std::exp2(std::ceil(std::log2(std::max(x.most, y.most) + 1))) - 1};
    if (y.most > 31) return std::nullopt;
    if (word == "<<") return Range{x.least, x.most * std::exp2(y.most)};
    if (word == ">>") return Range{0, x.most};
    return std::nullopt;
}

double computed(std::string_view word, double a, double b, bool real) {
    if (word == "+") return a + b;
    if (word == "-") return a - b;
    if (word == "*") return a * b;
    if (word == "/") return real ? a / b : std::floor(a / b);
    if (is_comparison(word)) return compared(word, a, b);
    if (word == "pow") return std::pow(a, b);
    if (word == "and") return a != 0 && b != 0;
    if (word == "or") return a != 0 || b != 0;
    if (std::abs(a) > most_exact || std::abs(b) > most_exact || b < 0) return NAN;
    const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
    if (word == "%") return y == 0 ? NAN : static_cast<double>(x % y);
    if (word == "&") return static_cast<double>(x & y);
    if (word == "|") return static_cast<double>(x | y);
    if (word == "^") return static_cast<double>(x ^ y);
    if (y > 31) return NAN;
    return word == "<<" ? a * std::exp2(b) : std::floor(a / std::exp2(b));
}

/// rand() % 10, rand() & 7 and rand() / (float)RAND_MAX as what they mean.
FormulaPointer of_random(std::string_view word, const Formula& left, const Formula& b, NumberType type) {
    const bool conversion = left.kind == FormulaKind::unary && left.word == "as";
    const Formula& a = conversion ? *left.operands[0] : left;
    if (a.kind != FormulaKind::random || a.word.empty() || b.kind != FormulaKind::number) return nullptr;
    const double below = a.most + 1;
    if (word == "%" && b.number > 0 && b.number <= below && !is_real(type))
        return random_below(static_cast<std::int64_t>(b.number));
    if (word == "&" && is_mask(b.number) && is_mask(a.most) && b.number < below)
        return random_below(static_cast<std::int64_t>(b.number) + 1);
    const bool all = b.number >= a.most && b.number <= below;
    return word == "/" && is_real(type) && all && below >= 0x1p24 ? random_fraction(type) : nullptr;
}

}  // namespace

FormulaPointer made(Formula formula) {
    formula.size = 1;
    // Infinity is chosen, listed and compared; what is computed from it may be no number.
    const bool passes_on = formula.kind == FormulaKind::select || formula.kind == FormulaKind::list ||
                           is_comparison(formula.word);
    for (const FormulaPointer& operand : formula.operands) {
        if (!operand) return nullptr;
        if (!passes_on && std::isinf(operand->least) && operand->least == operand->most) return nullptr;
        if (formula.kind != FormulaKind::list) formula.size += operand->size;
        formula.has_random = formula.has_random || operand->has_random;
    }
    if (formula.size > largest || std::isnan(formula.least) || std::isnan(formula.most)) return nullptr;
    return std::make_shared<const Formula>(std::move(formula));
}

FormulaPointer number_formula(double number, NumberType type) {
    if (std::isnan(number) || (!is_real(type) && std::abs(number) > most_exact)) return nullptr;
    Formula formula;
    formula.type = type;
    formula.number = formula.least = formula.most =
        type == NumberType::f32 ? static_cast<double>(static_cast<float>(number)) : number;
    const bool too_large = std::isinf(formula.number) && std::isfinite(number);
    return too_large ? nullptr : made(std::move(formula));
}

FormulaPointer index_formula(std::int64_t count) {
    Formula formula;
    formula.kind = FormulaKind::index;
    formula.type = NumberType::i64;
    formula.most = std::max(0.0, static_cast<double>(count) - 1);
    return made(std::move(formula));
}

FormulaPointer loop_formula(const Loop& loop, NumberType type) {
    Formula formula;
    formula.kind = FormulaKind::loop;
    formula.type = type;
    formula.loop = loop;
    const double first = static_cast<double>(loop.first);
    const double last = first + static_cast<double>(loop.step) * static_cast<double>(loop.count - 1);
    formula.least = std::min(first, last);
    formula.most = std::max(first, last);
    return made(std::move(formula));
}

FormulaPointer random_below(std::int64_t below) {
    Formula formula;
    formula.kind = FormulaKind::random;
    formula.word = "below";
    formula.most = static_cast<double>(below - 1);
    formula.has_random = true;
    return below > 0 ? made(std::move(formula)) : nullptr;
}

FormulaPointer random_fraction(NumberType type) {
    Formula formula;
    formula.kind = FormulaKind::random;
    formula.type = type;
    formula.most = 1;
    formula.has_random = true;
    return made(std::move(formula));
}

FormulaPointer binary_formula(std::string_view word, FormulaPointer a, FormulaPointer b) {
    if (!a || !b) return nullptr;
    a = as_number(std::move(a)), b = as_number(std::move(b));
    if (!a || !b) return nullptr;
    if (share_random(*a, *b)) return of_one_random(word, a, b);
    Formula formula;
    formula.kind = FormulaKind::binary;
    formula.type = std::max(a->type, b->type);
    formula.word = word;
    const bool real = is_real(formula.type);
    if (is_comparison(word)) {
        formula.type = NumberType::i32;
        formula.most = 1;
    } else {
        if (auto random = of_random(word, *a, *b, formula.type)) return random;
        const auto range = range_of(word, *a, *b, real);
        if (!range) return nullptr;
        const Range limits = limits_of(formula.type);
        formula.least = range->least;
        formula.most = range->most;
        if (range->least < limits.least || range->most > limits.most) {
            // What wraps round in 32 unsigned bits is defined, and exact in Lua's 64.
            const bool wraps =
                formula.type == NumberType::u32 && std::abs(range->least) < 0x1p62 && range->most < 0x1p62;
            if (!wraps) return nullptr;
            formula.operands = {std::move(a), std::move(b)};
            auto wide = made(std::move(formula));
            if (!wide) return nullptr;
            Formula wrapped;
            wrapped.kind = FormulaKind::unary;
            wrapped.word = "wrap";
            wrapped.type = NumberType::u32;
            wrapped.most = limits.most;
            wrapped.operands = {std::move(wide)};
            return made(std::move(wrapped));
        }
        const bool keeps_type = a->type == formula.type || !real;
        if (keeps_type && ((word == "+" && is_number(b, 0)) || (word == "-" && is_number(b, 0)) ||
                           ((word == "*" || word == "/") && is_number(b, 1))))
            return converted(std::move(a), formula.type);
        if (word == "+" && is_number(a, 0) && (b->type == formula.type || !real))
            return converted(std::move(b), formula.type);
        if (word == "*" && is_number(a, 1) && (b->type == formula.type || !real))
            return converted(std::move(b), formula.type);
        if (a->kind == FormulaKind::number && b->kind == FormulaKind::number)
            return number_formula(computed(word, a->number, b->number, real), formula.type);
    }
    formula.operands = {std::move(a), std::move(b)};
    return made(std::move(formula));
}

FormulaPointer power_formula(std::string_view word, FormulaPointer a, FormulaPointer b) {
    if (!a || !b) return nullptr;
    const bool single = word == "powf" || (a->type == NumberType::f32 && b->type == NumberType::f32);
    const NumberType type = single ? NumberType::f32 : NumberType::f64;
    a = converted(as_number(std::move(a)), type), b = converted(as_number(std::move(b)), type);
    if (!a || !b || a->least < 0 || (a->least == 0 && b->least < 0)) return nullptr;
    Formula formula;
    formula.kind = FormulaKind::binary;
    formula.word = "pow";
    formula.type = type;
    const Range range =
        corners({a->least, a->most}, {b->least, b->most}, [](double x, double y) { return std::pow(x, y); });
    formula.least = range.least, formula.most = range.most;
    const bool goes_through_one = a->least < 1 && a->most > 1;
    if (goes_through_one)
        formula.least = std::min(formula.least, 1.0), formula.most = std::max(formula.most, 1.0);
    if (formula.most > limits_of(type).most) return nullptr;
    formula.operands = {std::move(a), std::move(b)};
    return made(std::move(formula));
}

FormulaPointer function_formula(std::string_view word, FormulaPointer a) {
    if (a) a = as_number(std::move(a));
    if (!a) return nullptr;
    const bool single = word.size() > 1 && word.ends_with('f') && word != "erf";
    if (single) word.remove_suffix(1);
    if (word == "fabs") word = "abs";
    static constexpr std::array<std::string_view, 9> words{"sin",  "cos", "tan",   "exp", "log",
                                                           "sqrt", "abs", "floor", "ceil"};
    if (std::ranges::find(words, word) == words.end()) return nullptr;
    Formula formula;
    formula.kind = FormulaKind::unary;
    formula.word = word;
    formula.type = single || a->type == NumberType::f32 ? NumberType::f32
                   : word == "abs"                      ? a->type
                                                        : NumberType::f64;
    formula.least = -HUGE_VAL, formula.most = HUGE_VAL;
    if (word == "sin" || word == "cos") formula.least = -1, formula.most = 1;
    if (word == "exp") formula.least = 0;
    if (word == "sqrt") {
        if (a->least < 0) return nullptr;
        formula.least = std::sqrt(a->least), formula.most = std::sqrt(a->most);
    }
    if (word == "log") {
        if (a->least <= 0) return nullptr;
        formula.least = std::log(a->least), formula.most = std::log(a->most);
    }
    if (word == "abs") formula.least = 0, formula.most = std::max(std::abs(a->least), std::abs(a->most));
    if (word == "floor" || word == "ceil")
        formula.least = std::floor(a->least), formula.most = std::ceil(a->most);
    formula.operands = {std::move(a)};
    return made(std::move(formula));
}

FormulaPointer converted(FormulaPointer a, NumberType type) {
    if (a) a = as_number(std::move(a));
    if (!a || a->type == type) return a;
    if (a->kind == FormulaKind::number && (is_real(type) || a->number == std::trunc(a->number)))
        return number_formula(a->number, type);
    const bool truncates = is_real(a->type) && !is_real(type);
    if (truncates && a->least < 0) return nullptr;
    const Range limits = limits_of(type);
    if (a->least < limits.least || a->most > limits.most) return nullptr;
    Formula formula;
    formula.kind = FormulaKind::unary;
    formula.word = truncates ? "floor" : "as";
    formula.type = type;
    formula.least = truncates ? std::floor(a->least) : a->least;
    formula.most = truncates ? std::floor(a->most) : a->most;
    formula.operands = {std::move(a)};
    return made(std::move(formula));
}

FormulaPointer bits_of(FormulaPointer a) {
    a = converted(std::move(a), NumberType::f32);
    if (!a) return nullptr;
    if (a->kind == FormulaKind::number)
        return number_formula(std::bit_cast<std::int32_t>(static_cast<float>(a->number)), NumberType::i32);
    Formula formula;
    formula.kind = FormulaKind::unary;
    formula.word = "bits_of";
    formula.least = -0x1p31, formula.most = 0x1p31 - 1;
    formula.operands = {std::move(a)};
    return made(std::move(formula));
}

FormulaPointer list_formula(std::vector<FormulaPointer> numbers, NumberType type) {
    Formula formula;
    formula.kind = FormulaKind::list;
    formula.type = type;
    formula.operands.push_back(index_formula());
    for (FormulaPointer& number : numbers) {
        number = converted(std::move(number), type);
        if (!number || number->kind != FormulaKind::number) return nullptr;
        formula.least = std::min(formula.least, number->number);
        formula.most = std::max(formula.most, number->number);
        formula.operands.push_back(std::move(number));
    }
    return made(std::move(formula));
}

std::optional<double> value_at(const Formula& formula, double index, LoopVariables loops, SplitMix64* draws) {
    if (formula.has_random && draws == nullptr) return std::nullopt;
    if (formula.kind == FormulaKind::random) {
        if (formula.word.empty()) return static_cast<double>(draws->next() >> 40) * 0x1p-24;
        return static_cast<double>(scaled_below(draws->next(), static_cast<std::uint64_t>(formula.most) + 1));
    }
    if (formula.kind == FormulaKind::loop)
        return loops == LoopVariables::first ? std::optional(static_cast<double>(formula.loop.first))
                                             : std::nullopt;
    if (formula.kind == FormulaKind::number) return formula.number;
    if (formula.kind == FormulaKind::index) return index;
    std::vector<double> values;
    if (formula.kind == FormulaKind::select) {
        const auto condition = value_at(*formula.operands[0], index, loops, draws);
        return condition ? value_at(*formula.operands[*condition != 0 ? 1 : 2], index, loops, draws)
                         : std::nullopt;
    }
    if (formula.kind == FormulaKind::list) {
        const auto at = value_at(*formula.operands[0], index, loops, draws);
        if (!at || *at < 0) return std::nullopt;
        const bool inside = *at + 1 < static_cast<double>(formula.operands.size());
        return inside ? formula.operands[static_cast<std::size_t>(*at) + 1]->number : 0;
    }
    if (formula.kind == FormulaKind::sum) {
        const auto at = value_at(*formula.operands[0], index, loops, draws);
        const bool inside = at && *at >= 0 && *at < static_cast<double>(formula.sums->size());
        return inside ? std::optional((*formula.sums)[static_cast<std::size_t>(*at)]) : std::nullopt;
    }
    for (const FormulaPointer& operand : formula.operands) {
        const auto value = value_at(*operand, index, loops, draws);
        if (!value) return std::nullopt;
        values.push_back(*value);
    }
    double result = 0;
    if (formula.kind == FormulaKind::binary) {
        const bool real = is_real(formula.type);
        result = computed(formula.word, values[0], values[1], real);
    } else {
        const std::string& word = formula.word;
        const double x = values[0];
        result = word == "sin"       ? std::sin(x)
                 : word == "cos"     ? std::cos(x)
                 : word == "tan"     ? std::tan(x)
                 : word == "exp"     ? std::exp(x)
                 : word == "log"     ? std::log(x)
                 : word == "sqrt"    ? std::sqrt(x)
                 : word == "abs"     ? std::abs(x)
                 : word == "floor"   ? std::floor(x)
                 : word == "ceil"    ? std::ceil(x)
                 : word == "bits_of" ? static_cast<double>(std::bit_cast<std::int32_t>(static_cast<float>(x)))
                 : word == "wrap"
                     ? static_cast<double>(static_cast<std::uint32_t>(static_cast<std::int64_t>(x)))
                     : x;
    }
    if (formula.type == NumberType::f32) result = static_cast<double>(static_cast<float>(result));
    return result;
}

}  // namespace warplens::instrumentation::host_code
