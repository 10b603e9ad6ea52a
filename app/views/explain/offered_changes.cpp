#include "app/views/explain/offered_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"

namespace warplens::app {
namespace {

constexpr std::size_t most_changes = 3;

/// A launch is the host's, whose code is not changed here.
bool can_be_made(const Change& change) { return !change.parameter.empty() || !change.edits.empty(); }

void make(ViewFrame& frame, const Change& change) {
    if (!change.parameter.empty()) frame.commands.set_parameters.push_back({change.parameter, change.value});
    else frame.commands.edit_source = change.edits;
}

/// The change with its result.
void draw_button(ViewFrame& frame, const TriedChange& tried, std::size_t number, bool has_cursor) {
    const Theme& theme = frame.theme;
    const float scale = theme.fonts.scale, room = ImGui::GetContentRegionAvail().x;
    const float pad = 12 * scale, height = text_height(theme.fonts.words);
    // Parts of the effect are side by side as far as there is room.
    std::string title = has_lines_to_show(tried.change) ? heading_of(tried.change) : name_of(tried.change);
    std::erase(title, '`');  // a button is in one font
    std::vector<std::string> lines{title + ":"};
    for (const std::string& part : tried.effect) {
        const bool first = &part == &tried.effect.front();
        std::string joined = lines.back() + (first ? " " : ", ") + part;
        if (text_width(theme.fonts.words, joined) + 2 * pad <= room) lines.back() = std::move(joined);
        else lines.push_back(part);
    }
    float width = 0;
    for (const std::string& line : lines)
        width = std::max(width, text_width(theme.fonts.words, line) + 2 * pad);
    width = std::min(width, room);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max{min.x + width, min.y + static_cast<float>(lines.size()) * height + 12 * scale};
    const std::string name = number == 1 ? "try" : fmt::format("try {}", number);
    invisible_button(name.c_str(), {max.x - min.x, max.y - min.y});
    const bool hovered = frame.interactive && ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 fill = hovered ? mix(theme.ideal, theme.text, 0.15) : theme.ideal;
    list.AddRectFilled(min, max, fill, 4 * scale);
    if (has_cursor)
        compat::add_rect(list, {min.x - 2 * scale, min.y - 2 * scale}, {max.x + 2 * scale, max.y + 2 * scale},
                         theme.selected, 6 * scale, 2 * scale);
    float y = min.y + 6 * scale;
    for (const std::string& line : lines) {
        draw_text(list, theme.fonts.words, {min.x + pad, y}, theme.text_on(fill),
                  fit_text(theme.fonts.words, line, width - 2 * pad));
        y += height;
    }
    if (hovered) tooltip_card(theme, heading_of(tried.change) + ": " + tried.effect_words());
    hit_box(name, min, max);
    if (frame.interactive && ImGui::IsItemClicked()) make(frame, tried.change);
    ImGui::Dummy({0, 2 * scale});
}

/// What goes and what comes, each on a row of its own; cut where the pane ends.
void draw_diff(const Theme& theme, ImFont* code, const Change& change, float width) {
    const float scale = theme.fonts.scale, height = text_height(code), pad = 6 * scale;
    const float room = width > 0 ? width : ImGui::GetContentRegionAvail().x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::vector<std::string> rows = lines_to_show(change);
    float widest = 0;
    for (const std::string& row : rows) widest = std::max(widest, text_width(code, row) + 4 * pad);
    const float filled = std::min(widest, room);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ImVec2 min = ImGui::GetCursorScreenPos();
        const ChangedLine::Kind kind = change.diff[i].kind;
        if (kind != ChangedLine::Kind::stays)
            list.AddRectFilled(min, {min.x + filled, min.y + height},
                               with_alpha(kind == ChangedLine::Kind::goes ? theme.cost : theme.ideal, 0.18));
        draw_text(list, code, {min.x + pad, min.y},
                  kind == ChangedLine::Kind::stays ? theme.text_dim : theme.text,
                  fit_text(code, rows[i], room - 2 * pad));
        // Rows touch: they are one text.
        ImGui::SetCursorScreenPos({min.x, min.y + height});
    }
    ImGui::Dummy({0, 4 * scale});
}

}  // namespace

void OfferedChanges::draw(ViewFrame& frame, const std::vector<TriedChange>& changes, ImFont* words,
                          ImFont* code, float width) {
    const std::size_t buttons = take_keys(frame, changes);
    for (std::size_t i = 0; i < std::min(changes.size(), most_changes); ++i) {
        const TriedChange& tried = changes[i];
        if (!frame.interactive || !can_be_made(tried.change)) {
            rich_text(frame.theme, words, code, frame.theme.text,
                      fmt::format("{}: {}.", heading_of(tried.change), tried.effect_words()), width);
            if (has_lines_to_show(tried.change)) draw_diff(frame.theme, code, tried.change, width);
            continue;
        }
        draw_button(frame, tried, i + 1, frame.focused && buttons > 0 && i == cursor_);
        if (has_lines_to_show(tried.change)) draw_diff(frame.theme, code, tried.change, width);
        else if (!tried.change.summary.empty())
            rich_text(frame.theme, words, code, frame.theme.text, title_of(tried.change), width);
    }
}

/// Left and right choose a button while the pane has the keyboard, Enter presses it. Returns how many
/// buttons there are.
std::size_t OfferedChanges::take_keys(ViewFrame& frame, const std::vector<TriedChange>& changes) {
    std::vector<std::size_t> buttons;
    for (std::size_t i = 0; i < std::min(changes.size(), most_changes); ++i)
        if (can_be_made(changes[i].change)) buttons.push_back(i);
    if (buttons.empty() || !frame.focused || ImGui::GetIO().WantTextInput ||
        ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId))
        return buttons.size();
    auto at = std::ranges::lower_bound(buttons, cursor_);
    if (at == buttons.end()) --at;
    if (compat::key_pressed(compat::Key::right) && at + 1 != buttons.end()) ++at;
    if (compat::key_pressed(compat::Key::left) && at != buttons.begin()) --at;
    cursor_ = *at;
    if (compat::key_pressed(compat::Key::enter)) make(frame, changes[cursor_].change);
    return buttons.size();
}

}  // namespace warplens::app
