// What a launch's line of JSON is made of: texts with escapes, bytes as hexadecimal digits.
#pragma once

#include <cstddef>
#include <string>

namespace warplens_program {

inline void append_json_text(std::string& line, const std::string& text) {
    static constexpr char digits[] = "0123456789abcdef";
    line += '"';
    for (const char c : text) {
        const unsigned char byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            line += '\\';
            line += c;
        } else if (byte < 0x20) {
            line += "\\u00";
            line += digits[byte >> 4];
            line += digits[byte & 15];
        } else {
            line += c;
        }
    }
    line += '"';
}

inline std::string hexadecimal(const void* bytes, std::size_t count) {
    static constexpr char digits[] = "0123456789abcdef";
    const unsigned char* byte = static_cast<const unsigned char*>(bytes);
    std::string text;
    text.reserve(2 * count);
    for (std::size_t i = 0; i < count; ++i) {
        text += digits[byte[i] >> 4];
        text += digits[byte[i] & 15];
    }
    return text;
}

}  // namespace warplens_program
