// Checks for numbers from outside: a file, PTX, a header, a command line, another process. A number that
// becomes an index, a size, a shift or a count passes through one of these first; see
// docs/decisions/0013-numbers-from-outside.md.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace warplens {

/// The number, if it fits into To; the only narrowing conversion of numbers from outside.
template <std::integral To, std::integral From>
constexpr std::optional<To> narrowed(From number) {
    if (!std::in_range<To>(number)) return std::nullopt;
    return static_cast<To>(number);
}

/// An integer that is in its range by construction, so that code that has one may index with it.
template <std::integral Value, Value lowest, Value highest>
class Bounded {
  public:
    static constexpr Value min = lowest, max = highest;

    constexpr Bounded() = default;
    template <std::integral From>
    static constexpr std::optional<Bounded> from(From number) {
        if (std::cmp_less(number, lowest) || std::cmp_greater(number, highest)) return std::nullopt;
        return Bounded(static_cast<Value>(number));
    }
    /// The nearest number of the range.
    template <std::integral From>
    static constexpr Bounded clamped(From number) {
        if (std::cmp_less(number, lowest)) return Bounded(lowest);
        if (std::cmp_greater(number, highest)) return Bounded(highest);
        return Bounded(static_cast<Value>(number));
    }
    constexpr Value value() const { return value_; }
    constexpr std::size_t index() const requires(lowest >= 0) { return static_cast<std::size_t>(value_); }
    friend constexpr bool operator==(Bounded, Bounded) = default;

  private:
    constexpr explicit Bounded(Value value) : value_(value) {}
    Value value_ = lowest;
};

/// Half-open, [begin, end) within [0, size).
constexpr bool is_range_within(std::uint64_t begin, std::uint64_t end, std::uint64_t size) {
    return begin <= end && end <= size;
}

/// Whether `count` elements from `begin` lie within `size`; computes no sum that could overflow.
constexpr bool are_within(std::uint64_t begin, std::uint64_t count, std::uint64_t size) {
    return begin <= size && count <= size - begin;
}

constexpr std::optional<std::uint64_t> checked_product(std::uint64_t a, std::uint64_t b) {
    if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) return std::nullopt;
    return a * b;
}

constexpr std::optional<std::uint64_t> checked_sum(std::uint64_t a, std::uint64_t b) {
    if (a > std::numeric_limits<std::uint64_t>::max() - b) return std::nullopt;
    return a + b;
}

}  // namespace warplens
