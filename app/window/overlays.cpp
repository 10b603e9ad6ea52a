#include "app/window/overlays.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/window/palette/window_commands.h"

namespace warplens::app {
namespace {

/// A shorter run replaces the picture before the dimming becomes visible.
constexpr double seconds_before_dimming = 0.12, seconds_to_dim = 0.16;

/// Besides those of the window's commands.
constexpr std::pair<const char*, const char*> keys[] = {
    {"Ctrl+K, /", "Find a kernel, view, knob, line, command or term"},
    {"Ctrl+C, right click", "Copy the text under the mouse"},
    {"Tab", "Next view"},
    {"F6, Shift+F6", "Next or previous pane: the arrow keys then move in it, and Enter opens"},
    {"← →", "Change the knob that was clicked last"},
    {"click", "Select a lane, access or line in all views"},
    {"drag a knob", "Step through its values"},
    {"click a value", "Type a value or choose from the list"},
    {"A D, ← → over the timeline", "Move through the cycles; Ctrl+wheel zooms"},
    {", .", "Move the play head by one cycle"},
    {"F", "Find an instruction, line or state in the timeline"},
    {"in a lesson: ← →", "Previous and next step; Enter checks the answer"},
    {"in a lesson: P", "Present: large type; Space shows the answer"},
    {"Ctrl + − 0", "Larger text, smaller text, natural size"},
    {"Ctrl+Enter, Ctrl+F", "In the editor: run; find text"},
    {"Esc", "Close the open panel; cancel a run"},
};

}  // namespace

void veil(const Theme& theme, const Session& session, const FrameState& state, const std::string& name,
          const Box& box) {
    if (!session.stale() || !session.scene()) return;
    const double share =
        session.running()
            ? std::clamp((state.stale_seconds - seconds_before_dimming) / seconds_to_dim, 0.0, 1.0)
            : 1.0;
    if (share <= 0 || box.width() < 1 || box.height() < 1) return;
    ImGui::SetCursorScreenPos(box.min());
    // A child of its own, because children are drawn in order: this one over the views' own children.
    compat::begin_child(name.c_str(), {box.width(), box.height()},
                        ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar);
    ImGui::GetWindowDrawList()->AddRectFilled(box.min(), box.max(),
                                              with_alpha(theme.background, 0.6 * share));
    ImGui::EndChild();
}

float invitation(const Theme& theme, Session& session, FrameState& state, LessonPage* lessons) {
    if (!state.invite) return 0;
    const float scale = theme.fonts.scale;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = std::round(44 * scale);
    const float margin = std::round(12 * scale),
                top = at.y + std::round((height - control_height(theme)) / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, with_alpha(theme.ideal, 0.10));
    ImGui::SetCursorScreenPos(
        {at.x + margin, at.y + std::round((height - 1.3f * text_height(theme.fonts.words)) / 2)});
    rich_text(theme, theme.fonts.words, theme.fonts.code, theme.text,
              "Set `PAD` from 0 to 1 and watch the banks: each row of the tile then starts one bank later.");
    const float close = text_button_width(theme, "×"), turn = text_button_width(theme, "PAD 1"),
                gap = std::round(8 * scale);
    if (const auto first = lessons ? lessons->first() : nullptr) {
        const char* words = "New here? Start the first lesson";
        const float begin = text_button_width(theme, words);
        ImGui::SetCursorScreenPos({at.x + width - margin - close - turn - begin - 2 * gap, top});
        if (text_button(theme, "invitation lesson", words, first->title)) {
            state.invite = false;
            lessons->open(first);
        }
    }
    ImGui::SetCursorScreenPos({at.x + width - margin - close - gap - turn, top});
    if (text_button(theme, "invitation PAD 1", "PAD 1", "")) {
        session.set_parameter("PAD", "1");
        state.invite = false;
    }
    ImGui::SetCursorScreenPos({at.x + width - margin - close, top});
    if (text_button(theme, "invitation close", "×", "")) state.invite = false;
    draw_horizontal_hairline(list, theme, at.x, at.x + width, at.y + height - 1);
    return height;
}

void keys_card(const Theme& theme, FrameState& state) {
    if (!state.keys_shown) return;
    const float scale = theme.fonts.scale;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {24 * scale, 20 * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8 * scale);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.panel);
    ImGui::Begin("keys", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    text_item(theme.fonts.title, theme.text, "Keys");
    ImGui::Dummy({1, 4 * scale});
    std::vector<std::pair<const char*, const char*>> rows(std::begin(keys), std::end(keys));
    for (const WindowCommand& command : window_commands())
        if (*command.key != '\0') rows.emplace_back(command.key, command.words);
    float widest = 0;
    for (const auto& [key, meaning] : rows) widest = std::max(widest, text_width(theme.fonts.code, key));
    for (const auto& [key, meaning] : rows) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        draw_text(*ImGui::GetWindowDrawList(), theme.fonts.code, at, theme.text, key);
        ImGui::SetCursorScreenPos({at.x + std::ceil(widest) + 24 * scale, at.y});
        text_item(theme.fonts.words, theme.text_dim, meaning);
    }
    if (ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
        !ImGui::IsWindowAppearing())
        state.keys_shown = false;
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
}

}  // namespace warplens::app
