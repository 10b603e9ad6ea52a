// Constant expressions: literals, unary and binary operators of C on 64-bit integers, and single floats.
#include <bit>
#include <charconv>
#include <limits>

#include "core/number_text.h"
#include "ptx/parse_state.h"

namespace warplens::ptx {

namespace {

constexpr int deepest_parentheses = 64;

struct Constant {
    Immediate value;
    bool is_unsigned = false;
};

Immediate integer(std::uint64_t bits) { return {Immediate::Kind::integer, bits}; }

bool parse_digits(std::string_view digits, int base, std::uint64_t& bits) {
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, base);
    return status == std::errc{} && end == digits.data() + digits.size();
}

// 0f3F800000 and 0d3FF0000000000000: the bits of a float in hexadecimal.
bool parse_float_bits(std::string_view text, Immediate& value) {
    if (text.size() < 2 || text[0] != '0') return false;
    const bool is_f32 = (text[1] == 'f' || text[1] == 'F') && text.size() == 10;
    const bool is_f64 = (text[1] == 'd' || text[1] == 'D') && text.size() == 18;
    if (!is_f32 && !is_f64) return false;
    value.kind = is_f32 ? Immediate::Kind::f32_bits : Immediate::Kind::f64_bits;
    return parse_digits(text.substr(2), 16, value.bits);
}

bool parse_integer(std::string_view text, Constant& constant) {
    if (text.back() == 'U' || text.back() == 'u') {
        constant.is_unsigned = true;
        text.remove_suffix(1);
    }
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const char kind = text[1];
        base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
        text.remove_prefix(base == 8 ? 1 : 2);
    }
    if (!parse_digits(text, base, constant.value.bits)) return false;
    constant.is_unsigned |= constant.value.bits > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    return true;
}

// 1.5 and 2e-3: a decimal float literal is an f64 value.
bool parse_decimal_float(std::string_view text, Immediate& value) {
    if (text.find_first_of(".eE") == std::string_view::npos) return false;
    const auto number = number_from<double>(text);
    if (!number) return false;
    value.kind = Immediate::Kind::f64_bits;
    value.bits = std::bit_cast<std::uint64_t>(*number);
    return true;
}

Constant parse_literal(ParseState& state) {
    Constant constant;
    if (state.token.kind != TokenKind::number) {
        state.unexpected("a number");
        return constant;
    }
    const std::string_view text = state.token.text;
    if (parse_float_bits(text, constant.value) || parse_integer(text, constant)) {
        state.take();
        return constant;
    }
    constant = {};
    if (parse_decimal_float(text, constant.value)) state.take();
    else
        state.unexpected(
            "a 64-bit integer (12, 0x1F, 017, 0b11), 0f and 8 or 0d and 16 hexadecimal digits, or a decimal "
            "float");
    return constant;
}

struct BinaryOperator {
    std::string_view spelled;
    int precedence;
};

// Longest spellings first, so that << is not read as <.
constexpr BinaryOperator binary_operators[] = {{"<<", 5}, {">>", 5}, {"*", 7}, {"/", 7}, {"%", 7},
                                               {"+", 6},  {"-", 6},  {"&", 4}, {"^", 3}, {"|", 2}};

const BinaryOperator* operator_at(const ParseState& state) {
    if (state.token.kind != TokenKind::punctuation) return nullptr;
    const std::string_view rest = state.lexer.text().substr(state.token.offset, 2);
    for (const BinaryOperator& candidate : binary_operators)
        if (rest.substr(0, candidate.spelled.size()) == candidate.spelled) return &candidate;
    return nullptr;
}

std::uint64_t divide(const Constant& a, const Constant& b, bool remainder) {
    const std::uint64_t x = a.value.bits, y = b.value.bits;
    if (a.is_unsigned || b.is_unsigned) return remainder ? x % y : x / y;
    const auto signed_y = static_cast<std::int64_t>(y);
    if (signed_y == -1) return remainder ? 0 : 0 - x;
    const auto signed_x = static_cast<std::int64_t>(x);
    return static_cast<std::uint64_t>(remainder ? signed_x % signed_y : signed_x / signed_y);
}

std::uint64_t shift_right(const Constant& a, std::uint64_t by) {
    if (a.is_unsigned) return by < 64 ? a.value.bits >> by : 0;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(a.value.bits) >> (by < 64 ? by : 63));
}

