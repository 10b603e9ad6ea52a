// The cells of the grid view: blocks in the shape of the grid, with a cell for each warp or thread where
// there is room, else one for each block or for several. What a cell shows of several warps is their mean or
// the worst.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/memory/grid_figures.h"
#include "app/ui/ink.h"
#include "core/launch.h"

namespace warplens::app {

/// What a cell stands for, from fine to coarse.
enum class GridUnit : std::uint8_t { thread, warp, block };

struct GridShape {
    std::uint64_t blocks = 0;
    /// Blocks of a plane of z; rows of a one-dimensional grid are only a line break.
    std::uint64_t columns = 1, rows = 1;
    bool wrapped = false;                              // it is one-dimensional
    std::uint64_t fold_x = 1, fold_y = 1, fold_z = 1;  // blocks of a cell
    std::uint64_t cells_x = 1, cells_y = 1;            // of a plane
    std::uint64_t planes = 1, planes_x = 1;            // drawn; beside each other
    float plane_gap = 0, plane_heading = 0;            // pixels between planes, and above each
    float pitch_x = 1, pitch_y = 1;                    // pixels from block to block
    std::uint32_t units_x = 1, units_y = 1;            // cells within a block
    bool threads = false;                              // a unit is a thread; else a warp
    std::uint32_t units_per_block = 1;
    bool per_unit = false;  // each unit has a cell

    GridUnit unit() const {
        return !per_unit ? GridUnit::block : threads ? GridUnit::thread : GridUnit::warp;
    }
    friend bool operator==(const GridShape&, const GridShape&) = default;

    std::size_t cells_per_block() const { return std::size_t{units_x} * units_y; }
    /// The cell of a warp, or of one of its threads, as an index into grid_cells and for grid_cell_box.
    std::size_t cell_of(std::uint64_t block, std::uint32_t warp, int lane = 0) const;
    /// The first block of a cell; not below `blocks` if there is none.
    std::uint64_t first_block(std::size_t cell) const;
    /// The last cells of a row or a block may have no block or warp.
    bool exists(std::size_t cell) const;
    std::size_t cell_count() const {
        return static_cast<std::size_t>(planes * cells_x * cells_y) * cells_per_block();
    }
    std::uint64_t blocks_per_cell() const { return fold_x * fold_y * fold_z; }
};

/// Of a cell of a grid of few blocks: unscaled pixels.
inline constexpr float widest_grid_cell = 200;

/// In `width` by `height` pixels. Planes of z lie beside and below each other, as many in a row as make the
/// cells largest, each below a heading of `plane_heading` pixels. A warp's cell is `least` to `most` pixels;
/// a block's at least twice `least`. `finest`: with threads one cell for each thread, if a cell of half
/// `least` has room for each, warp below warp; with blocks no cell for less than a block.
GridShape grid_shape(const LaunchGeometry& geometry, float width, float height, float least, float most,
                     GridUnit finest = GridUnit::warp, float plane_heading = 16);

struct GridCellValue {
    std::uint32_t warps = 0, idle = 0;  // recorded ones; of a thread its warp, and whether it is idle
    float idle_share = 0;               // threads without an access
    std::optional<double> value = {};   // mean or worst of those that have one
    bool mixed = false;                 // of a figure that has no mean: they differ
    std::uint32_t warp = no_index;      // into the warps: the worst, else the first
    int lane = -1;                      // of a thread's cell
};

/// A larger number is the worse one, except of active lanes.
bool is_worse(analysis::GridFigure figure, double a, double b);

/// All cells of the shape.
std::vector<GridCellValue> grid_cells(const GridShape& shape, const std::vector<analysis::GridWarp>& warps,
                                      analysis::GridFigure figure, bool worst);
/// The same of a shape with a cell for each thread. Of steps a thread has its own (`steps`, per
/// Trace::warps), of other figures its warp's.
std::vector<GridCellValue> thread_cells(const GridShape& shape, const LaunchGeometry& geometry,
                                        const std::vector<analysis::GridWarp>& warps,
                                        analysis::GridFigure figure,
                                        const std::vector<analysis::ThreadSteps>& steps);

/// Cells whose number, or whether it is idle, differs from another run's; empty where the two runs' cells are
/// not the same warps, or all of them differ: then outlines would say nothing.
std::vector<bool> changed_cells(const GridShape& shape, const std::vector<GridCellValue>& cells,
                                const GridShape& other, const std::vector<GridCellValue>& other_cells);

/// Where a plane's cells are drawn, from the upper left of `area`.
Box grid_plane_box(const GridShape& shape, const Box& area, std::uint64_t plane);
/// Where a cell is drawn, from the upper left of `area`.
Box grid_cell_box(const GridShape& shape, const Box& area, std::size_t cell, float gap);

}  // namespace warplens::app
