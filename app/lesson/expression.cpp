#include "app/lesson/expression.h"

#include <algorithm>
#include <cmath>

#include "instrumentation/catalog/expressions.h"

namespace warplens::app {
namespace {

namespace catalog = instrumentation;

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }

bool belongs_to_lua(const std::string& name) {
    static const std::vector<std::string> words{
        "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
        "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};
    const std::string first = name.substr(0, name.find('.'));
    return first == "math" || std::ranges::count(words, name) > 0 ||
           std::ranges::count(catalog::lua_function_names(), name) > 0;
}

/// In the form that Lua reads as the same number; integers stay integers.
std::string as_lua(double value) {
    if (std::isfinite(value) && value == std::floor(value) && std::abs(value) < 0x1p53)
        return fmt::format("({})", static_cast<std::int64_t>(value));
    return fmt::format("({:.17g})", value);
}

Result<catalog::Expressions> plain_expressions() { return catalog::Expressions::over({}, {}); }

/// Calls prose(from, to) and expression(from, to) for the parts of a text, in order.
template <class Prose, class Expression>
void walk(const std::string& text, Prose&& prose, Expression&& expression) {
    bool code = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '`') code = !code;
        if (code || (text[i] != '{' && text[i] != '}')) continue;
        prose(begin, i);
        if (i + 1 < text.size() && text[i + 1] == text[i]) {  // doubled: the brace itself
            begin = ++i;
            continue;
        }
        const std::size_t close = text[i] == '{' ? text.find('}', i) : std::string::npos;
        if (close == std::string::npos) {
            begin = i;
            continue;
        }
        expression(i + 1, close);
        i = close;
        begin = close + 1;
    }
    prose(begin, text.size());
}

}  // namespace

std::vector<ExpressionName> names_in(const std::string& expression) {
    std::vector<ExpressionName> names;
    std::size_t i = 0;
    while (i < expression.size()) {
        const char c = expression[i];
        if (is_decimal(c)) {  // a number, its exponent included
            while (i < expression.size() &&
                   (is_decimal(expression[i]) || starts_name(expression[i]) || expression[i] == '.'))
                ++i;
            continue;
        }
        if (!starts_name(c)) {
            ++i;
            continue;
        }
        const std::size_t begin = i;
        while (i < expression.size() &&
               (starts_name(expression[i]) || is_decimal(expression[i]) ||
                (expression[i] == '.' && i + 1 < expression.size() && starts_name(expression[i + 1]))))
            ++i;
        std::string name = expression.substr(begin, i - begin);
        if (!belongs_to_lua(name)) names.push_back({std::move(name), begin, i});
    }
    return names;
}

Status check_syntax(const std::string& expression) {
    catalog::LuaSandbox sandbox{catalog::LuaLimits{}};
    return catalog::check_expression(sandbox, expression);
}

Result<double> evaluate(const std::string& expression, const ReadNumber& read) {
    std::string lua;
    std::size_t at = 0;
    for (const ExpressionName& name : names_in(expression)) {
        WARPLENS_TRY(const auto value, read(name.name));
        lua += expression.substr(at, name.begin - at) + as_lua(value);
        at = name.end;
    }
    lua += expression.substr(at);
    WARPLENS_TRY(auto expressions, plain_expressions());
    const auto value = expressions.number(lua);
    if (!value) return fail("`{}`: {}", expression, value.error().message);
    const auto* integer = std::get_if<std::int64_t>(&*value);
    const double number = integer ? static_cast<double>(*integer) : std::get<double>(*value);
    if (!std::isfinite(number)) return fail("`{}` is not a finite number", expression);
    return number;
}

Result<bool> holds(const std::string& condition, const ReadNumber& read) {
    WARPLENS_TRY(const auto value, evaluate(fmt::format("({}) and 1 or 0", condition), read));
    return value == 1;
}

std::vector<std::string> expressions_in(const std::string& prose) {
    std::vector<std::string> found;
    walk(
        prose, [](std::size_t, std::size_t) {},
        [&](std::size_t from, std::size_t to) { found.push_back(prose.substr(from, to - from)); });
    return found;
}

Result<std::string> fill_in(const std::string& prose,
                            const std::function<Result<std::string>(const std::string&)>& write) {
    std::string filled;
    Status status;
    walk(
        prose, [&](std::size_t from, std::size_t to) { filled += prose.substr(from, to - from); },
        [&](std::size_t from, std::size_t to) {
            const auto words = write(prose.substr(from, to - from));
            if (words) filled += *words;
            else if (status) status = tl::unexpected(words.error());
        });
    if (!status) return tl::unexpected(status.error());
    return filled;
}

}  // namespace warplens::app
