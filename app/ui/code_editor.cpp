#include "app/ui/code_editor.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/letter_keys.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

constexpr int tab_width = 4;

std::size_t line_of(const CodeEditorState& state, int cursor) {
    const auto after =
        std::upper_bound(state.starts.begin(), state.starts.end(), static_cast<std::size_t>(cursor));
    return static_cast<std::size_t>(after - state.starts.begin()) - 1;
}

std::string_view line_text(const CodeEditorState& state, std::size_t line) {
    const std::size_t begin = state.starts[line];
    const std::size_t end = line + 1 < state.starts.size() ? state.starts[line + 1] - 1 : state.text.size();
    return std::string_view(state.text).substr(begin, end - begin);
}

void find_lines(const Theme& theme, CodeEditorState& state) {
    state.starts.assign(1, 0);
    for (std::size_t i = 0; i < state.text.size(); ++i)
        if (state.text[i] == '\n') state.starts.push_back(i + 1);
    state.known_size = state.text.size();
    std::size_t longest = 0;
    for (std::size_t line = 1; line < state.starts.size(); ++line)
        if (line_text(state, line).size() > line_text(state, longest).size()) longest = line;
    state.widest = text_width(theme.fonts.code, line_text(state, longest));
}

/// In the widget's callback, the only place where its text can be changed while it has the keyboard.
int on_event(ImGuiInputTextCallbackData* data) {
    CodeEditorState& state = *static_cast<CodeEditorState*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
        if (data->EventChar == '\n') state.indent_next = true;
        return 0;
    }
    const std::string_view text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const auto at = static_cast<std::size_t>(data->CursorPos);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
        const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
        const std::size_t column = newline == std::string_view::npos ? at : at - newline - 1;
        const std::string spaces(tab_width - column % tab_width, ' ');
        if (data->HasSelection()) {
            const int first = std::min(data->SelectionStart, data->SelectionEnd);
            data->DeleteChars(first, std::max(data->SelectionStart, data->SelectionEnd) - first);
        }
        data->InsertChars(data->CursorPos, spaces.c_str());
        return 0;
    }
    if (state.wanted) {
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, state.wanted->text.c_str());
        data->CursorPos = data->SelectionStart = data->SelectionEnd =
            std::min(state.wanted->cursor, data->BufTextLen);
        state.wanted.reset();
    } else if (state.indent_next && at > 0 && text[at - 1] == '\n') {
        const std::size_t before = at < 2 ? std::string_view::npos : text.rfind('\n', at - 2);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        std::string indent;
        for (std::size_t i = begin; i + 1 < at && (text[i] == ' ' || text[i] == '\t'); ++i)
            indent.push_back(text[i]);
        if (!indent.empty()) data->InsertChars(data->CursorPos, indent.c_str());
    }
    state.indent_next = false;
    state.cursor = data->CursorPos;
    return 0;
}

/// Comments dim, the rest in the text colour. `in_comment`: a comment of several lines is open.
void draw_line(ImDrawList& list, const Theme& theme, ImVec2 at, std::string_view line, bool& in_comment) {
    float x = at.x;
    const auto draw = [&](std::string_view part, ImU32 colour) {
        if (part.empty()) return;
        list.AddText(theme.fonts.code, compat::font_size(theme.fonts.code), {x, at.y}, colour, part.data(),
                     part.data() + part.size());
        x += text_width(theme.fonts.code, part);
    };
    while (!line.empty()) {
        if (in_comment) {
            const std::size_t end = line.find("*/");
            const std::size_t length = end == std::string_view::npos ? line.size() : end + 2;
            draw(line.substr(0, length), theme.text_dim);
            line.remove_prefix(length);
            in_comment = end == std::string_view::npos;
            continue;
        }
        const std::size_t rest = line.find("//"), open = std::min(line.find("/*"), line.size());
        if (rest < open) {
            draw(line.substr(0, rest), theme.text);
            draw(line.substr(rest), theme.text_dim);
            return;
        }
        draw(line.substr(0, open), theme.text);
        line.remove_prefix(open);
        in_comment = !line.empty();
    }
}

/// Whether a comment of several lines is open before the line.
bool comment_open_before(const CodeEditorState& state, std::size_t line) {
    const std::string_view before = std::string_view(state.text).substr(0, state.starts[line]);
    const std::size_t open = before.rfind("/*"), close = before.rfind("*/");
    return open != std::string_view::npos && (close == std::string_view::npos || close < open);
}

