#include "app/views/shared/title_line.h"
#include "app/scene/scene_words.h"

#include <fmt/format.h>

#include <cmath>

#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

bool is_compact(const Theme& theme, float height) { return height < 420 * theme.fonts.scale; }

void title_line(const Theme& theme, std::string_view text) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool compact = is_compact(theme, room.y);
    ImFont* words = compact ? theme.fonts.words : theme.fonts.title;
    ImFont* code = compact ? theme.fonts.code : theme.fonts.code_title;
    rich_text(theme, words, code, theme.text, text, even_width(theme, words, code, text, room.x));
}

float provenance_line_height(const Theme& theme) { return std::round(20 * theme.fonts.scale); }

void provenance_line(const Theme& theme, const Scene& scene, std::string_view words) {
    const std::string sampled = sampled_words(scene);
    std::string text(words);
    if (!text.empty() && !sampled.empty()) text += " · ";
    text += sampled;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = provenance_line_height(theme);
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.small,
              {at.x, at.y + std::round((height - text_height(theme.fonts.small)) / 2)}, theme.text_dim,
              fit_text(theme.fonts.small, text, width));
    ImGui::Dummy({width, height});
}

}  // namespace warplens::app
