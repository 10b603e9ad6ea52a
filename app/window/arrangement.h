// Arrangement: which pane of the frame is where. A projector, half a screen beside an editor and a wide
// screen show the same panes in another order, instead of the same order at another size. Geometry only:
// Frame draws.
#pragma once

#include <vector>

#include "app/ui/ink.h"
#include "app/window/layout.h"

namespace warplens::app {

enum class PaneOrder {
    columns,  // kernels, source, view and explanation next to each other, above the timeline
    halves,   // source above explanation, next to the view above the timeline
    stack,    // source next to explanation, above the view, above the timeline
    lecture,  // the view next to the explanation, and nothing else
};

/// The draggable space between two panes, and what a drag changes in the layout.
struct PaneSplitter {
    const char* name;
    bool is_vertical;
    Box box;
    float Layout::*remembered;
    float per_pixel;    // of the remembered value
    float least, most;  // likewise
};

struct Arrangement {
    PaneOrder order = PaneOrder::columns;
    Box kernels, source, centre, bottom, explain;  // a pane that is not shown has no width
    std::vector<PaneSplitter> splitters;
};

/// Of a frame that has `width` by `height` unscaled pixels.
PaneOrder pane_order(float width, float height, bool presenting);
/// The list of kernels takes room that only a wide frame has, unless a person asked for it.
bool shows_kernels(const Layout& layout, PaneOrder order);
/// `between`: pixels from pane to pane.
Arrangement arrange(const Box& area, float scale, float between, const Layout& layout, PaneOrder order);

}  // namespace warplens::app