struct Place {
    ImVec2 text;  // upper left of the first line's first letter
    float gutter = 0, row = 0, right = 0;
};

void draw_lines(const Theme& theme, const CodeEditorState& state, const Place& place,
                std::span<const EditorMark> marks, std::uint32_t chosen) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float scale = theme.fonts.scale, top = list.GetClipRectMin().y, bottom = list.GetClipRectMax().y;
    const auto first = static_cast<std::size_t>(std::max(0.0f, std::floor((top - place.text.y) / place.row)));
    if (first >= state.starts.size()) return;
    bool in_comment = comment_open_before(state, first);
    const std::size_t cursor_line = line_of(state, std::min<int>(state.cursor, int(state.text.size())));
    for (std::size_t line = first; line < state.starts.size(); ++line) {
        const float y = place.text.y + static_cast<float>(line) * place.row;
        if (y > bottom) break;
        const auto number = static_cast<std::uint32_t>(line + 1);
        const auto mark = std::ranges::find(marks, number, &EditorMark::line);
        const ImVec2 min{place.text.x - place.gutter, y}, max{place.right, y + place.row};
        if (mark != marks.end()) list.AddRectFilled(min, max, with_alpha(theme.error, 0.14));
        else if (number == chosen) list.AddRectFilled(min, max, with_alpha(theme.selected, 0.14));
        else if (state.active && line == cursor_line) list.AddRectFilled(min, max, theme.hovered);
        const float number_right = place.text.x - 12 * scale;
        draw_text_right(list, theme.fonts.code, {number_right, y},
                        mark != marks.end() ? theme.error : theme.text_dim, std::to_string(number));
        if (mark != marks.end()) draw_text(list, theme.fonts.code, {min.x + 4 * scale, y}, theme.error, "×");
        const std::string_view text = line_text(state, line);
        draw_line(list, theme, {place.text.x, y}, text, in_comment);
        if (mark != marks.end() && !mark->words.empty()) {
            // After the line if there is room, else over its end, on a background of its own.
            const float clip = list.GetClipRectMax().x - 8 * scale;
            const std::string words =
                fit_text(theme.fonts.small, mark->words, std::max(60 * scale, (clip - min.x) * 0.7f));
            const float wide = text_width(theme.fonts.small, words);
            const float behind = place.text.x + text_width(theme.fonts.code, text) + 24 * scale;
            const float left = std::min(behind, clip - wide);
            if (left < behind)
                list.AddRectFilled({left - 8 * scale, y}, {clip + 8 * scale, y + place.row}, theme.panel);
            draw_text(list, theme.fonts.small, {left, y + 1 * scale}, theme.error, words);
        }
    }
}

void draw_caret(const Theme& theme, const CodeEditorState& state, const Place& place) {
    const double since = ImGui::GetTime() - state.cursor_moved;
    if (!state.active || std::fmod(since, 1.0) > 0.6) return;
    const std::size_t line = line_of(state, state.cursor);
    const std::string_view before =
        line_text(state, line).substr(0, static_cast<std::size_t>(state.cursor) - state.starts[line]);
    const ImVec2 at{place.text.x + text_width(theme.fonts.code, before),
                    place.text.y + static_cast<float>(line) * place.row};
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, {at.x + std::max(1.0f, 1.5f * theme.fonts.scale), at.y + place.row}, theme.text);
}

/// Keeps the cursor, or the line that is to be shown, inside the window.
void follow(const Theme& theme, CodeEditorState& state, const Place& place, float gutter) {
    std::size_t line = 0;
    bool middle = false;
    if (state.reveal_line != 0) {
        line = std::min<std::size_t>(state.reveal_line, state.starts.size()) - 1;
        middle = true;
        state.reveal_line = 0;
    } else if (state.active && state.cursor != state.shown_cursor) {
        line = line_of(state, state.cursor);
        state.cursor_moved = ImGui::GetTime();
        const auto column = static_cast<std::size_t>(state.cursor) - state.starts[line];
        const float x = text_width(theme.fonts.code, line_text(state, line).substr(0, column));
        const float room = ImGui::GetWindowWidth() - gutter - 24 * theme.fonts.scale;
        if (x < ImGui::GetScrollX()) ImGui::SetScrollX(std::max(0.0f, x - room / 4));
        else if (x > ImGui::GetScrollX() + room) ImGui::SetScrollX(x - room * 3 / 4);
    } else {
        return;
    }
    state.shown_cursor = state.cursor;
    const float y = static_cast<float>(line) * place.row, room = ImGui::GetWindowHeight() - 2 * place.row;
    const bool out = y < ImGui::GetScrollY() || y > ImGui::GetScrollY() + room;
    if (middle && out) ImGui::SetScrollY(std::max(0.0f, y - room / 3));
    else if (y < ImGui::GetScrollY()) ImGui::SetScrollY(y);
    else if (y > ImGui::GetScrollY() + room) ImGui::SetScrollY(y - room);
}

