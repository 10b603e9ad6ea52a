// Whole words in source text: what a C++ or PTX identifier consists of.
#pragma once

#include <string>
#include <string_view>

namespace warplens::instrumentation {

inline bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

inline bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

inline std::string with_word(std::string text, std::string_view word, std::string_view other) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at > 0 && is_word(text[at - 1])) || (end < text.size() && is_word(text[end]))) continue;
        text.replace(at, word.size(), other);
        at += other.size();
    }
    return text;
}

}  // namespace warplens::instrumentation
