// One run's grid as cells with their labels, in colours of a scale.
#pragma once

#include <cstddef>
#include <vector>

#include "app/views/grid/cells.h"
#include "app/views/grid/words.h"

namespace warplens::app {

inline constexpr std::size_t no_cell = ~std::size_t{0};

struct GridPicture {
    const Ink& ink;
    const trace::Trace& trace;
    const GridShape& shape;
    const std::vector<GridCellValue>& cells;
    WantedGrid shown;
    const GridSpread& scale;
    const std::vector<bool>& changed;  // per cell: differs from the other run's; may be empty
    std::size_t chosen = no_cell, hovered = no_cell;
    bool interactive = false;
};

/// What is left for cells next to the labels of rows and columns.
Box grid_cells_box(const Ink& ink, Dim3 grid, Box box);
/// Into that box, and its labels beside it; returns the cell under the mouse, or no_cell.
std::size_t draw_grid(const GridPicture& picture, const Box& cells);

}  // namespace warplens::app
