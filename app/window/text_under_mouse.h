// Text under the mouse: a term, state or metric there shows its definition once the mouse rests; Ctrl+C
// copies the text, and a right click offers it, its row and all text around it. What was shortened with "…"
// is shown and copied in full. It knows only what was drawn: app/ui/text.h notes each text with its place, in
// app/ui/hit_boxes.h.
#pragma once

#include <string>

#include "analysis/report/definitions.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

class TextUnderMouse {
  public:
    /// Around everything that is drawn in a frame, within it.
    void begin_frame();
    void end_frame(const Theme& theme, FrameState& state);

  private:
    enum class Asked { nothing, copy, menu };
    void show_definition(const Theme& theme, const FrameNotes& notes, FrameState& state);
    void take(const FrameNotes& notes, FrameState& state);
    void ask(FrameState& state);
    void menu(const Theme& theme, FrameState& state);

    FrameNotes notes_;  // unless a test keeps its own
    bool installed_ = false;
    Asked asked_ = Asked::nothing;
    ImVec2 asked_at_ = {};
    std::string word_;  // under the mouse
    analysis::Definition definition_;
    double since_ = 0;
    ImVec2 rests_at_ = {};
    std::string text_, row_, all_;  // in the open menu
};

/// The text at a place that was drawn last, with its row and everything on its surface: texts of a row are
/// joined by a space or, across a gap, by a tab, and rows by line ends. All empty where there is none.
struct TextsAt {
    std::string text, row, all;
};
TextsAt texts_at(const FrameNotes& notes, ImVec2 at);

}  // namespace warplens::app
