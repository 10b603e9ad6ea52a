#include "app/ui/code_editor.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/code_lines.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/letter_keys.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"

namespace warplens::app {
namespace {

constexpr int tab_width = 4;
/// Frames after Ctrl+Enter in which the text must not scroll.
constexpr int frames_to_hold = 4;

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
    if (state.select) {
        data->SelectionStart = std::min(static_cast<int>(state.select->first), data->BufTextLen);
        data->SelectionEnd = data->CursorPos =
            std::min(static_cast<int>(state.select->last), data->BufTextLen);
        state.select.reset();
    }
    state.cursor = data->CursorPos;
    return 0;
}

void draw_caret(const Theme& theme, const CodeEditorState& state, const CodePlace& place) {
    const double since = ImGui::GetTime() - state.cursor_moved;
    if (!state.active || std::fmod(since, 1.0) > 0.6) return;
    const std::size_t line = line_of(state, static_cast<std::size_t>(state.cursor));
    const std::string_view before =
        line_text(state, line).substr(0, static_cast<std::size_t>(state.cursor) - state.starts[line]);
    const ImVec2 at{place.text.x + text_width(theme.fonts.code, before),
                    place.text.y + static_cast<float>(line) * place.row};
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, {at.x + std::max(1.0f, 1.5f * theme.fonts.scale), at.y + place.row}, theme.text);
}

/// Keeps the cursor, or the line that is to be shown, inside the window.
void follow(const Theme& theme, CodeEditorState& state, const CodePlace& place, float gutter) {
    std::size_t line = 0;
    bool middle = false;
    if (state.reveal_line != 0) {
        line = std::min<std::size_t>(state.reveal_line, state.starts.size()) - 1;
        middle = true;
        state.reveal_line = 0;
    } else if (state.active && state.cursor != state.shown_cursor) {
        line = line_of(state, static_cast<std::size_t>(state.cursor));
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

/// The row for what is looked for, above the text. Returns its height.
float draw_find(const Theme& theme, CodeEditorState& state) {
    TextFind& find = state.find;
    if (!find.is_open) return 0;
    const TextFindResult found = find_row(theme, find, state.text, static_cast<std::size_t>(state.cursor));
    if (found.go) {
        state.select = {*found.go, *found.go + find.wanted.size()};
        state.reveal_line = static_cast<std::uint32_t>(line_of(state, *found.go) + 1);
    }
    if (found.closed) {
        find.is_open = false;
        find.matches.clear();
        state.focus = true;
    }
    return find_row_height(theme);
}

/// Notes what the widget changed for undo, and what it must not change.
void take_changes(const Theme& theme, CodeEditorState& state, const TextState& before, bool escaped,
                  CodeEditorResult& result) {
    // Esc leaves the text; the widget would take back all that was typed.
    if (escaped && state.text != before.text) state.text = before.text;
    if (state.wanted && !state.active) {
        state.text = state.wanted->text;
        state.cursor = state.wanted->cursor;
        state.wanted.reset();
    }
    if (state.text == before.text) return;
    result.changed = true;
    state.known_size = ~std::size_t{0};
    find_lines(theme, state);
    state.cursor = std::min(state.cursor, static_cast<int>(state.text.size()));
    if (!compat::ctrl_with('Z') && !compat::ctrl_with('Y'))
        state.history.note(before, state.text.size(), ImGui::GetTime());
}

/// The whole message of a mark whose line the mouse is on: beside the line there may be no room for it.
void explain_mark(const Theme& theme, const CodePlace& place, std::span<const EditorMark> marks) {
    // The text field is a child window.
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
        return;
    const float row = std::floor((ImGui::GetMousePos().y - place.text.y) / place.row);
    if (row < 0) return;
    const auto mark = std::ranges::find(marks, static_cast<std::uint32_t>(row) + 1, &EditorMark::line);
    if (mark != marks.end() && !mark->words.empty()) tooltip_card(theme, mark->words);
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
                             const CodeNotes& notes) {
    CodeEditorResult result;
    const float scale = theme.fonts.scale;
    if (state.known_size != state.text.size()) find_lines(theme, state);
    size.y -= draw_find(theme, state);
    compat::begin_child(id, {size.x, std::max(1.0f, size.y)}, ImGuiWindowFlags_HorizontalScrollbar);
    compat::push_font(theme.fonts.code);
    CodePlace place;
    place.row = ImGui::GetFontSize();
    place.heat = notes.heat.empty() ? 0 : heat_width(theme);
    place.gutter = std::ceil(text_width(theme.fonts.code, "0000")) + 28 * scale + place.heat;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    place.text = {origin.x + place.gutter, origin.y};
    const ImVec2 content{
        std::max(state.widest + 200 * scale, size.x - place.gutter - 20 * scale),
        std::max(static_cast<float>(state.starts.size() + 2) * place.row, size.y - 20 * scale)};
    place.right = std::max(place.text.x + content.x, origin.x + size.x);
    draw_code_lines(theme, state, place, notes);
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
    take_changes(theme, state, before, escaped, result);
    if (result.run) {
        state.focus = true;  // Ctrl+Enter ends the widget's editing
        state.held_scroll = {ImGui::GetScrollX(), ImGui::GetScrollY()};
        state.held_frames = frames_to_hold;
    }
    if (state.held_frames > 0) {
        // A widget that gets the keyboard scrolls into sight: to its beginning, as it is larger than the
        // pane.
        --state.held_frames;
        ImGui::SetScrollX(state.held_scroll.x);
        ImGui::SetScrollY(state.held_scroll.y);
    } else {
        follow(theme, state, place, place.gutter);
    }
    ImGui::PopFont();
    explain_mark(theme, place, notes.marks);
    ImGui::EndChild();
    return result;
}

}  // namespace warplens::app
