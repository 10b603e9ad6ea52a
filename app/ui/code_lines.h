// Code lines: how the editor's text is drawn — numbers, heat, marks, colours, matches. It draws what is in
// sight and reacts to nothing.
#pragma once

#include <string_view>

#include "app/ui/code_editor.h"
#include "app/ui/theme.h"

namespace warplens::app {

/// The place of the text on screen, in pixels.
struct CodePlace {
    ImVec2 text;                                     // upper left of the first line's first letter
    float gutter = 0, heat = 0, row = 0, right = 0;  // `heat`: the part of the gutter next to the text
};

float heat_width(const Theme& theme);
std::string_view line_text(const CodeEditorState& state, std::size_t line);
/// Of the byte offset.
std::size_t line_of(const CodeEditorState& state, std::size_t offset);
void draw_code_lines(const Theme& theme, const CodeEditorState& state, const CodePlace& place,
                     const CodeNotes& notes);

}  // namespace warplens::app
