#include "instrumentation/catalog/expressions.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <lua.hpp>

#include "core/number_text.h"

namespace warplens::instrumentation {

namespace {

Result<Value> evaluate(LuaSandbox& sandbox, const std::string& text) {
    enum class Kind { other, integer, real } kind = Kind::other;
    lua_Integer integer = 0;
    lua_Number real = 0;
    const std::string chunk = "return " + text;
    const Status status = sandbox.run([&](lua_State* lua) {
        load_text(lua, "=", chunk);
        lua_call(lua, 0, 1);
        if (lua_type(lua, -1) != LUA_TNUMBER) return;
        kind = lua_isinteger(lua, -1) ? Kind::integer : Kind::real;
        integer = lua_tointeger(lua, -1);
        real = lua_tonumber(lua, -1);
    });
    if (!status) {
        std::string_view message = status.error().message;
        while (!message.empty() && message[0] == ':') {  // ":1: " where a chunk's name would stand
            const std::size_t end = message.find(' ');
            if (end == std::string_view::npos) break;
            message.remove_prefix(end + 1);
        }
        return fail("`{}`: {}", text, message);
    }
    if (kind == Kind::other) return fail("`{}` does not give a number", text);
    if (kind == Kind::integer) return Value{std::int64_t{integer}};
    return Value{real};
}

double as_real(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    return std::get<double>(value);
}

/// The first numeral that Lua reads as infinity, because no real number is as large: "1e400". Empty: none.
std::string too_large_numeral(const std::string& text) {
    const auto is_digit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool in_a_name =
            at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_');
        if (in_a_name || !(is_digit(at) || (text[at] == '.' && is_digit(at + 1)))) continue;
        const char* const begin = text.c_str() + at;
        char* end = nullptr;
        const bool is_infinite = std::isinf(std::strtod(begin, &end));
        const auto length = static_cast<std::size_t>(end - begin);
        if (is_infinite) return text.substr(at, length);
        at += length - 1;
    }
    return {};
}

}  // namespace

Result<std::int64_t> number_in_word(const std::string& word) {
    const auto number =
        number_from<std::int64_t>(std::string_view(word).substr(word.starts_with("lcg") ? 3 : 0));
    if (!number || *number < 0)
        return fail("`{}` is not a number; write an integer such as 12345, or lcg12345", word);
    return *number;
}

bool is_numbered_word(const ParameterDeclaration& parameter) {
    return std::holds_alternative<std::string>(parameter.fallback) && parameter.values.empty();
}

Result<Value> value_in_expressions(const ParameterDeclaration& parameter, const Value& value) {
    if (!is_numbered_word(parameter) || !std::holds_alternative<std::string>(value)) return value;
    WARPLENS_TRY(const auto number, number_in_word(std::get<std::string>(value)));
    return Value{number};
}

Status check_expression(LuaSandbox& sandbox, const std::string& text) {
    const std::string chunk = "return " + text;
    return sandbox.run([&](lua_State* lua) { load_text(lua, "=", chunk); }).map_error([&](Error error) {
        return Error{fmt::format("`{}` is not an expression{}", text, error.message)};
    });
}

Result<Expressions> Expressions::over(const KernelFile& kernel, const Values& parameters) {
    Expressions expressions{LuaSandbox{LuaLimits{}}, LuaSandbox{LuaLimits{}}};
    WARPLENS_TRY(expressions.real_.run([](lua_State* lua) {
        load_text(lua, "=", "local exact = pow2 pow2 = function(x) return exact(x) + 0.0 end");
        lua_call(lua, 0, 0);
    }));
    for (const ParameterDeclaration& parameter : kernel.parameters) {
        const auto found = parameters.find(parameter.name);
        if (found == parameters.end()) return fail("{}: no value for `{}`", kernel.name, parameter.name);
        const Result<Value> exact = value_in_expressions(parameter, found->second);
        if (!exact) return fail("{}: {}: {}", kernel.name, parameter.name, exact.error().message);
        const auto* integer = std::get_if<std::int64_t>(&*exact);
        const Value real = integer ? Value{static_cast<double>(*integer)} : *exact;
        const std::string name = lua_name(parameter.name);
        const Status bound = expressions.exact_.set_global(name, *exact).and_then([&] {
            return expressions.real_.set_global(name, real);
        });
        if (!bound) return fail("{}: {}", kernel.name, bound.error().message);
    }
    return expressions;
}

Status Expressions::set(const std::string& name, std::int64_t value) {
    return exact_.set_global(name, Value{value}).and_then([&] {
        return real_.set_global(name, Value{static_cast<double>(value)});
    });
}

Result<Value> Expressions::number(const std::string& text) {
    const Result<Value> exact = evaluate(exact_, text);
    if (exact && !std::isfinite(as_real(*exact)))
        if (const std::string numeral = too_large_numeral(text); !numeral.empty())
            return fail("`{}`: {} is larger than every real number", text, numeral);
    if (!exact || std::holds_alternative<double>(*exact)) return exact;
    // Lua's integers wrap round without a word; the same in real numbers then differs by far.
    const Result<Value> real = evaluate(real_, text);
    const double difference = real ? std::abs(as_real(*real) - as_real(*exact)) : HUGE_VAL;
    if (!(difference <= 1e-9 * std::max(1.0, std::abs(as_real(*exact))))) {
        return fail("`{}` does not fit in 64 bits", text);
    }
    return exact;
}

Result<std::int64_t> Expressions::integer(const std::string& text, std::int64_t least, std::int64_t most) {
    WARPLENS_TRY(const auto value, number(text));
    std::int64_t integer = 0;
    if (const auto* real = std::get_if<double>(&value)) {
        if (std::isnan(*real) || std::floor(*real) != *real) {
            return fail("`{}` gives {}, which is not an integer; // divides and rounds down", text,
                        to_string(value));
        }
        if (std::abs(*real) > 0x1p62) return fail("`{}` gives {}, which is too large", text, *real);
        integer = static_cast<std::int64_t>(*real);
    } else {
        integer = std::get<std::int64_t>(value);
    }
    if (integer < least || integer > most) {
        return fail("`{}` gives {}; it must be {} to {}", text, integer, least, most);
    }
    return integer;
}

}  // namespace warplens::instrumentation
