#include "app/ui/legend.h"

#include <algorithm>
#include <cmath>

#include "app/ui/hatch.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

/// low words, a strip of `cells` colours, high words; advances the cursor by one line.
template <class Colour>
void strip(const Theme& theme, const std::string& low, const std::string& high, int cells, float cell_width,
           Colour&& colour) {
    const float scale = theme.fonts.scale;
    ImFont* font = theme.fonts.small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = std::round(16 * scale), gap = std::round(6 * scale);
    const float text_top = at.y + std::round((height - text_height(font)) / 2);
    draw_text(list, font, {at.x, text_top}, theme.text_dim, low);
    float x = at.x + std::ceil(text_width(font, low)) + gap;
    for (int i = 0; i < cells; ++i) {
        const float left = std::round(x + cell_width * scale * static_cast<float>(i));
        const float right = std::round(x + cell_width * scale * static_cast<float>(i + 1));
        list.AddRectFilled({left, at.y + std::round(3 * scale)},
                           {right, at.y + height - std::round(3 * scale)}, colour(i));
    }
    x += cell_width * scale * static_cast<float>(cells) + gap;
    draw_text(list, font, {x, text_top}, theme.text_dim, high);
    ImGui::Dummy({x + text_width(font, high) - at.x, height});
}

float line_height(const Theme& theme) { return std::round(20 * theme.fonts.scale); }

/// Calls use(entry, offset from the origin, width), wrapping at `width`.
template <class Use>
void lay_out(const Theme& theme, std::span<const LegendEntry> entries, float width, Use&& use) {
    const float scale = theme.fonts.scale;
    ImVec2 at{0, 0};
    for (const LegendEntry& entry : entries) {
        const float taken = std::round(12 * scale) + std::round(6 * scale) +
                            std::ceil(text_width(theme.fonts.small, entry.words));
        if (at.x > 0 && at.x + taken > width) at = {0, at.y + line_height(theme)};
        use(entry, at, taken);
        at.x += taken + std::round(16 * scale);
    }
}

}  // namespace

void draw_swatch(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max, ImU32 colour,
                 LegendEntry::Shape shape) {
    const float scale = theme.fonts.scale;
    switch (shape) {
        case LegendEntry::Shape::filled:
            list.AddRectFilled(min, max, colour, 2 * scale);
            break;
        case LegendEntry::Shape::hatched:
            draw_hatched(list, theme, min, max, colour, 4);
            compat::add_rect(list, min, max, colour, 0, scale);
            break;
        case LegendEntry::Shape::filled_hatched:
            list.AddRectFilled(min, max, colour, 2 * scale);
            draw_hatched(list, theme, min, max, hatch_on(theme, colour), 4);
            break;
        case LegendEntry::Shape::cornered:
            compat::add_rect(list, min, max, colour, 0, scale);
            list.AddTriangleFilled({max.x - 7 * scale, min.y}, {max.x, min.y}, {max.x, min.y + 7 * scale},
                                   colour);
            break;
        case LegendEntry::Shape::outlined:
            compat::add_rect(list, min, max, colour, 2 * scale, 2 * scale);
            break;
        case LegendEntry::Shape::thin_outlined:
            compat::add_rect(list, min, max, colour, 0, scale);
            break;
        case LegendEntry::Shape::upright:
            list.AddLine({(min.x + max.x) / 2, min.y}, {(min.x + max.x) / 2, max.y}, colour, 2 * scale);
            break;
        case LegendEntry::Shape::tick:
            list.AddRectFilled({(min.x + max.x) / 2 - scale, (min.y + max.y) / 2},
                               {(min.x + max.x) / 2 + scale, max.y}, colour);
            break;
        case LegendEntry::Shape::line:
            list.AddLine({min.x, (min.y + max.y) / 2}, {max.x, (min.y + max.y) / 2}, colour, 2 * scale);
            break;
    }
}

void legend(const Theme& theme, std::span<const LegendEntry> entries, float width) {
    const float scale = theme.fonts.scale;
    ImFont* font = theme.fonts.small;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float swatch = std::round(12 * scale), line = line_height(theme);
    float reached = 0, height = line;
    lay_out(
        theme, entries, width > 0 ? width : ImGui::GetContentRegionAvail().x,
        [&](const LegendEntry& entry, ImVec2 offset, float taken) {
            const ImVec2 at{origin.x + offset.x, origin.y + offset.y};
            const float top = at.y + std::round((line - swatch) / 2);
            draw_swatch(list, theme, {at.x, top}, {at.x + swatch, top + swatch}, entry.colour, entry.shape);
            draw_text(list, font,
                      {at.x + swatch + std::round(6 * scale), at.y + (line - text_height(font)) / 2},
                      theme.text_dim, entry.words);
            reached = std::max(reached, offset.x + taken);
            height = offset.y + line;
        });
    ImGui::Dummy({reached, height});
}

ImVec2 legend_size(const Theme& theme, std::span<const LegendEntry> entries, float width) {
    ImVec2 size{0, line_height(theme)};
    lay_out(theme, entries, width, [&](const LegendEntry&, ImVec2 offset, float taken) {
        size = {std::max(size.x, offset.x + taken), offset.y + line_height(theme)};
    });
    return size;
}

void amount_legend(const Theme& theme, const std::string& low, const std::string& high) {
    strip(theme, low, high, 48, 2.5f, [&](int i) { return theme.amount(i / 47.0); });
}

void bank_legend(const Theme& theme) {
    strip(theme, "bank 0", "31", 32, 5, [&](int i) { return theme.bank(i); });
}

}  // namespace warplens::app
