#include "app/ui/tooltip.h"

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/text.h"

namespace warplens::app {

void tooltip_card(const Theme& theme, std::string_view sentence, std::span<const std::string> arithmetic) {
    note_tooltip();
    const float scale = theme.fonts.scale;
    const float widest = std::round(380 * scale);
    float width = std::min(widest, std::ceil(text_width(theme.fonts.words, sentence)) + 8 * scale);
    for (const std::string& line : arithmetic)
        width = std::max(width, std::ceil(text_width(theme.fonts.code, line)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12 * scale, 10 * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8 * scale, 6 * scale});
    ImGui::BeginTooltip();
    rich_text(theme, theme.fonts.words, theme.fonts.code, theme.text, sentence, width);
    for (const std::string& line : arithmetic) text_item(theme.fonts.code, theme.text_dim, line);
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

void tooltip_card(const Theme& theme, std::string_view sentence, const std::string& arithmetic) {
    tooltip_card(theme, sentence, std::span<const std::string>(&arithmetic, 1));
}

}  // namespace warplens::app
