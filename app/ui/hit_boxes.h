// Hit boxes: the named rectangles of what can be clicked and the texts that were drawn, noted only when
// somebody asks: a test, so that it can click "knob PAD +" by name and read the number
// (tests/support/headless.h), the window for the text under the mouse (app/window/text_under_mouse.h), and a
// picture with callouts for their places (app/ui/marks.h).
#pragma once

#include <imgui.h>

#include <algorithm>
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

inline void hit_box(std::string_view name, ImVec2 min, ImVec2 max) {
    if (FrameNotes* notes = frame_notes(); notes && notes->everything)
        notes->boxes.insert_or_assign(std::string(name), HitBox{min, max});
}

/// Whether hit boxes are kept: there may be many names to put together.
inline bool notes_boxes() {
    const FrameNotes* notes = frame_notes();
    return notes && notes->everything;
}

inline void note_axis(std::string_view name, double first, double last, ImVec2 min, ImVec2 max) {
    if (notes_boxes() && first < last)
        frame_notes()->axes.insert_or_assign(std::string(name), AxisNote{first, last, {min, max}});
}

/// The same for ImGui's last item; `what` and `which` are joined with a space only when somebody asks.
inline void hit_box_of_item(std::string_view what, std::string_view which = {}) {
    if (const FrameNotes* notes = frame_notes(); !notes || !notes->everything) return;
    std::string name(what);
    if (!which.empty()) name.append(" ").append(which);
    hit_box(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

inline void note_words(std::string_view words) {
    if (FrameNotes* notes = frame_notes(); notes && notes->everything) notes->words.emplace_back(words);
}

/// Whether note_text() has a use for a text between these heights: if not, its width need not be known.
inline bool notes_text_at(float top, float bottom) {
    const FrameNotes* notes = frame_notes();
    const float mouse = ImGui::GetIO().MousePos.y;
    return notes && (notes->everything || (mouse >= top && mouse < bottom));
}

/// A text that does not fit is drawn as `drawn`, with an ellipsis; copies and tooltips have all of it.
inline void note_shortened(std::string_view drawn, std::string_view whole) {
    if (FrameNotes* notes = frame_notes()) notes->shortened.insert_or_assign(std::string(drawn), whole);
}

inline void note_text(const ImDrawList& surface, ImVec2 min, ImVec2 max, std::string_view words) {
    if (!notes_text_at(min.y, max.y)) return;
    FrameNotes& notes = *frame_notes();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const ImVec2 clip_min = surface.GetClipRectMin(), clip_max = surface.GetClipRectMax();
    const auto cut = words.ends_with("…") ? notes.shortened.find(words) : notes.shortened.end();
    const bool is_cut = cut != notes.shortened.end();
    if (mouse.x >= std::max(min.x, clip_min.x) && mouse.x < std::min(max.x, clip_max.x) &&
        mouse.y >= std::max(min.y, clip_min.y) && mouse.y < std::min(max.y, clip_max.y)) {
        notes.under_mouse = words;
        notes.cut_under_mouse = is_cut ? cut->second : std::string();
    }
    if (!notes.everything) return;
    notes.words.emplace_back(words);
    notes.texts.push_back({min, max, std::string(words), &surface, is_cut ? cut->second : std::string(words),
                           clip_min, clip_max, ImGui::GetScrollMaxX() > 0, ImGui::GetScrollMaxY() > 0});
}

inline void note_tooltip() {
    if (FrameNotes* notes = frame_notes()) notes->tooltip = true;
}

}  // namespace warplens::app
