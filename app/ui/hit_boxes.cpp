#include "app/ui/hit_boxes.h"

#include <algorithm>

namespace warplens::app {

void hit_box(std::string_view name, ImVec2 min, ImVec2 max) {
    if (notes_boxes()) frame_notes()->boxes.insert_or_assign(std::string(name), HitBox{min, max});
}

void note_axis(std::string_view name, double first, double last, ImVec2 min, ImVec2 max) {
    if (notes_boxes() && first < last)
        frame_notes()->axes.insert_or_assign(std::string(name), AxisNote{first, last, {min, max}});
}

void hit_box_of_item(std::string_view what, std::string_view which) {
    if (!notes_boxes()) return;
    std::string name(what);
    if (!which.empty()) name.append(" ").append(which);
    hit_box(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void note_words(std::string_view words) {
    if (notes_boxes()) frame_notes()->words.emplace_back(words);
}

void note_shortened(std::string_view drawn, std::string_view whole) {
    if (FrameNotes* notes = frame_notes()) notes->shortened.insert_or_assign(std::string(drawn), whole);
}

void note_text(const ImDrawList& surface, ImVec2 min, ImVec2 max, std::string_view words) {
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

}  // namespace warplens::app
