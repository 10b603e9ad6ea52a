#include "app/views/timeline/mouse.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {

namespace {

constexpr float wheel_step = 40;  // pixels of rows

}  // namespace

void take_wheel(TimelineNavigation& navigation, const Box& plot, ImVec2 mouse, float scale) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel == 0) return;
    if (io.KeyCtrl) {
        const double share = std::clamp((mouse.x - plot.x0) / plot.width(), 0.0f, 1.0f);
        navigation.zoom(navigation.view().first + share * navigation.view().size(),
                        std::pow(0.75, io.MouseWheel));
        navigation.hold(mouse.y - plot.y0);
    } else if (io.KeyShift) {
        navigation.pan(-0.1 * static_cast<double>(io.MouseWheel));
    } else {
        navigation.scroll_by(-io.MouseWheel * wheel_step * scale);
    }
}

TimelineDrag::Done TimelineDrag::take(const TimelinePlot& plot, const Box& axis, ImVec2 mouse, bool hovered,
                                      double end, TimelineNavigation& navigation) {
    Done done;
    const ImGuiIO& io = ImGui::GetIO();
    const double at = std::clamp(plot.cycle_at(mouse.x), 0.0, end);
    if (hovered && (ImGui::IsMouseDragging(2) || ImGui::IsMouseDragging(1)))
        navigation.pan(-static_cast<double>(io.MouseDelta.x / plot.plot.width()));
    if (hovered && ImGui::IsMouseClicked(0)) {
        scrubbing_ = axis.has(mouse);
        pressed_ = !scrubbing_ && plot.plot.has(mouse);
        pressed_at_ = at;
    }
    const bool dragged = io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
    if (scrubbing_ && ImGui::IsMouseDown(0)) done.head = at;
    if (pressed_ && dragged && ImGui::IsMouseDown(0))
        done.measure = CycleView{std::min(pressed_at_, at), std::max(pressed_at_, at)};
    if (!ImGui::IsMouseReleased(0)) return done;
    done.clicked = pressed_ && !dragged;
    pressed_ = scrubbing_ = false;
    return done;
}

}  // namespace warplens::app
