#include "instrumentation/compile/macros.h"

#include <algorithm>
#include <string_view>

namespace warplens::instrumentation {

namespace {

constexpr std::string_view clash_mark = "warplens: taken macro name ";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view text) {
    return !text.empty() && is_letter(text[0]) &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

/// A decimal number as C++ writes it, sign allowed: -3, 2.5, 1e-3, 0.5f, 4u.
bool is_number(std::string_view text) {
    if (!text.empty() && text[0] == '-') text.remove_prefix(1);
    if (text.empty() || !is_digit(text[0])) return false;
    std::size_t at = 0;
    const auto skip_digits = [&] {
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        return at > begin;
    };
    skip_digits();
    if (at < text.size() && text[at] == '.') {
        ++at;
        skip_digits();
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
        if (!skip_digits()) return false;
    }
    const std::string_view suffix = text.substr(at);
    return suffix.size() <= 3 && suffix.find_first_not_of("fFuUlL") == std::string_view::npos;
}

/// Words whose meaning a macro must not take away.
bool is_reserved(std::string_view name) {
    // clang-format off
    static constexpr std::string_view words[] = {
        "alignas", "alignof", "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const",
        "constexpr", "continue", "decltype", "default", "defined", "delete", "do", "double", "else", "enum",
        "explicit", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long",
        "mutable", "namespace", "new", "noexcept", "not", "nullptr", "operator", "or", "private", "protected",
        "public", "register", "return", "short", "signed", "sizeof", "static", "static_assert", "struct",
        "switch", "template", "this", "throw", "true", "try", "typedef", "typeid", "typename", "union",
        "unsigned", "using", "virtual", "void", "volatile", "while",
        "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3",
    };
    // clang-format on
    const bool implementation_name = name.find("__") != std::string_view::npos ||
                                     (name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z');
    return implementation_name || std::find(std::begin(words), std::end(words), name) != std::end(words);
}

/// A file name inside a #line directive.
std::string quoted_file_name(const std::string& name) {
    std::string text = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') text += '\\';
        text += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
    return text + '"';
}

}  // namespace

Status check_macro(const std::string& name, const std::string& value) {
    if (!is_identifier(name) || name.size() > 200) {
        return fail("`{}` is not a name for a macro; use letters, digits and underscores", name);
    }
    if (is_reserved(name)) {
        return fail("the macro `{}` would change a word of the language; rename the parameter", name);
    }
    if (!(is_identifier(value) || is_number(value)) || value.size() > 200) {
        return fail(
            "`{}` is not a value for the macro {}; use a number or a single word such as 32 or float4", value,
            name);
    }
    return {};
}

Result<std::string> source_with_macros(const CompileRequest& request) {
    std::string text;
    for (const auto& [name, value] : request.macros) {
        WARPLENS_TRY(check_macro(name, value));
        const bool negative = value[0] == '-';  // in brackets, so that x-N stays x-(-1)
        text += fmt::format("#ifdef {0}\n#error {1}{0}\n#endif\n#define {0} {2}{3}{4}\n", name, clash_mark,
                            negative ? "(" : "", value, negative ? ")" : "");
    }
    text += "#line 1 " + quoted_file_name(request.name) + "\n";
    return text + request.source;
}

std::string clashing_macro(const std::string& log) {
    const std::size_t mark = log.find(clash_mark);
    if (mark == std::string::npos) return "";
    std::size_t end = mark + clash_mark.size();
    const std::size_t begin = end;
    while (end < log.size() && (is_letter(log[end]) || is_digit(log[end]))) ++end;
    return log.substr(begin, end - begin);
}

}  // namespace warplens::instrumentation
