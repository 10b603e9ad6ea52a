#include "app/ui/text_find.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "app/ui/arrow_button.h"
#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

std::string count_words(const TextFind& find) {
    if (find.wanted.empty()) return {};
    if (find.matches.empty()) return "no match";
    return fmt::format("{} of {}", grouped(find.current + 1), grouped(find.matches.size()));
}

/// The match before or after the current one, around the end of the text.
void step(TextFind& find, bool back) {
    const std::size_t count = find.matches.size();
    if (count > 0) find.current = (find.current + (back ? count - 1 : 1)) % count;
}

}  // namespace

std::vector<std::size_t> find_all(std::string_view text, std::string_view wanted) {
    std::vector<std::size_t> matches;
    if (wanted.empty()) return matches;
    const auto equal = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    for (auto at = text.begin();; at += std::ssize(wanted)) {
        at = std::search(at, text.end(), wanted.begin(), wanted.end(), equal);
        if (at == text.end()) return matches;
        matches.push_back(static_cast<std::size_t>(at - text.begin()));
    }
}

float find_row_height(const Theme& theme) {
    return control_height(theme) + std::round(8 * theme.fonts.scale);
}

TextFindResult find_row(const Theme& theme, TextFind& find, std::string_view text, std::size_t from) {
    TextFindResult result;
    const float scale = theme.fonts.scale, gap = std::round(8 * scale), height = control_height(theme);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID("find row");
    if (std::exchange(find.focus, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(std::clamp(width - 200 * scale, 60 * scale, 260 * scale));
    const std::string before = find.wanted;
    const bool entered =
        ImGui::InputTextWithHint("##wanted", "Find", &find.wanted,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    hit_box_of_item("find field");
    const bool escaped = ImGui::IsItemDeactivated() && compat::key_pressed(compat::Key::escape);
    const float right = ImGui::GetItemRectMax().x;
    find.matches = find_all(text, find.wanted);
    if (find.wanted != before) {
        const auto first = std::ranges::lower_bound(find.matches, from);
        find.current =
            first == find.matches.end() ? 0 : static_cast<std::size_t>(first - find.matches.begin());
    }
    find.current = std::min(find.current, std::max<std::size_t>(find.matches.size(), 1) - 1);
    bool moved = find.wanted != before;
    if (entered) step(find, ImGui::GetIO().KeyShift), moved = find.focus = true;

    const bool has_matches = !find.matches.empty();
    ImGui::SetCursorScreenPos({right + gap, at.y});
    if (arrow_button(theme, "previous", ImGuiDir_Left, has_matches)) step(find, true), moved = true;
    hit_box_of_item("find previous");
    ImGui::SetCursorScreenPos({right + gap + arrow_button_width(theme), at.y});
    if (arrow_button(theme, "next", ImGuiDir_Right, has_matches)) step(find, false), moved = true;
    hit_box_of_item("find next");
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.small,
              {right + 2 * gap + 2 * arrow_button_width(theme),
               at.y + std::round((height - text_height(theme.fonts.small)) / 2)},
              has_matches || find.wanted.empty() ? theme.text_dim : theme.error, count_words(find));
    ImGui::SetCursorScreenPos({at.x + width - text_button_width(theme, "×"), at.y});
    result.closed = text_button(theme, "close find", "×", "Close (Esc).") || escaped;
    if (moved && has_matches) result.go = find.matches[find.current];
    ImGui::PopID();
    ImGui::SetCursorScreenPos({at.x, at.y + find_row_height(theme)});
    return result;
}

}  // namespace warplens::app
