// A number written in a text that contains nothing else.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace warplens {

/// Decimal; empty when the text is empty, contains anything but the number, or is out of the type's range.
template <class Number>
requires std::integral<Number> || std::floating_point<Number> std::optional<Number> number_from(
    std::string_view text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
}

}  // namespace warplens
