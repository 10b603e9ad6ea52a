// thrust's function objects and its placeholders.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "../program/placeholder_expressions.h"

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

inline constexpr warplens_program::Expression<warplens_program::Argument<0>> _1{};
inline constexpr warplens_program::Expression<warplens_program::Argument<1>> _2{};
inline constexpr warplens_program::Expression<warplens_program::Argument<2>> _3{};
inline constexpr warplens_program::Expression<warplens_program::Argument<3>> _4{};
inline constexpr warplens_program::Expression<warplens_program::Argument<4>> _5{};

}  // namespace placeholders
}  // namespace thrust
