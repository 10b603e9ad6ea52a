// CodeEditor: a text of many lines that can be edited, with line numbers, marks at the lines that are wrong,
// unlimited undo, spaces for the Tab key and the indentation of the line above after Enter. It handles text,
// lines and keys; the editor pane handles files and kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/ui/text_history.h"
#include "app/ui/theme.h"

namespace warplens::app {

struct EditorMark {
    std::uint32_t line = 0;  // from 1
    std::string words;       // may be empty
};

struct CodeEditorState {
    std::string text;
    int cursor = 0;  // byte offset
    bool active = false;
    bool focus = false;             // take the keyboard focus in the next frame
    std::uint32_t reveal_line = 0;  // scroll there in the next frame, then forget it

    // The editor's own.
    TextHistory history;
    std::optional<TextState> wanted;  // inserted at the next opportunity
    std::vector<std::size_t> starts;  // of the lines, byte offsets
    std::size_t known_size = ~std::size_t{0};
    int shown_cursor = -1;
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

/// Fills `size` at the cursor. `chosen` is a line that is shown as chosen elsewhere; 0: none.
CodeEditorResult code_editor(const Theme& theme, const char* id, ImVec2 size, CodeEditorState& state,
                             std::span<const EditorMark> marks, std::uint32_t chosen);

}  // namespace warplens::app
