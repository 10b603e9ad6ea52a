// WantedGrid: what the cells of the grid view show. The command line asks for it (--cells), and a picture of
// the window shows the same as the window.
#pragma once

#include "analysis/memory/grid_figures.h"

namespace warplens::app {

struct WantedGrid {
    analysis::GridFigure figure = analysis::GridFigure::steps;
    bool worst = false;    // of the warps of a cell; else their mean
    bool threads = false;  // a cell for each thread, where there is room
    friend bool operator==(const WantedGrid&, const WantedGrid&) = default;
};

}  // namespace warplens::app
