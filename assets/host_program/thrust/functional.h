// thrust's function objects, and placeholders such as `2 * _1 + _2`.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace thrust {

using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::not_fn;
using std::plus;

template <class Type = void>
struct maximum {
    using result_type = Type;
    constexpr Type operator()(const Type& a, const Type& b) const { return a < b ? b : a; }
};
template <class Type = void>
struct minimum {
    using result_type = Type;
    constexpr Type operator()(const Type& a, const Type& b) const { return b < a ? b : a; }
};
template <class Type = void>
struct square {
    constexpr Type operator()(const Type& a) const { return a * a; }
};
template <class Type = void>
struct identity {
    constexpr const Type& operator()(const Type& a) const { return a; }
};
template <>
struct maximum<void> {
    template <class A, class B>
    constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
        return a < b ? b : a;
    }
};
template <>
struct minimum<void> {
    template <class A, class B>
    constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
        return b < a ? b : a;
    }
};
template <>
struct square<void> {
    template <class A>
    constexpr auto operator()(const A& a) const {
        return a * a;
    }
};
template <>
struct identity<void> {
    template <class A>
    constexpr A&& operator()(A&& a) const {
        return std::forward<A>(a);
    }
};
template <class A = void, class B = A>
struct project1st {
    constexpr A operator()(const A& a, const B&) const { return a; }
};
template <class A = void, class B = A>
struct project2nd {
    constexpr B operator()(const A&, const B& b) const { return b; }
};

template <class Argument, class Result>
struct unary_function {
    using argument_type = Argument;
    using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
    using first_argument_type = First;
    using second_argument_type = Second;
    using result_type = Result;
};

namespace placeholders {

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

inline constexpr Expression<Argument<0>> _1{};
inline constexpr Expression<Argument<1>> _2{};
inline constexpr Expression<Argument<2>> _3{};

}  // namespace placeholders
}  // namespace thrust
