#include "instrumentation/host_code/arithmetic.h"

#include <cmath>
#include <cstdlib>

namespace warplens::instrumentation::host_code {

namespace {

using Kind = Value::Kind;

struct Operator {
    std::string_view text;
    int precedence;
};
constexpr Operator operators[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                                  {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                                  {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};

std::optional<std::int64_t> integer_result(std::string_view text, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (text == "+") return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    if (text == "-") return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    if (text == "*") return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    if (text == "/" || text == "%") {
        if (b == 0 || b == -1) return std::nullopt;
        return text == "/" ? a / b : a % b;
    }
    if (text == "<<") {
        if (b < 0 || b > 62 || a < 0 || a > (INT64_MAX >> b)) return std::nullopt;
        return a << b;
    }
    if (text == ">>") return b < 0 || b > 63 ? std::nullopt : std::optional(a >> b);
    if (text == "&") return a & b;
    if (text == "|") return a | b;
    if (text == "^") return a ^ b;
    return std::nullopt;
}

std::optional<double> real_result(std::string_view text, double a, double b) {
    if (text == "+") return a + b;
    if (text == "-") return a - b;
    if (text == "*") return a * b;
    if (text == "/" && b != 0) return a / b;
    return std::nullopt;
}

std::optional<bool> comparison(std::string_view text, double a, double b) {
    if (text == "==") return a == b;
    if (text == "!=") return a != b;
    if (text == "<") return a < b;
    if (text == ">") return a > b;
    if (text == "<=") return a <= b;
    if (text == ">=") return a >= b;
    return std::nullopt;
}

/// Whether it is not 0, in every iteration and every run.
std::optional<bool> truth(const Value& value) {
    if (value.varies || value.random) return std::nullopt;
    if (value.is_number()) return value.number() != 0;
    if (value.kind == Kind::memory || value.kind == Kind::address) return true;
    return std::nullopt;
}

Value logical(std::string_view text, const Value& a, const Value& b) {
    const std::optional<bool> left = truth(a), right = truth(b);
    const bool decides = text == "||";
    if ((left && *left == decides) || (right && *right == decides)) return Value::of(decides ? 1 : 0);
    if (left && right) return Value::of(decides ? 0 : 1);
    Value result;
    if (a.is_number() && b.is_number()) {  // in the first iteration
        const bool both = a.number() != 0 && b.number() != 0, one = a.number() != 0 || b.number() != 0;
        result = Value::of(decides ? one : both);
    }
    result.varies = a.varies || b.varies;
    result.random = a.random || b.random;
    const auto condition = [](const Value& value) { return condition_of(formula_of(value)); };
    if (left || right) result.formula = condition(left ? b : a);
    else
        result.formula = decides                          ? either_condition(condition(a), condition(b))
                         : formula_of(a) && formula_of(b) ? both_conditions(condition(a), condition(b))
                                                          : nullptr;
    return result;
}

}  // namespace

FormulaPointer formula_of(const Value& value) {
    if (value.element) return formula_of(loaded(value));
    if (value.formula) return value.formula;
    if (!value.is_number() || value.varies || value.random) return nullptr;
    const bool untyped = value.type.empty() || is_real_word(value.type) != (value.kind == Kind::real);
    const bool large =
        value.kind == Kind::integer && (value.integer > INT32_MAX || value.integer < INT32_MIN);
    const NumberType type = large     ? NumberType::i64
                            : untyped ? (value.kind == Kind::real ? NumberType::f64 : NumberType::i32)
                                      : number_type_of(value.type);
    return number_formula(value.number(), type);
}

Value loaded(const Value& value) {
    if (!value.element || !value.storage) return value;
    Value held;
    held.type = value.type;
    held.origin = value.origin;
    held.formula = element_of(*value.storage, value.type, value.index);
    held.varies = true;
    if (!held.formula) return held;
    held.random = held.formula->has_random;
    const bool constant =
        value.index->kind == Formula::Kind::number || held.formula->kind == Formula::Kind::number;
    const auto number = value_at(*held.formula, 0, LoopVariables::first);  // the index is in the formula
    if (!number || std::abs(*number) > 0x1p53) return held;
    held.kind = is_real_word(value.type) ? Kind::real : Kind::integer;
    held.real = *number;
    held.integer = static_cast<std::int64_t>(*number);
    if (!constant) return held;  // the number is that of the first iteration
    held.varies = false;
    held.formula = nullptr;
    return held;
}

/// Of what `text` combines.
Roots roots_of_both(std::string_view text, const Value& a, const Value& b) {
    const bool shifts = text == ">>" && b.kind == Kind::integer && b.integer >= 0 && b.integer < 32;
    if (text != "/" && text != ">>") return merged(a.roots, b.roots);
    const std::int64_t divisor = shifts ? std::int64_t{1} << b.integer
                                 : text == "/" && b.is_number() && b.number() >= 1 && b.number() < 0x1p31
                                     ? static_cast<std::int64_t>(b.number())
                                     : 1;
    return merged(divided(a.roots, divisor), dividing(b.roots));
}

Value combine(std::string_view text, const Value& left, const Value& right) {
    const Value a = loaded(left), b = loaded(right);
    if (text == "&&" || text == "||") return logical(text, a, b);
    Value result;
    const bool memory_left = a.kind == Kind::memory, memory_right = b.kind == Kind::memory;
    if (memory_left && b.kind == Kind::integer && (text == "+" || text == "-")) {
        result = a;
        result.slot = nullptr;
        constexpr std::int64_t most = std::int64_t{1} << 40;
        const bool fits = std::abs(a.offset) < most && b.integer > -most && b.integer < most;
        if (fits) result.offset += text == "+" ? b.integer : -b.integer;
        result.index = binary_formula(text, a.index, formula_of(b));
        return result;
    }
    if (memory_right && a.kind == Kind::integer && text == "+") return combine(text, b, a);
    if ((memory_left || memory_right) && (text == "==" || text == "!=")) {  // with NULL
        const Value& other = memory_left ? b : a;
        if (other.kind == Kind::integer) return Value::of(text == "!=" ? 1 : 0);
        return {};
    }
    if (a.is_number() && b.is_number()) {
        if (const auto holds = comparison(text, a.number(), b.number())) {
            result = Value::of(*holds ? 1 : 0);
        } else if (a.kind == Kind::integer && b.kind == Kind::integer) {
            if (const auto number = integer_result(text, a.integer, b.integer)) result = Value::of(*number);
        } else if (const auto number = real_result(text, a.number(), b.number())) {
            result = Value::of_real(*number);
        }
        result.type = a.kind == b.kind ? a.type : a.kind == Kind::real ? a.type : b.type;
    }
    result.varies = a.varies || b.varies;
    result.random = a.random || b.random;
    if (result.varies || result.random) result.formula = binary_formula(text, formula_of(a), formula_of(b));
    result.roots = roots_of_both(text, a, b);
    result.origin = a.origin.line >= b.origin.line ? a.origin : b.origin;
    return result;
}

namespace {

/// The place in memory counts elements of the type that is pointed to: it is another number for another type.
void count_in(Value& memory, const std::string& pointer) {
    const std::string counted =
        memory.type.ends_with('*') ? pointed_to(memory.type) : memory.storage->element;
    const auto from = size_of_type(counted), to = size_of_type(pointed_to(pointer));
    if (!from || !to || *from <= 0 || *to <= 0 || *from == *to) return;
    const auto factor = [](std::int64_t n) {
        return number_formula(static_cast<double>(n), NumberType::i64);
    };
    const FormulaPointer place = memory.index;
    const bool exact = place && place->kind == Formula::Kind::number &&
                       static_cast<std::int64_t>(place->number) * *from % *to == 0;
    if (exact) memory.index = factor(static_cast<std::int64_t>(place->number) * *from / *to);
    else memory.index = *from % *to == 0 ? binary_formula("*", place, factor(*from / *to)) : nullptr;
    memory.offset = memory.offset * *from / *to;
}

}  // namespace

std::optional<std::int64_t> integer_of(double real) {
    if (std::isnan(real) || real < -0x1p63 || real >= 0x1p63) return std::nullopt;
    return static_cast<std::int64_t>(real);
}

Value cast_to(Value value, const std::string& plain) {
    if (value.kind == Kind::memory && value.storage && !value.element && plain.ends_with('*'))
        count_in(value, plain);
    if (value.element && !plain.ends_with('*')) value = loaded(value);
    const bool to_integer = value.kind == Kind::real && !is_real_word(plain);
    if (const auto integer = to_integer ? integer_of(value.real) : std::nullopt) {
        value.kind = Kind::integer;
        value.integer = *integer;
    } else if (value.kind == Kind::integer && is_real_word(plain)) {
        const auto integer = value.integer;
        value.kind = Kind::real;
        value.real = static_cast<double>(integer);
    }
    if (value.formula && size_of_type(plain)) value.formula = converted(value.formula, number_type_of(plain));
    const bool to_variable = value.kind == Kind::address || value.slot;
    if (!to_variable || value.is_number()) value.slot = nullptr;
    if (plain != "void*" && plain != "void**") value.type = plain;
    return value;
}

Value negation(const Value& of) {
    const Value value = loaded(of);
    if (const auto known = truth(value)) return Value::of(*known ? 0 : 1);
    Value result;
    if (value.is_number()) result = Value::of(value.number() == 0 ? 1 : 0);
    result.varies = value.varies;
    result.random = value.random;
    result.formula = negated_condition(formula_of(value));
    return result;
}

int precedence_of(const Token& token) {
    if (token.kind != TokenKind::mark) return 0;
    for (const Operator& known : operators)
        if (known.text == token.text) return known.precedence;
    return 0;
}

Value number_of(const Token& token) {
    std::string text(token.text);
    std::erase(text, '\'');
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    const bool is_real = !hex && text.find_first_of(".eE") != std::string::npos;
    const bool is_float = !hex && text.find_first_of("fF") != std::string::npos;
    Value value;
    if (is_real || is_float) {
        value = Value::of_real(std::strtod(text.c_str(), nullptr));
        value.type = is_float ? "float" : "double";
        value.roots = {Root{token.text.data()}};
        return value;
    }
    const bool binary = text.starts_with("0b");
    value = Value::of(static_cast<std::int64_t>(binary ? std::strtoull(text.c_str() + 2, nullptr, 2)
                                                       : std::strtoull(text.c_str(), nullptr, 0)));
    const bool is_unsigned = text.find_first_of("uU") != std::string::npos;
    const bool is_long = text.find_first_of("lL") != std::string::npos;
    value.type = is_long ? (is_unsigned ? "unsigned long" : "long") : is_unsigned ? "unsigned int" : "int";
    value.roots = {Root{token.text.data()}};
    return value;
}

Value literal_of(const Tokens& tokens, std::size_t& at, std::size_t end) {
    const Token& token = tokens[at++];
    if (token.kind == TokenKind::number) return number_of(token);
    Value value;
    if (token.kind == TokenKind::character && token.text.size() == 3) value = Value::of(token.text[1]);
    if (token.kind == TokenKind::text && token.text.size() > 2 && token.text.front() == '"')
        value.text = token.text.substr(1, token.text.size() - 2);
    for (; token.kind == TokenKind::text && at < end && tokens[at].kind == TokenKind::text; ++at)
        value.text = "\\";  // "AC" "GT": not followed
    return value;
}

}  // namespace warplens::instrumentation::host_code
