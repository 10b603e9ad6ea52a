#include "simt/functional/printing/printf_conversion.h"

namespace warplens::simt {

namespace {

constexpr std::string_view digits = "0123456789";

std::optional<PrintfKind> kind_of(char letter) {
    switch (letter) {
        case '%':
            return PrintfKind::percent;
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            return PrintfKind::integer;
        case 'c':
            return PrintfKind::character;
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            return PrintfKind::real;
        case 'p':
            return PrintfKind::pointer;
        case 's':
            return PrintfKind::text;
        default:
            return std::nullopt;
    }
}

/// Removes leading characters that are in `set` from `rest`.
std::string_view take(std::string_view& rest, std::string_view set) {
    const std::string_view taken = rest.substr(0, rest.find_first_not_of(set));
    rest.remove_prefix(taken.size());
    return taken;
}

}  // namespace

bool PrintfConversion::takes_wide() const {
    if (kind == PrintfKind::integer) return length.starts_with('l');
    return kind == PrintfKind::real || kind == PrintfKind::pointer || kind == PrintfKind::text;
}

bool PrintfConversion::is_convertible() const {
    if (kind == PrintfKind::text) return !length.starts_with('l');
    return kind == PrintfKind::integer || length != "ll";
}

std::optional<PrintfConversion> parse_conversion(std::string_view text) {
    PrintfConversion conversion;
    std::string_view rest = text.substr(1);
    if (rest.starts_with('%')) {
        conversion.spelling = text.substr(0, 2);
        return conversion;
    }
    conversion.flags = take(rest, "-+ #0");
    if (rest.starts_with('*')) {
        conversion.width_is_argument = true;
        rest.remove_prefix(1);
    } else {
        conversion.width = take(rest, digits);
    }
    if (rest.starts_with('.')) {
        conversion.has_precision = true;
        rest.remove_prefix(1);
        conversion.precision = take(rest, digits);
    }
    if (rest.starts_with("ll")) conversion.length = rest.substr(0, 2);
    else if (rest.starts_with('h') || rest.starts_with('l')) conversion.length = rest.substr(0, 1);
    rest.remove_prefix(conversion.length.size());
    if (rest.empty()) return std::nullopt;
    conversion.letter = rest.front();
    const auto kind = kind_of(conversion.letter);
    if (!kind || *kind == PrintfKind::percent) return std::nullopt;
    conversion.kind = *kind;
    conversion.spelling = text.substr(0, text.size() - rest.size() + 1);
    return conversion;
}

}  // namespace warplens::simt
