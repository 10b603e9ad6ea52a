// Numbers written in a text.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace warplens {

/// The decimal number that begins the text, which is shortened by it; empty, and the text as it was, when
/// none does or it is out of the type's range.
template <class Number>
requires std::integral<Number> || std::floating_point<Number> std::optional<Number> take_number(
    std::string_view& text) {
    Number value{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return value;
}

/// The same for a text that contains nothing but the number.
template <class Number>
requires std::integral<Number> || std::floating_point<Number> std::optional<Number> number_from(
    std::string_view text) {
    const auto value = take_number<Number>(text);
    return text.empty() ? value : std::nullopt;
}

}  // namespace warplens
