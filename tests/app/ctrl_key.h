// A letter pressed together with Ctrl, in a headless window.
#pragma once

#include "app/ui/letter_keys.h"
#include "tests/support/headless.h"

namespace warplens::app {

inline void press_ctrl(Headless& ui, char letter, int frames_after) {
    compat::feed_ctrl(true);
    compat::feed_letter(letter, true);
    ui.frame();
    compat::feed_letter(letter, false);
    compat::feed_ctrl(false);
    ui.frame(frames_after);
}

}  // namespace warplens::app