void go_back_or_on(CodeEditorState& state) {
    const bool again = compat::ctrl_with('Y') || (ImGui::GetIO().KeyShift && compat::ctrl_with('Z'));
    if (!again && !compat::ctrl_with('Z')) return;
    const TextState now{state.text, state.cursor};
    if (auto found = again ? state.history.redo(now) : state.history.undo(now))
        state.wanted = std::move(*found);
}

}  // namespace

void set_text(CodeEditorState& state, std::string text, bool undoable) {
    if (undoable && text != state.text) state.history.note({state.text, state.cursor}, text.size(), -1e9);
    if (!undoable) state.history.clear();
    if (state.active) state.wanted = TextState{text, state.cursor};
    state.text = std::move(text);
    state.cursor = std::min(state.cursor, static_cast<int>(state.text.size()));
    state.known_size = ~std::size_t{0};
}

CodeEditorResult code_editor(const Theme& theme, const char* id, ImVec2 size, CodeEditorState& state,
                             std::span<const EditorMark> marks, std::uint32_t chosen) {
    CodeEditorResult result;
    const float scale = theme.fonts.scale;
    if (state.known_size != state.text.size()) find_lines(theme, state);
    compat::begin_child(id, size, ImGuiWindowFlags_HorizontalScrollbar);
    compat::push_font(theme.fonts.code);
    Place place;
    place.row = ImGui::GetFontSize();
    place.gutter = std::ceil(text_width(theme.fonts.code, "0000")) + 28 * scale;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    place.text = {origin.x + place.gutter, origin.y};
    const ImVec2 content{
        std::max(state.widest + 200 * scale, size.x - place.gutter - 20 * scale),
        std::max(static_cast<float>(state.starts.size() + 2) * place.row, size.y - 20 * scale)};
    place.right = std::max(place.text.x + content.x, origin.x + size.x);
    draw_lines(theme, state, place, marks, chosen);
    draw_caret(theme, state, place);

    const TextState before{state.text, state.cursor};
    if (state.active) {
        go_back_or_on(state);
        result.save = compat::ctrl_with('S');
        result.run = ImGui::GetIO().KeyCtrl && compat::key_pressed(compat::Key::enter);
    }
    const bool escaped = state.active && compat::key_pressed(compat::Key::escape);
    if (std::exchange(state.focus, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetCursorScreenPos(place.text);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(0, 0, 0, 0));  // drawn above, in colours
    ImGui::PushStyleColor(ImGuiCol_FrameBg, IM_COL32(0, 0, 0, 0));
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, with_alpha(theme.selected, 0.35));
    constexpr ImGuiInputTextFlags flags =
        ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCompletion |
        ImGuiInputTextFlags_CallbackCharFilter | ImGuiInputTextFlags_NoUndoRedo;
    ImGui::InputTextMultiline("##text", &state.text, content, flags, on_event, &state);
    hit_box(std::string("editor ") + id, ImGui::GetWindowPos(),
            {ImGui::GetWindowPos().x + size.x, ImGui::GetWindowPos().y + size.y});
    state.active = ImGui::IsItemActive();
    ImGui::PopStyleColor(3);
    ImGui::PopStyleVar();
    // Esc leaves the text; the widget would take back all that was typed.
    if (escaped && state.text != before.text) state.text = before.text;
    if (state.wanted && !state.active) {
        state.text = state.wanted->text;
        state.cursor = state.wanted->cursor;
        state.wanted.reset();
    }
    if (state.text != before.text) {
        result.changed = true;
        state.known_size = ~std::size_t{0};
        find_lines(theme, state);
        state.cursor = std::min(state.cursor, static_cast<int>(state.text.size()));
        if (!compat::ctrl_with('Z') && !compat::ctrl_with('Y'))
            state.history.note(before, state.text.size(), ImGui::GetTime());
    }
    if (result.run) state.focus = true;  // Ctrl+Enter ends the widget's editing
    follow(theme, state, place, place.gutter);
    ImGui::PopFont();
    ImGui::EndChild();
    return result;
}

}  // namespace warplens::app
