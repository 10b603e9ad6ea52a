#include "app/views/grid/run.h"

namespace warplens::app {

using analysis::GridFigure;

void GridRun::follow(const Scene& scene, GridFigure figure, bool threads) {
    const trace::Schedule* schedule = scene.timing ? scene.timing->schedule.get() : nullptr;
    const Derived now{scene.generation, scene.timing_generation, scene.trace.get(), schedule, figure,
                      threads};
    if (derived_ == now) return;
    derived_ = now;
    cells_of_.reset();
    warps_ = analysis::grid_figures(*scene.trace, schedule, figure);
    of_warps_ = of_cells_ = GridSpread(warps_);
    steps_.clear();
    if (!threads) return;
    if (figure == GridFigure::steps) steps_ = analysis::thread_steps(*scene.trace);
    of_cells_ = GridSpread(warps_, scene.trace->launch.geometry, steps_);
}

const std::vector<GridCellValue>& GridRun::cells(const Scene& scene, const GridShape& shape, bool worst) {
    const DerivedCells now{shape, worst};
    if (cells_of_ == now) return cells_;
    cells_of_ = now;
    const GridFigure figure = derived_->figure;
    cells_ = shape.threads ? thread_cells(shape, scene.trace->launch.geometry, warps_, figure, steps_)
                           : grid_cells(shape, warps_, figure, worst);
    return cells_;
}

}  // namespace warplens::app
