// Hit boxes: the named rectangles of what can be clicked and the words that were drawn, recorded only for
// tests, so that a test can click "knob PAD +" by name and read the number. Otherwise nothing is kept; see
// tests/support/headless.h for the reader.
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

struct FrameNotes {
    /// By name: "kernel saxpy", "knob PAD +", "tab banks". A later box of the same name replaces the earlier.
    std::map<std::string, HitBox, std::less<>> boxes;
    std::vector<std::string> words;  // in drawing order
};

/// Until the end of the current ImGui context (or a call with nullptr), notes go into `notes`.
inline void record_notes(FrameNotes* notes) { ImGui::GetIO().UserData = notes; }

inline void hit_box(std::string_view name, ImVec2 min, ImVec2 max) {
    if (auto* notes = static_cast<FrameNotes*>(ImGui::GetIO().UserData))
        notes->boxes.insert_or_assign(std::string(name), HitBox{min, max});
}

/// The same for ImGui's last item; `what` and `which` are joined with a space only when somebody asks.
inline void hit_box_of_item(std::string_view what, std::string_view which = {}) {
    if (!ImGui::GetIO().UserData) return;
    std::string name(what);
    if (!which.empty()) name.append(" ").append(which);
    hit_box(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

inline void note_words(std::string_view words) {
    if (auto* notes = static_cast<FrameNotes*>(ImGui::GetIO().UserData)) notes->words.emplace_back(words);
}

}  // namespace warplens::app
