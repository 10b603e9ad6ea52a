#include "core/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace warplens {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

struct Character {
    std::size_t length = 0;  // bytes; 0: there is no UTF-8 character
    std::uint32_t value = 0;
};

/// What begins at `at` ("RFC 3629": the shortest form, no surrogates).
Character character_at(std::string_view text, std::size_t at) {
    const unsigned char first = byte_at(text, at);
    if (first < 0x80) return {1, first};
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return {};
    std::uint32_t value = first & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const unsigned char next = byte_at(text, at + i);
        if ((next & 0xc0) != 0x80) return {};
        value = value << 6 | (next & 0x3fu);
    }
    constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return {};
    return {length, value};
}

/// U+0000 to U+001F, U+007F to U+009F, which terminals obey as well, and what ends a line or turns its
/// direction (Unicode's Bidi_Control, "UAX #9"): a name with U+202E shows what follows it backwards.
bool is_control(std::uint32_t value) {
    return value < 0x20 || (value >= 0x7f && value < 0xa0) || value == 0x61c ||
           (value >= 0x200e && value <= 0x200f) || (value >= 0x2028 && value <= 0x202e) ||
           (value >= 0x2066 && value <= 0x2069);
}

void append_escaped(std::string& to, std::string_view bytes) {
    for (const char byte : bytes) to += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
}

template <class Keep>
std::string escaped(std::string_view text, Keep keep) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto [length, value] = character_at(text, at);
        const std::string_view character = text.substr(at, length == 0 ? 1 : length);
        if (length != 0 && (!is_control(value) || keep(character[0]))) result += character;
        else append_escaped(result, character);
        at += character.size();
    }
    return result;
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

std::string printable(std::string_view text) {
    return escaped(text, [](char c) { return c == '\n' || c == '\t'; });
}

std::string one_line(std::string_view message, std::size_t longest) {
    // An escape turns a byte into four. Text far beyond the limit is cut first, so that a message of
    // megabytes costs nothing.
    std::string shortened;
    std::size_t left_out = 0;
    const auto cut = [&](std::string_view text, std::size_t head, std::size_t tail) {
        std::size_t begin = head, end = text.size() - tail;
        while (begin > 0 && is_continuation(text[begin])) --begin;
        while (end < text.size() && is_continuation(text[end])) ++end;
        left_out += end - begin;
        return std::pair{text.substr(0, begin), text.substr(end)};
    };
    const auto line = [](std::string_view text) {
        std::string one;
        for (const char c : escaped(text, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }))
            if (c == '\n' || c == '\r') one += one.empty() || one.ends_with("; ") ? "" : "; ";
            else one += c == '\t' ? ' ' : c;
        return one;
    };
    constexpr std::size_t note = 40;  // " … (2,600,000 bytes left out) … "
    const std::size_t half = longest > note ? (longest - note) / 2 : 0;
    if (message.size() <= longest) {
        shortened = line(message);
        if (shortened.size() <= longest) return shortened;
        const auto [head, tail] = cut(shortened, half, half);
        return fmt::format("{} … ({} bytes left out) … {}", head, left_out, tail);
    }
    const auto [head, tail] = cut(message, half, half);
    const std::string first = line(head), last = line(tail);
    const auto [first_kept, first_rest] =
        first.size() > half ? cut(first, half, 0) : std::pair{std::string_view(first), std::string_view()};
    const auto [last_rest, last_kept] =
        last.size() > half ? cut(last, 0, half) : std::pair{std::string_view(), std::string_view(last)};
    return fmt::format("{} … ({} bytes left out) … {}", first_kept, left_out, last_kept);
}

}  // namespace warplens
