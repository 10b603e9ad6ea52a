#include "app/window/frame_pacer.h"

#include <algorithm>

namespace warplens::app {
namespace {

constexpr double frame_seconds = 1.0 / 60, blink_seconds = 0.4;

}  // namespace

FramePacer::Wait FramePacer::next(const Wants& wants) {
    // What a released button opened takes frames to appear, and no further event may come.
    if (was_active_ && !wants.item_active) wake();
    was_active_ = wants.item_active;
    if (frames_left_ > 0) return {};
    if (wants.running || wants.item_active) return {false, frame_seconds};
    if (wants.text_input || wants.due_in > 0) {
        frames_left_ = 1;
        return {false, wants.due_in > 0 ? std::min(wants.due_in, blink_seconds) : blink_seconds};
    }
    wake();
    return {true, 0};
}

void FramePacer::drawn(bool moving) { frames_left_ = std::max(moving ? 1 : 0, frames_left_ - 1); }

void FramePacer::wake() { frames_left_ = frames_after_event; }

void FramePacer::keep_going() { frames_left_ = std::max(frames_left_, 1); }

}  // namespace warplens::app
