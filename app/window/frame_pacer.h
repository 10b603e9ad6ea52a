// FramePacer: when the window draws its next frame. It sleeps while nothing happens; after an event it draws
// a few frames, because hovering and what sizes itself by its content settle only then. It only decides: the
// window does the waiting.
#pragma once

namespace warplens::app {

class FramePacer {
  public:
    struct Wants {
        bool running = false;      // something on screen says so and moves
        bool item_active = false;  // a button is held, a knob dragged
        bool text_input = false;   // a caret blinks
        double due_in = 0;         // seconds until a frame is wanted though nothing happens; 0: none
    };
    /// How long to wait for an event before the next frame: 0 seconds, some, or until there is one.
    struct Wait {
        bool until_event = false;
        double seconds = 0;
    };

    Wait next(const Wants& wants);
    /// A frame was drawn; `moving`: the next one is wanted at once.
    void drawn(bool moving);
    /// Something changed: draw until it has settled.
    void wake();
    /// At least one more frame.
    void keep_going();

  private:
    int frames_left_ = frames_after_event;
    bool was_active_ = false;

    static constexpr int frames_after_event = 4;
};

}  // namespace warplens::app
