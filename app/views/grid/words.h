// What the grid view says: numbers of warps, its title, its legend and where its numbers come from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/grid_figures.h"
#include "app/scene/scene.h"
#include "app/scene/wanted_grid.h"
#include "app/ui/legend.h"
#include "app/views/grid/cells.h"

namespace warplens::app {

/// The numbers of all warps, or threads, that have one.
struct GridSpread {
    double least = 0, most = 0, sum = 0;
    std::uint64_t valued = 0, idle = 0, known = 0;  // with a number, without an access, all
    std::uint64_t idle_threads = 0;

    GridSpread() = default;
    explicit GridSpread(const std::vector<analysis::GridWarp>& warps);
    /// Of the threads: of steps their own numbers, else their warps'.
    GridSpread(const std::vector<analysis::GridWarp>& warps, const LaunchGeometry& geometry,
               const std::vector<analysis::ThreadSteps>& steps);
    /// From the least to the most of both.
    void join(const GridSpread& other);
    double mean() const { return valued > 0 ? sum / double(valued) : 0; }
    /// 0 to 1 from the least to the most, for Theme::amount.
    double share(double value) const;

  private:
    void take(double value);
};

/// "1,024", or "21.5" of active lanes.
std::string grid_number(analysis::GridFigure figure, double value);
/// "steps", "active lanes"; empty of the SM.
const char* grid_unit(analysis::GridFigure figure, double value);

std::string grid_title(const Scene& scene, analysis::GridFigure figure, const GridSpread& spread);

struct GridHeadline {
    std::string number, unit, facts;  // without a number there is none to show
};
GridHeadline grid_headline(const Scene& scene, analysis::GridFigure figure, const GridSpread& spread);

/// Of a run beside another: "21 to 29 steps per warp, mean 28.4".
std::string grid_run_words(const Scene& scene, analysis::GridFigure figure, const GridSpread& spread);

/// What the title adds of the run beside it: "; PAD=0 has 44 steps in each warp (+4.5 %)", "; PAD=0 has as
/// many". The change is that of the mean. Empty where one of the two has no number.
std::string grid_change_words(const Scene& before, std::string_view before_name, analysis::GridFigure figure,
                              const GridSpread& was, const GridSpread& now);

/// How blocks and warps became cells.
std::string grid_shape_words(const GridShape& shape, Dim3 grid, const WantedGrid& shown);

/// `scale` is what the colours stand for; `spread` is of the run's warps or threads.
std::vector<LegendEntry> grid_legend(const Theme& theme, const Scene& scene, const WantedGrid& shown,
                                     const GridSpread& scale, const GridSpread& spread);

std::string grid_provenance(const Scene& scene, analysis::GridFigure figure);

}  // namespace warplens::app
