#include "app/window/picture_dialog.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/ui/button.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/segments.h"
#include "app/ui/text.h"
#include "app/window/seen_picture.h"

namespace warplens::app {
namespace {

constexpr const char* popup = "picture question";

std::vector<Segment> extent_choices() {
    std::vector<Segment> choices;
    for (const PictureExtent& extent : picture_extents) {
        const bool seen = extent.width == 0;
        const std::string words = seen ? "as seen" : fmt::format("{} × {}", extent.width, extent.height);
        choices.push_back({fmt::format("picture size {}", extent.width), words,
                           seen ? "As large as the view is now, times the scale." : "Pixels."});
    }
    return choices;
}

/// A row of the dialog: what is asked for, and the choices. Returns the chosen one.
std::size_t row(const Theme& theme, const char* asked, const std::vector<Segment>& choices,
                std::size_t chosen) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float space = (control_height(theme) - text_height(theme.fonts.words)) / 2;
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.words, {at.x, at.y + std::round(space)},
              theme.text_dim, asked);
    ImGui::SetCursorScreenPos({at.x + std::round(80 * theme.fonts.scale), at.y});
    const std::size_t now = segments(theme, choices, chosen);
    ImGui::SetCursorScreenPos({at.x, at.y + control_height(theme) + std::round(8 * theme.fonts.scale)});
    ImGui::Dummy({0, 0});
    return now;
}

void ask_for_look(const Theme& theme, PictureOrder& order) {
    order.extent = row(theme, "Size", extent_choices(), order.extent);
    const std::vector<Segment> scales{{"picture scale 1", "× 1", ""},
                                      {"picture scale 2", "× 2", "Larger type and strokes."},
                                      {"picture scale 3", "× 3", "For a poster, or a lecture hall."}};
    order.scale =
        static_cast<int>(row(theme, "Scale", scales, static_cast<std::size_t>(order.scale - 1))) + 1;
    const std::vector<Segment> themes{{"picture light", "light", ""}, {"picture dark", "dark", ""}};
    const bool dark = order.theme.value_or(theme.name) == ThemeName::dark;
    if (const std::size_t chosen = row(theme, "Theme", themes, dark ? 1 : 0); chosen != (dark ? 1u : 0u))
        order.theme = chosen == 1 ? ThemeName::dark : ThemeName::light;
    const std::vector<Segment> formats{{"picture png", "PNG", "Pixels, for slides and pages."},
                                       {"picture svg", "SVG", "Shapes and words, sharp at every size."}};
    order.svg = row(theme, "Format", formats, order.svg ? 1 : 0) == 1;
}

}  // namespace

void picture_dialog(const Theme& theme, const Session& session, Frame& frame) {
    FrameState& state = frame.state;
    if (!state.picture_dialog) return;
    if (!session.scene()) {
        state.picture_dialog = false;
        state.notice = "There is no image to save yet.";
        return;
    }
    const float scale = theme.fonts.scale;
    if (!ImGui::IsPopupOpen(popup)) ImGui::OpenPopup(popup);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {24 * scale, 20 * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8 * scale);
    ImGui::PushStyleColor(ImGuiCol_PopupBg, theme.panel);
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings;
    if (ImGui::BeginPopupModal(popup, nullptr, flags)) {
        text_item(theme.fonts.title, theme.text, "Picture of the open view");
        ImGui::Dummy({1, 4 * scale});
        ask_for_look(theme, state.picture);
        text_item(theme.fonts.small, theme.text_dim,
                  "into the current folder: " + picture_name(session, frame));
        ImGui::Dummy({1, 8 * scale});
        const bool save =
            text_button(theme, "picture save", "save", "") || compat::key_pressed(compat::Key::enter);
        ImGui::SameLine(0, 8 * scale);
        const bool copy = text_button(theme, "picture copy", "copy as PNG", "Onto the clipboard.");
        ImGui::SameLine(0, 8 * scale);
        const bool cancel =
            text_button(theme, "picture cancel", "cancel", "") || compat::key_pressed(compat::Key::escape);
        if (save || copy) state.take_picture = save ? PictureTarget::file : PictureTarget::clipboard;
        if (save || copy || cancel) {
            state.picture_dialog = false;
            ImGui::CloseCurrentPopup();
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

}  // namespace warplens::app
