// Expressions with placeholders, such as `2 * _1 + _2`, as functions of the arguments that they stand for.
#pragma once

#include <cstddef>
#include <type_traits>

namespace warplens_program {

/// What an expression with placeholders computes from the arguments.
template <class Function>
struct Expression {
    Function function;
    template <class... Arguments>
    constexpr auto operator()(const Arguments&... arguments) const {
        return function(arguments...);
    }
};

template <std::size_t index>
struct Argument {
    template <class First, class... Rest>
    constexpr auto operator()(const First& first, const Rest&... rest) const {
        if constexpr (index == 0) return first;
        else return Argument<index - 1>()(rest...);
    }
};

template <class Function>
constexpr Expression<Function> expression(Function function) {
    return {function};
}
template <class Type>
constexpr auto part(const Type& value) {
    return expression([value](const auto&...) { return value; });
}
template <class Function>
constexpr Expression<Function> part(const Expression<Function>& value) {
    return value;
}

template <class Type>
inline constexpr bool is_expression = false;
template <class Function>
inline constexpr bool is_expression<Expression<Function>> = true;

#define WARPLENS_PLACEHOLDER_OPERATOR(sign)                                                     \
    template <class A, class B, class = std::enable_if_t<is_expression<A> || is_expression<B>>> \
    constexpr auto operator sign(const A& a, const B& b) {                                      \
        return expression([a = part(a), b = part(b)](const auto&... arguments) {                \
            return a(arguments...) sign b(arguments...);                                        \
        });                                                                                     \
    }
WARPLENS_PLACEHOLDER_OPERATOR(+)
WARPLENS_PLACEHOLDER_OPERATOR(-)
WARPLENS_PLACEHOLDER_OPERATOR(*)
WARPLENS_PLACEHOLDER_OPERATOR(/)
WARPLENS_PLACEHOLDER_OPERATOR(%)
WARPLENS_PLACEHOLDER_OPERATOR(&)
WARPLENS_PLACEHOLDER_OPERATOR(|)
WARPLENS_PLACEHOLDER_OPERATOR(^)
WARPLENS_PLACEHOLDER_OPERATOR(&&)
WARPLENS_PLACEHOLDER_OPERATOR(||)
WARPLENS_PLACEHOLDER_OPERATOR(==)
WARPLENS_PLACEHOLDER_OPERATOR(!=)
WARPLENS_PLACEHOLDER_OPERATOR(<)
WARPLENS_PLACEHOLDER_OPERATOR(>)
WARPLENS_PLACEHOLDER_OPERATOR(<=)
WARPLENS_PLACEHOLDER_OPERATOR(>=)
#undef WARPLENS_PLACEHOLDER_OPERATOR

template <class Function>
constexpr auto operator-(const Expression<Function>& a) {
    return expression([a](const auto&... arguments) { return -a(arguments...); });
}
template <class Function>
constexpr auto operator!(const Expression<Function>& a) {
    return expression([a](const auto&... arguments) { return !a(arguments...); });
}

}  // namespace warplens_program
