#include "app/ui/empty_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/text.h"

namespace warplens::app {

void empty_state(const Theme& theme, std::string_view why, std::string_view next_step) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float width = std::min(room.x, std::round(460 * theme.fonts.scale));
    const float left = origin.x + std::round((room.x - width) / 2);
    const auto centred = [&](ImFont* font, ImU32 colour, std::string_view text) {
        ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y});
        rich_text_centred(theme, font, theme.fonts.code, colour, text, width);
    };
    ImGui::SetCursorScreenPos({left, origin.y + std::round(std::max(0.0f, room.y * 0.4f - 40))});
    centred(theme.fonts.title, theme.text, why);
    centred(theme.fonts.words, theme.text_dim, next_step);
}

void no_run_yet(const Theme& theme, std::string_view running, bool asks_for_launch) {
    if (asks_for_launch)
        empty_state(theme, "The kernel has not run yet.",
                    "Press `run` in the launch settings: it starts with the values there.");
    else if (running.empty())
        empty_state(theme, "No kernel has run yet.",
                    "Choose one in the list of kernels, or find it with Ctrl+K.");
    else
        empty_state(theme, fmt::format("`{}` runs for the first time.", running),
                    "Its picture appears here.");
}

}  // namespace warplens::app
