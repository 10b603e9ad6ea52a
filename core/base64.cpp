#include "core/base64.h"

#include <array>
#include <cstdint>

namespace warplens {
namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::string_view group = bytes.substr(at, 3);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0u);
        for (std::size_t i = 0; i < 4; ++i)
            text.push_back(i <= group.size() ? base64_digits[bits >> (18 - 6 * i) & 63] : '=');
    }
    return text;
}

Result<std::string> from_base64(std::string_view text) {
    std::array<std::uint32_t, 256> value_of{};
    for (std::size_t i = 0; i < base64_digits.size(); ++i)
        value_of[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::uint32_t>(i);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t at = 0; at < text.size(); at += 4) {
        std::uint32_t bits = 0;
        for (const char digit : text.substr(at, 4))
            bits = bits << 6 | value_of[static_cast<unsigned char>(digit)];
        for (int shift = 16; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(bits >> shift & 255));
    }
    if (text.ends_with('=')) bytes.pop_back();
    if (text.ends_with("==")) bytes.pop_back();
    // What is not a digit was read as one.
    if (base64(bytes) != text) return fail("{} characters are not base64", text.size());
    return bytes;
}

}  // namespace warplens
