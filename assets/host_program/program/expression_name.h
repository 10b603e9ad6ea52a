// What the first argument of a call names: "(void**)&d_in, bytes" is d_in.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>

namespace warplens_program {

inline std::string without_spaces_around(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\n");
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin);
}

/// The text up to the first comma outside of brackets. '<' counts as a bracket, as in "table<float, 4>".
inline std::string first_argument(const std::string& arguments) {
    int depth = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const char c = arguments[i];
        const bool arrow = c == '>' && i > 0 && arguments[i - 1] == '-';
        if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
        if (c == ')' || c == ']' || c == '}' || (c == '>' && !arrow)) --depth;
        if (c == ',' && depth == 0) return without_spaces_around(arguments.substr(0, i));
    }
    return without_spaces_around(arguments);
}

/// The place of the bracket that closes the one at `open`; the text's size where none does.
inline std::size_t closing_bracket(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth == 0) return i;
    }
    return text.size();
}

/// The name that is left of the first argument without its casts, brackets around all and `&`.
inline std::string expression_name(const char* arguments) {
    std::string text = first_argument(arguments);
    for (;;) {
        const std::string before = text;
        if (!text.empty() && text[0] == '&') text = without_spaces_around(text.substr(1));
        if (!text.empty() && text[0] == '(') {
            const std::size_t close = closing_bracket(text, 0);
            const std::string rest =
                close < text.size() ? without_spaces_around(text.substr(close + 1)) : std::string();
            // "(*p)->x" has no cast.
            if (!rest.empty() && rest[0] != '-' && rest[0] != '.' && rest[0] != '[') text = rest;
            else if (rest.empty() && close < text.size())
                text = without_spaces_around(text.substr(1, close - 1));
        }
        for (const char* cast : {"reinterpret_cast<", "static_cast<", "const_cast<"}) {
            if (text.rfind(cast, 0) != 0 || text.back() != ')') continue;
            const std::size_t open = text.find(">(");
            if (open != std::string::npos)
                text = without_spaces_around(text.substr(open + 2, text.size() - open - 3));
        }
        if (text == before) return text;
    }
}

}  // namespace warplens_program
