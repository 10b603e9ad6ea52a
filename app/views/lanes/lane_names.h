// Lane names: the numbers of the lanes beside their rows and, in blocks of several dimensions, the threadIdx
// of each: which thread a lane is follows from the shape of the block.
#pragma once

#include "app/ui/ink.h"
#include "core/launch.h"

namespace warplens::app {

class LaneNames {
  public:
    LaneNames(const LaunchGeometry& geometry, std::uint32_t warp) : block_(geometry.block), warp_(warp) {}

    float width(const Theme& theme) const;
    /// Every so many lanes, right-aligned; the rows are those of `grid`.
    void draw(const Ink& ink, const Box& box, const Box& grid, int every) const;

  private:
    std::string name_of(int lane) const;

    Dim3 block_;
    std::uint32_t warp_;
};

}  // namespace warplens::app
