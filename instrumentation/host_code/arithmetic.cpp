#include "instrumentation/host_code/arithmetic.h"

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

Value logical(std::string_view text, const Value& a, const Value& b) {
    const auto truth = [](const Value& value) -> std::optional<bool> {
        if (value.is_number()) return value.number() != 0;
        if (value.kind == Kind::memory || value.kind == Kind::address) return true;
        return std::nullopt;
    };
    const std::optional<bool> left = truth(a), right = truth(b);
    const bool decides = text == "||";
    if ((left && *left == decides) || (right && *right == decides)) return Value::of(decides ? 1 : 0);
    if (left && right) return Value::of(decides ? 0 : 1);
    return {};
}

}  // namespace

Value combine(std::string_view text, const Value& a, const Value& b) {
    if (text == "&&" || text == "||") return logical(text, a, b);
    Value result;
    const bool memory_left = a.kind == Kind::memory, memory_right = b.kind == Kind::memory;
    if (memory_left && b.kind == Kind::integer && (text == "+" || text == "-")) {
        result = a;
        result.slot = nullptr;
        result.offset += text == "+" ? b.integer : -b.integer;
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
    const bool bounded = b.kind == Kind::integer && (text == "%" || text == "&") && b.integer > 0;
    if ((result.varies || result.random) && bounded) result.below = b.integer + (text == "&" ? 1 : 0);
    const auto shift = [&](const Value& bounded_value, std::int64_t by) {
        constexpr std::int64_t most = std::int64_t{1} << 31;  // sums of such cannot overflow
        if (std::abs(by) > most || std::abs(bounded_value.from) > most || *bounded_value.below > most) return;
        result.below = *bounded_value.below + by;
        result.from = bounded_value.from + by;
    };
    const auto is_constant = [](const Value& value) {
        return value.kind == Kind::integer && !value.random && !value.varies;
    };
    if (text == "+" && a.below && is_constant(b)) shift(a, b.integer);
    else if (text == "+" && b.below && is_constant(a)) shift(b, a.integer);
    else if (text == "-" && a.below && is_constant(b) && b.integer > -(std::int64_t{1} << 31))
        shift(a, -b.integer);
    result.origin = a.origin.line >= b.origin.line ? a.origin : b.origin;
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
        return value;
    }
    const bool binary = text.starts_with("0b");
    value = Value::of(static_cast<std::int64_t>(binary ? std::strtoull(text.c_str() + 2, nullptr, 2)
                                                       : std::strtoull(text.c_str(), nullptr, 0)));
    value.type = "int";
    return value;
}

}  // namespace warplens::instrumentation::host_code
