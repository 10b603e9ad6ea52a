// initializer_text: a C++ initializer that gives a variable the value that it holds now.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>

#include "../vector_types.h"

namespace warplens_program {

template <class Number>
std::string floating_text(Number value) {
    if (std::isnan(value)) return "NAN";
    if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
    char text[64];
    std::snprintf(text, sizeof text, "%a", static_cast<double>(value));
    return std::is_same_v<Number, float> ? std::string(text) + "f" : std::string(text);
}

template <class Number>
std::string integer_text(Number value) {
    if constexpr (std::is_unsigned_v<Number>) {
        return std::to_string(+value) + (sizeof(Number) > 4 ? "ULL" : sizeof(Number) == 4 ? "u" : "");
    } else {
        // The lowest number of 64 bits has no literal of its own.
        if (sizeof(Number) == 8 && value == std::numeric_limits<Number>::min())
            return "(" + std::to_string(value + 1) + "LL - 1)";
        return std::to_string(+value) + (sizeof(Number) > 4 ? "LL" : "");
    }
}

/// Whether there is an initializer for values of a type: numbers, enumerators, vector types, arrays of them.
template <class Value>
constexpr bool has_initializer() {
    using Plain = std::remove_cv_t<std::remove_all_extents_t<Value>>;
    return (std::is_arithmetic_v<Plain> && !std::is_same_v<Plain, long double>) || std::is_enum_v<Plain> ||
           vector_length<Plain> != 0;
}

template <class Value>
std::string initializer_text(const Value& value) {
    using Plain = std::remove_cv_t<Value>;
    const auto listed = [](const auto* items, std::size_t count) {
        std::string text = "{";
        for (std::size_t i = 0; i < count; ++i) {
            if (i != 0) text += ", ";
            text += initializer_text(items[i]);
        }
        return text + "}";
    };
    if constexpr (!has_initializer<Plain>()) {
        return {};
    } else if constexpr (std::is_array_v<Plain>) {
        return listed(&value[0], std::extent_v<Plain>);
    } else if constexpr (vector_length<Plain> != 0) {
        return listed(&value.x, vector_length<Plain>);
    } else if constexpr (std::is_enum_v<Plain>) {
        return integer_text(static_cast<std::underlying_type_t<Plain>>(value));
    } else if constexpr (std::is_same_v<Plain, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<Plain>) {
        return floating_text(value);
    } else {
        return integer_text(value);
    }
}

}  // namespace warplens_program
