// FrameState: the state that the parts of the frame share between frames, besides the Session and the Layout.
// Plain data; the parts are the other files of this folder.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "app/window/picture_order.h"
#include "core/provenance.h"

namespace warplens::app {

/// What F6 moves the keyboard between.
enum class Pane { none, knobs, kernels, source, centre, explain, bottom };

struct FrameState {
    std::string centre_view;       // name of the view whose tab is open
    std::string filled_view;       // name of the view that fills the frame; empty: none
    Level level = Level::machine;  // of the modelled times, where machine code is available
    Level counts = Level::ptx;     // of the counts, likewise
    std::string focused_knob;      // parameter that the arrow keys turn; empty: none
    std::string typed;             // text in an open knob
    std::string gpu_fault;         // why a limit that was typed cannot be; empty: it can
    std::string kernel_filter;     // what was typed above the kernel list
    std::set<std::string> folded_subjects;
    int reveal_kernel = 0;           // frames for which the kernel list scrolls to the current kernel
    bool invite = false;             // show the first start's invitation
    bool presenting = false;         // one view, the explanation and the knobs at large type
    Pane focused_pane = Pane::none;  // the arrow keys are for it
    std::string kernel_cursor;       // the kernel that Enter opens while the kernel list is focused
    bool keys_shown = false;
    bool problems_shown = false;
    std::string dismissed_failure;   // the failure whose banner was closed
    std::string closed_launch_note;  // path of the file whose line about its launch was closed
    std::string notice;              // one sentence on the status line: "Picture saved as …"
    double stale_seconds = 0;        // how long the picture has been out of date
    bool arrows_taken = false;       // a view under the mouse takes the arrow keys
    bool moving = false;             // a view asked for the next frame at once
    bool editing = false;            // the source pane shows the editor
    double due_in = 0;               // seconds until a frame is wanted though nothing happens; 0: none

    bool show_lessons = false;    // requested from the frame, which clears it
    bool picture_dialog = false;  // it is open
    PictureOrder picture;         // how the last picture was wanted

    // Requested from the window, which clears them.
    bool toggle_theme = false;
    std::optional<PictureTarget> take_picture;  // as `picture` says

    bool toggle_play = false;   // likewise: the play head starts or stops
    int play_faster = 0;        // likewise: steps of its speed
    bool show_failure = false;  // the editor is to bring the line of the failure into view
};

}  // namespace warplens::app
