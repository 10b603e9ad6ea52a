#include "app/views/values/cell_text.h"

#include <fmt/format.h>

#include <cstdlib>

#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

std::string cell_text(const Ink& ink, const std::string& text, float width) {
    if (text_width(ink.theme.fonts.small, text) <= width || text.find('.') == std::string::npos) return text;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size()) return text;
    for (int digits = 6; digits >= 1; --digits) {
        std::string shorter = fmt::format("{:.{}g}", value, digits);
        if (text_width(ink.theme.fonts.small, shorter) <= width) return shorter;
    }
    return value >= 1000 ? compact(value) : fmt::format("{:.1g}", value);
}

}  // namespace warplens::app
