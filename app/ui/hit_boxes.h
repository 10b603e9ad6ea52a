// Hit boxes: the named rectangles of what can be clicked and the texts that were drawn, noted only when
// somebody asks: a test, so that it can click "knob PAD +" by name and read the number
// (tests/support/headless.h), the window for the text under the mouse (app/window/text_under_mouse.h), and a
// picture with callouts for their places (app/ui/marks.h).
#pragma once

#include <imgui.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::app {

struct HitBox {
    ImVec2 min, max;
    ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

struct DrawnText {
    ImVec2 min, max;
    std::string words;
    const ImDrawList* surface;                          // of its ImGui window
    std::string whole;                                  // what was shortened to `words`; else the same
    ImVec2 clip_min, clip_max;                          // what is outside is not seen …
    bool scrolls_across = false, scrolls_down = false;  // … until a person scrolls
};

/// A scale of numbers that goes across a part of the picture: "cycle".
struct AxisNote {
    double first = 0, last = 0;  // at the box's left and right side
    HitBox box;
};

struct FrameNotes {
    /// By name: "kernel saxpy", "knob PAD +", "tab banks". A later box of the same name replaces the earlier.
    std::map<std::string, HitBox, std::less<>> boxes;
    std::map<std::string, AxisNote, std::less<>> axes;
    std::vector<std::string> words;  // in drawing order
    std::vector<DrawnText> texts;    // likewise, those that have one place
    std::string under_mouse;         // the last text that was drawn there
    std::string cut_under_mouse;     // what it was shortened from; empty: it was not
    /// What texts that end in "…" were shortened from, by what is drawn; of equal ones the last.
    std::map<std::string, std::string, std::less<>> shortened;
    bool tooltip = false;    // one was drawn
    bool everything = true;  // false: only the text under the mouse is noted
};

/// Until the end of the current ImGui context (or a call with nullptr), notes go into `notes`.
inline void record_notes(FrameNotes* notes) { ImGui::GetIO().UserData = notes; }
inline FrameNotes* frame_notes() { return static_cast<FrameNotes*>(ImGui::GetIO().UserData); }

void hit_box(std::string_view name, ImVec2 min, ImVec2 max);

/// Whether hit boxes are kept: there may be many names to put together.
inline bool notes_boxes() {
    const FrameNotes* notes = frame_notes();
    return notes && notes->everything;
}

void note_axis(std::string_view name, double first, double last, ImVec2 min, ImVec2 max);

/// The same for ImGui's last item; `what` and `which` are joined with a space only when somebody asks.
void hit_box_of_item(std::string_view what, std::string_view which = {});

void note_words(std::string_view words);

/// Whether note_text() has a use for a text between these heights: if not, its width need not be known.
inline bool notes_text_at(float top, float bottom) {
    const FrameNotes* notes = frame_notes();
    const float mouse = ImGui::GetIO().MousePos.y;
    return notes && (notes->everything || (mouse >= top && mouse < bottom));
}

/// A text that does not fit is drawn as `drawn`, with an ellipsis; copies and tooltips have all of it.
void note_shortened(std::string_view drawn, std::string_view whole);

void note_text(const ImDrawList& surface, ImVec2 min, ImVec2 max, std::string_view words);

inline void note_tooltip() {
    if (FrameNotes* notes = frame_notes()) notes->tooltip = true;
}

}  // namespace warplens::app
