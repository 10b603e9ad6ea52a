// One array of the map view: a heading, and its elements as cells in the colour of the thread that accesses
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/memory/access_map.h"
#include "app/scene/wanted_map.h"
#include "app/ui/ink.h"

namespace warplens::app {

struct MapPanel {
    analysis::MappedArray array;
    analysis::AccessMap map;
    /// Of the example thread and of the chosen request: elements to outline.
    std::vector<std::uint64_t> of_thread, of_request;
};

/// Outlines of the panels: the thread's elements, and those of its request.
void mark_thread(const trace::Trace& trace, const analysis::MapThread& thread,
                 const analysis::MapFilter& filter, std::vector<MapPanel>& panels);

struct MapLook {
    const Ink& ink;
    const trace::Trace& trace;
    MapColour colour;
    std::uint32_t orders = 1;     // requests of a warp: the end of the scale
    std::uint64_t most = 1;       // accesses of an element: the end of the scale
    std::optional<ImVec2> mouse;  // nothing where it is elsewhere
    bool named = true;            // for clicks: hit boxes
};

/// What most cells a box can show.
analysis::MapSize map_size(const Ink& ink, const Box& box);

/// The same array in another run: both are drawn with cells of one size, and cells that differ are outlined.
struct OtherMap {
    const MapLook& look;
    const MapPanel& panel;
};

/// Returns the cell under the mouse. `other`: null: there is none.
const analysis::MapCell* draw_map_panel(const MapLook& look, const MapPanel& panel, const Box& box,
                                        const OtherMap* other = nullptr);
/// Cells whose colour stands for another owner than the other run's at the same place; none where a cell is
/// not as many elements in both.
std::vector<bool> changed_cells(const MapLook& look, const MapPanel& panel, const OtherMap& other);

/// A shared array belongs to one block: where blocks have colours, its elements have their warps'.
MapColour colour_in(const MapPanel& panel, MapColour colour);
/// A cell is accessed by several of what the colour distinguishes.
bool is_mixed(const analysis::MapCell& cell, MapColour colour);
ImU32 owner_colour(const Theme& theme, const trace::Trace& trace, const analysis::MapThread& thread,
                   MapColour colour);
/// Accesses of an element on average.
double accesses_per_element(const analysis::MapCell& cell);

}  // namespace warplens::app
