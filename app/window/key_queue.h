// KeyQueue: keys between GLFW and Dear ImGui, which sees only whether a key is down while a frame is drawn.
// A key that is pressed and released during a slow frame would be lost, and with it Ctrl+K or Enter: here
// the events wait in their order. No frame sees two changes of one key, or a release after a press: Ctrl may
// be released before the K that was pressed with it.
#pragma once

#include <deque>
#include <functional>

namespace warplens::app {

class KeyQueue {
  public:
    /// As GLFW's key callback has them.
    struct Event {
        int key = 0, scancode = 0, action = 0, modifiers = 0;
    };

    void push(const Event& event) { waiting_.push_back(event); }
    /// Once a frame, before it is drawn.
    void deliver(const std::function<void(const Event&)>& take);
    /// Some are left for the next frame.
    bool waits() const { return !waiting_.empty(); }

  private:
    std::deque<Event> waiting_;
};

}  // namespace warplens::app
