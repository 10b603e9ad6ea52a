#include "app/views/shared/headline.h"

#include <algorithm>
#include <cmath>

#include "app/ui/ink.h"
#include "app/ui/text.h"
#include "app/views/shared/title_line.h"

namespace warplens::app {

float headline_height(const Theme& theme) {
    return std::max(text_height(theme.fonts.headline), 2 * text_height(theme.fonts.words));
}

void headline(const Theme& theme, std::string_view number, std::string_view unit, std::string_view words,
              float width) {
    const Ink ink{ImGui::GetWindowDrawList(), theme};
    const Fonts& fonts = theme.fonts;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool compact = is_compact(theme, ImGui::GetContentRegionAvail().y);
    const float height = compact ? text_height(fonts.title) : headline_height(theme);
    if (width <= 0) width = ImGui::GetContentRegionAvail().x;
    Box box{at.x, at.y, at.x + width, at.y + height};
    ImFont* of_unit = compact ? fonts.words : fonts.title;
    const float unit_width = text_width(of_unit, unit) + ink.px(8);
    const bool fits = !compact && text_width(fonts.headline, number) + unit_width <= width;
    ImFont* of_number = fits ? fonts.headline : fonts.title;
    box.x0 += ink.text(box, number, of_number, theme.text) + ink.px(8);
    // The unit stands on the number's baseline, which is below the middle by this share of a line.
    constexpr float baseline = 0.3f;
    Box on_line = box;
    on_line.y0 += 2 * baseline * (text_height(of_number) - text_height(of_unit));
    if (on_line.width() > ink.px(20)) box.x0 += ink.text(on_line, unit, of_unit, theme.text) + ink.px(20);
    if (box.width() > ink.px(80)) {
        const auto runs = runs_of(words, theme.fonts.words, theme.text_dim);
        const int lines = compact ? 1 : 2;
        const float high = ink.paragraph({box.x0, box.y0}, box.width(), runs, lines, false);
        ink.paragraph({box.x0, box.y0 + std::max(0.0f, std::round((height - high) / 2))}, box.width(), runs,
                      lines);
    }
    ImGui::Dummy({width, height});
}

bool headline_with_room(const Theme& theme, const Headline& of, float width) {
    constexpr float least_below = 400;  // unscaled pixels for what the view draws
    if (of.number.empty() ||
        ImGui::GetContentRegionAvail().y < headline_height(theme) + least_below * theme.fonts.scale)
        return false;
    headline(theme, of.number, of.unit, of.words, width);
    return true;
}

}  // namespace warplens::app
