// Hit boxes: the named rectangles of what can be clicked, noted only when a test asks, so that it can click
// "knob PAD +" by name. Nothing is kept when nobody asks; see app/headless.h for the asking side.
#pragma once

#include <imgui.h>

#include <map>
#include <string>
#include <string_view>

namespace warplens::app {

struct HitBox {
    ImVec2 min, max;
    ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

/// By name: "kernel saxpy", "knob PAD +", "tab banks". A later box of the same name replaces the earlier.
using HitBoxes = std::map<std::string, HitBox, std::less<>>;

/// Until the end of the current ImGui context (or a call with nullptr), notes boxes into `boxes`.
inline void record_hit_boxes(HitBoxes* boxes) { ImGui::GetIO().UserData = boxes; }

inline void hit_box(std::string_view name, ImVec2 min, ImVec2 max) {
    if (auto* boxes = static_cast<HitBoxes*>(ImGui::GetIO().UserData))
        boxes->insert_or_assign(std::string(name), HitBox{min, max});
}

/// The same for ImGui's last item; `what` and `which` are joined with a space only when somebody asks.
inline void hit_box_of_item(std::string_view what, std::string_view which = {}) {
    if (!ImGui::GetIO().UserData) return;
    std::string name(what);
    if (!which.empty()) name.append(" ").append(which);
    hit_box(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

}  // namespace warplens::app
