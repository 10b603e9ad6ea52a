#include "app/views/shared/title_line.h"
#include "app/scene/scene_words.h"

#include <fmt/format.h>

#include <cmath>

#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

bool is_compact(const Theme& theme, float height) { return height < 420 * theme.fonts.scale; }

void title_line(const Theme& theme, std::string_view text) {
    const bool compact = is_compact(theme, ImGui::GetContentRegionAvail().y);
    rich_text(theme, compact ? theme.fonts.words : theme.fonts.title,
              compact ? theme.fonts.code : theme.fonts.code_title, theme.text, text);
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
