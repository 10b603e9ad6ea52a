// The legend of the map view: what its colours, hatches and outlines mean in the picture at hand.
#pragma once

#include <cstdint>
#include <span>

#include "app/scene/scene.h"
#include "app/views/map/panel.h"

namespace warplens::app {

struct MapLegend {
    const Theme& theme;
    const Scene& scene;
    MapColour colour;                 // as set, of arrays in global memory
    std::span<const MapPanel> shown;  // the panels that have room
    std::uint32_t orders = 0;         // requests of a warp: the end of the scale
    std::uint64_t most = 1;           // accesses of an element: the end of the scale
    bool paired = false;              // with another run
};

/// In pixels, in a width.
float map_legend_height(const MapLegend& of, float width);
void draw_map_legend(const MapLegend& of);

}  // namespace warplens::app
