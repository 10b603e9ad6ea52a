// Pane focus: F6 moves the keyboard from pane to pane; the frame then gives the arrow keys and Enter to it.
#pragma once

#include "app/scene/view_list.h"
#include "app/window/frame_state.h"

namespace warplens::app {

constexpr Pane pane_at(ViewPlace place) {
    switch (place) {
        case ViewPlace::source:
            return Pane::source;
        case ViewPlace::centre:
            return Pane::centre;
        case ViewPlace::explain:
            return Pane::explain;
        case ViewPlace::bottom:
            return Pane::bottom;
    }
    return Pane::none;
}

}  // namespace warplens::app
