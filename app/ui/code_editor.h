// CodeEditor: a text of many lines that can be edited, with line numbers and costs, marks at the lines that
// are wrong, a search, unlimited undo, spaces for the Tab key and the indentation of the line above after
// Enter. It handles text, lines and keys; the editor pane handles files and kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/ui/text_find.h"
#include "app/ui/text_history.h"
#include "app/ui/theme.h"

namespace warplens::app {

struct EditorMark {
    std::uint32_t line = 0;  // from 1
    std::string words;       // may be empty
};

/// What a line costs, next to its number.
struct EditorHeat {
    std::uint32_t line = 0;  // from 1
    double cost = 0;         // from 0 to 1, for the colour
    std::string text;
};

/// Of the text, in bytes; `last` left out.
struct TextRange {
    std::size_t first = 0, last = 0;
};

struct CodeEditorState {
    std::string text;
    int cursor = 0;  // byte offset
    bool active = false;
    bool focus = false;             // take the keyboard focus in the next frame
    std::uint32_t reveal_line = 0;  // scroll there in the next frame, then forget it

    std::optional<TextRange> select;  // selected as soon as the text has the keyboard
    TextFind find;

    // The editor's own.
    TextHistory history;
    std::optional<TextState> wanted;  // inserted at the next opportunity
    std::vector<std::size_t> starts;  // of the lines, byte offsets
    std::size_t known_size = ~std::size_t{0};
    int shown_cursor = -1;
    int held_frames = 0;  // in which the scroll position is kept
    ImVec2 held_scroll;
    bool indent_next = false;
    double cursor_moved = 0;  // seconds, for its blinking
    float widest = 0;         // pixels, of the longest line
};

/// Replaces the text; can be undone if `undoable`.
void set_text(CodeEditorState& state, std::string text, bool undoable);

struct CodeEditorResult {
    bool changed = false;
    bool save = false, run = false;  // Ctrl+S, Ctrl+Enter
};

/// What is drawn with the text.
struct CodeNotes {
    std::span<const EditorMark> marks;
    std::span<const EditorHeat> heat;
    std::uint32_t chosen = 0;  // a line that is shown as chosen elsewhere; 0: none
};

/// Fills `size` at the cursor.
CodeEditorResult code_editor(const Theme& theme, const char* id, ImVec2 size, CodeEditorState& state,
                             const CodeNotes& notes);

}  // namespace warplens::app