Constant combine(ParseState& state, const Token& where, char operation, const Constant& a,
                 const Constant& b) {
    if (a.value.kind != Immediate::Kind::integer || b.value.kind != Immediate::Kind::integer) {
        state.fail_at(where, "an operator between floats; write the float's own value");
        return {};
    }
    const std::uint64_t x = a.value.bits, y = b.value.bits;
    Constant result;
    result.is_unsigned = a.is_unsigned || b.is_unsigned;
    switch (operation) {
        case '+':
            result.value = integer(x + y);
            break;
        case '-':
            result.value = integer(x - y);
            break;
        case '*':
            result.value = integer(x * y);
            break;
        case '&':
            result.value = integer(x & y);
            break;
        case '^':
            result.value = integer(x ^ y);
            break;
        case '|':
            result.value = integer(x | y);
            break;
        case '<':
            result.value = integer(y < 64 ? x << y : 0);
            result.is_unsigned = a.is_unsigned;
            break;
        case '>':
            result.value = integer(shift_right(a, y));
            result.is_unsigned = a.is_unsigned;
            break;
        default:
            if (y == 0) {
                state.fail_at(where, "a division by zero in a constant expression");
                return {};
            }
            result.value = integer(divide(a, b, operation == '%'));
    }
    return result;
}

Constant parse_expression(ParseState& state, int lowest_precedence, int depth);

Constant parse_unary(ParseState& state, int depth) {
    const Token first = state.token;
    bool negate = false, invert = false;
    if (state.accept('-')) negate = true;
    else if (state.accept('~')) invert = true;
    else state.accept('+');
    Constant constant;
    if (state.at('-') || state.at('+') || state.at('~') || state.at('(')) {
        if (depth >= deepest_parentheses) {
            state.fail_at(first, fmt::format("a constant expression nested deeper than {} levels",
                                             deepest_parentheses));
            return constant;
        }
        if (state.accept('(')) {
            constant = parse_expression(state, 0, depth + 1);
            state.expect(')', "after a constant expression");
        } else {
            constant = parse_unary(state, depth + 1);
        }
    } else {
        constant = parse_literal(state);
    }
    Immediate& value = constant.value;
    if (negate && value.kind == Immediate::Kind::integer) value.bits = 0 - value.bits;
    if (negate && value.kind == Immediate::Kind::f32_bits) value.bits ^= 0x80000000u;
    if (negate && value.kind == Immediate::Kind::f64_bits) value.bits ^= 0x8000000000000000u;
    if (invert && value.kind != Immediate::Kind::integer) state.fail_at(first, "~ before a float");
    if (invert) value.bits = ~value.bits;
    return constant;
}

Constant parse_expression(ParseState& state, int lowest_precedence, int depth) {
    Constant left = parse_unary(state, depth);
    while (const BinaryOperator* binary = operator_at(state)) {
        if (binary->precedence < lowest_precedence) break;
        const Token where = state.take();
        if (binary->spelled.size() == 2) state.take();
        const Constant right = parse_expression(state, binary->precedence + 1, depth);
        left = combine(state, where, binary->spelled.front(), left, right);
    }
    return left;
}

}  // namespace

bool starts_constant(const Token& token) {
    return token.kind == TokenKind::number || token.is('-') || token.is('+') || token.is('~') ||
           token.is('(');
}

Immediate parse_constant(ParseState& state) { return parse_expression(state, 0, 0).value; }

std::uint64_t parse_count(ParseState& state, std::uint64_t most, std::string_view what) {
    const Token where = state.token;
    const Immediate value = parse_constant(state);
    if (value.kind == Immediate::Kind::integer && value.bits <= most) return value.bits;
    state.fail_at(where, fmt::format("{} must be an integer from 0 to {}", what, most));
    return 0;
}

std::int64_t parse_offset(ParseState& state) {
    if (!state.at('+') && !state.at('-')) return 0;
    const Token where = state.token;
    const Immediate value = parse_constant(state);
    if (value.kind != Immediate::Kind::integer)
        state.fail_at(where, "an address offset that is not an integer");
    return static_cast<std::int64_t>(value.bits);
}

}  // namespace warplens::ptx
