#include "app/window/key_queue.h"

#include <set>

namespace warplens::app {

void KeyQueue::deliver(const std::function<void(const Event&)>& take) {
    constexpr int released = 0;  // GLFW_RELEASE
    std::set<int> changed;
    bool any_pressed = false;
    while (!waiting_.empty()) {
        const Event event = waiting_.front();
        if ((any_pressed && event.action == released) || !changed.insert(event.key).second) return;
        any_pressed = any_pressed || event.action != released;
        waiting_.pop_front();
        take(event);
    }
}

}  // namespace warplens::app
