#include "app/ui/code_lines.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/cuda_spans.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

/// Whether a comment of several lines is open before the line.
bool comment_open_before(const CodeEditorState& state, std::size_t line) {
    const std::string_view before = std::string_view(state.text).substr(0, state.starts[line]);
    const std::size_t open = before.rfind("/*"), close = before.rfind("*/");
    return open != std::string_view::npos && (close == std::string_view::npos || close < open);
}

void draw_spans(ImDrawList& list, const Theme& theme, ImVec2 at, std::string_view line, bool& in_comment) {
    for (const CudaSpan& span : cuda_spans(line, in_comment)) {
        list.AddText(theme.fonts.code, compat::font_size(theme.fonts.code), at, colour_of(theme, span.word),
                     span.text.data(), span.text.data() + span.text.size());
        at.x += text_width(theme.fonts.code, span.text);
    }
}

void draw_heat(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max, const EditorHeat& heat) {
    const ImU32 fill = mix(theme.raised, theme.cost, heat.cost > 0.01 ? 0.25 + 0.75 * heat.cost : 0);
    list.AddRectFilled(min, max, fill, 2 * theme.fonts.scale);
    draw_text_right(list, theme.fonts.small,
                    {max.x - 3 * theme.fonts.scale, (min.y + max.y - text_height(theme.fonts.small)) / 2},
                    theme.text_on(fill), heat.text);
    hit_box("editor heat " + std::to_string(heat.line), min, max);
}

/// Beside the line, as far as there is room: it covers no code.
void draw_message(ImDrawList& list, const Theme& theme, ImVec2 after_line, const std::string& words) {
    const float scale = theme.fonts.scale, left = after_line.x + 24 * scale;
    const float room = list.GetClipRectMax().x - 8 * scale - left;
    if (words.empty() || room < 60 * scale) return;
    draw_text(list, theme.fonts.small, {left, after_line.y + scale}, theme.error,
              fit_text(theme.fonts.small, words, room));
}

void draw_matches(ImDrawList& list, const Theme& theme, const CodeEditorState& state, std::size_t line,
                  ImVec2 at, float row) {
    const TextFind& find = state.find;
    const std::string_view text = line_text(state, line);
    const std::size_t begin = state.starts[line], end = begin + text.size();
    const auto x_of = [&](std::size_t offset) {
        return at.x + text_width(theme.fonts.code, text.substr(0, std::min(offset, end) - begin));
    };
    for (auto match = std::ranges::lower_bound(find.matches, begin);
         match != find.matches.end() && *match < end; ++match) {
        const ImVec2 min{x_of(*match), at.y}, max{x_of(*match + find.wanted.size()), at.y + row};
        list.AddRectFilled(min, max, with_alpha(theme.selected, 0.22));
        if (static_cast<std::size_t>(match - find.matches.begin()) == find.current)
            compat::add_rect(list, min, max, theme.selected, 2 * theme.fonts.scale, theme.fonts.scale);
    }
}

}  // namespace

float heat_width(const Theme& theme) {
    return std::ceil(text_width(theme.fonts.small, "00.0k")) + 10 * theme.fonts.scale;
}

std::string_view line_text(const CodeEditorState& state, std::size_t line) {
    const std::size_t begin = state.starts[line];
    const std::size_t end = line + 1 < state.starts.size() ? state.starts[line + 1] - 1 : state.text.size();
    return std::string_view(state.text).substr(begin, end - begin);
}

std::size_t line_of(const CodeEditorState& state, std::size_t offset) {
    const auto after = std::upper_bound(state.starts.begin(), state.starts.end(), offset);
    return static_cast<std::size_t>(after - state.starts.begin()) - 1;
}

void draw_code_lines(const Theme& theme, const CodeEditorState& state, const CodePlace& place,
                     const CodeNotes& notes) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float scale = theme.fonts.scale, top = list.GetClipRectMin().y, bottom = list.GetClipRectMax().y;
    const auto first = static_cast<std::size_t>(std::max(0.0f, std::floor((top - place.text.y) / place.row)));
    if (first >= state.starts.size()) return;
    bool in_comment = comment_open_before(state, first);
    const std::size_t cursor_line =
        line_of(state, std::min(static_cast<std::size_t>(state.cursor), state.text.size()));
    for (std::size_t line = first; line < state.starts.size(); ++line) {
        const float y = place.text.y + static_cast<float>(line) * place.row;
        if (y > bottom) break;
        const auto number = static_cast<std::uint32_t>(line + 1);
        const auto mark = std::ranges::find(notes.marks, number, &EditorMark::line);
        const bool is_marked = mark != notes.marks.end();
        const ImVec2 min{place.text.x - place.gutter, y}, max{place.right, y + place.row};
        if (is_marked) list.AddRectFilled(min, max, with_alpha(theme.error, 0.14));
        else if (number == notes.chosen) list.AddRectFilled(min, max, with_alpha(theme.selected, 0.14));
        else if (state.active && line == cursor_line) list.AddRectFilled(min, max, theme.hovered);
        const float number_right = place.text.x - 12 * scale - place.heat;
        draw_text_right(list, theme.fonts.code, {number_right, y}, is_marked ? theme.error : theme.text_dim,
                        std::to_string(number));
        if (is_marked) draw_text(list, theme.fonts.code, {min.x + 4 * scale, y}, theme.error, "×");
        const auto heat = std::ranges::lower_bound(notes.heat, number, {}, &EditorHeat::line);
        if (heat != notes.heat.end() && heat->line == number)
            draw_heat(list, theme, {place.text.x - 6 * scale - place.heat, y + 1},
                      {place.text.x - 8 * scale, y + place.row - 1}, *heat);
        draw_matches(list, theme, state, line, {place.text.x, y}, place.row);
        const std::string_view text = line_text(state, line);
        draw_spans(list, theme, {place.text.x, y}, text, in_comment);
        if (is_marked)
            draw_message(list, theme, {place.text.x + text_width(theme.fonts.code, text), y}, mark->words);
    }
}

}  // namespace warplens::app
