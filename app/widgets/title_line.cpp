#include "app/widgets/title_line.h"

#include <fmt/format.h>

#include <cmath>

#include "app/widgets/number.h"
#include "app/widgets/text.h"

namespace warplens::app {

void title_line(const Theme& theme, std::string_view text) {
    rich_text(theme, theme.fonts.title, theme.fonts.code_title, theme.text, text);
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

std::string sampled_words(const Scene& scene) {
    if (scene.blocks_in_grid == 0) return {};
    const Provenance provenance = scene.trace ? scene.trace->launch.provenance : Provenance::simulated;
    if (scene.blocks_executed >= scene.blocks_in_grid)
        return scene.blocks_in_grid == 1
                   ? fmt::format("{} the only block", to_string(provenance))
                   : fmt::format("{} all {} blocks", to_string(provenance), grouped(scene.blocks_in_grid));
    const bool timed = scene.trace && scene.trace->measured;  // times may be of more blocks than records
    return fmt::format("{} {}{} of {} blocks", to_string(provenance), timed ? "records of " : "",
                       grouped(scene.blocks_executed), grouped(scene.blocks_in_grid));
}

}  // namespace warplens::app
