// What a person set in the map view, and the row of controls that sets it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/mapped_arrays.h"
#include "app/scene/wanted_map.h"
#include "app/views/view.h"

namespace warplens::app {

struct MapSettings {
    std::string array;                // empty: all
    std::optional<MapScope> scope;    // empty: the launch if all its blocks were executed, else a block
    std::optional<MapColour> colour;  // empty: what the scope consists of
    bool loads = true, stores = true;
    std::map<std::string, std::uint64_t> columns;  // of the arrays whose shape was set
    std::uint32_t shown_orders = no_index;         // requests of each warp; no_index: all
    bool playing = false;
    std::optional<MapScope> common_scope = {};  // of two runs, where `scope` is empty
    friend bool operator==(const MapSettings&, const MapSettings&) = default;
};

MapScope scope_of(const MapSettings& settings, const Scene& scene);
/// What two runs show unless a person set it: the launch only where either would show it, so that numbers of
/// a block are not compared with those of a launch.
MapScope common_scope(const Scene& scene, const Scene& other);
MapColour colour_of(const MapSettings& settings, const Scene& scene);
WantedMap wanted_of(const MapSettings& settings);
void take(const WantedMap& wanted, MapSettings& settings);

/// The row lengths that the control offers, ascending: the present one, its neighbours, powers of two, and
/// the launch's own numbers.
std::vector<std::uint64_t> row_lengths(const analysis::MappedArray& array, const Scene& scene);

/// `arrays`: with the lengths of rows as estimated; `orders`: most requests of a warp.
void map_controls(ViewFrame& frame, const std::vector<analysis::MappedArray>& arrays, std::uint32_t orders,
                  MapSettings& settings);

}  // namespace warplens::app
