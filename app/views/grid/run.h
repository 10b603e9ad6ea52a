// GridRun: a run's warps as cells of the grid view, derived again only when something they depend on changes.
#pragma once

#include <optional>
#include <vector>

#include "app/scene/scene.h"
#include "app/scene/wanted_grid.h"
#include "app/views/grid/cells.h"
#include "app/views/grid/words.h"

namespace warplens::app {

class GridRun {
  public:
    /// `threads`: with the numbers of single threads, too.
    void follow(const Scene& scene, analysis::GridFigure figure, bool threads);
    const std::vector<analysis::GridWarp>& warps() const { return warps_; }
    /// Of the warps, and of what has a cell: warps, or threads.
    const GridSpread& of_warps() const { return of_warps_; }
    const GridSpread& of_cells() const { return of_cells_; }
    const std::vector<GridCellValue>& cells(const Scene& scene, const GridShape& shape, bool worst);

  private:
    struct Derived {
        std::uint64_t generation = 0, timing_generation = 0;
        const trace::Trace* trace = nullptr;
        const trace::Schedule* schedule = nullptr;
        analysis::GridFigure figure = analysis::GridFigure::steps;
        bool threads = false;
        friend bool operator==(const Derived&, const Derived&) = default;
    };
    struct DerivedCells {
        GridShape shape;
        bool worst = false;
        friend bool operator==(const DerivedCells&, const DerivedCells&) = default;
    };

    std::optional<Derived> derived_;
    std::vector<analysis::GridWarp> warps_;
    std::vector<analysis::ThreadSteps> steps_;
    GridSpread of_warps_, of_cells_;
    std::optional<DerivedCells> cells_of_;
    std::vector<GridCellValue> cells_;
};

}  // namespace warplens::app
