// WantedMap: what the map view shows and how it is coloured. The command line asks for it (--map), and a
// picture of the window shows the same as the window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warplens::app {

/// Whose accesses the map shows.
enum class MapScope : std::uint8_t { launch, block, warp };
/// What the colour of an element says of its first access, or how many there are.
enum class MapColour : std::uint8_t { block, warp, lane, order, count };

struct WantedMap {
    std::string array;                // empty: all
    std::optional<MapScope> scope;    // empty: the launch if all its blocks, few, were executed, else a block
    std::optional<MapColour> colour;  // empty: what the scope consists of
    bool loads = true, stores = true;
    std::uint64_t columns = 0;  // elements per row of the array; 0: as declared or estimated
    friend bool operator==(const WantedMap&, const WantedMap&) = default;
};

}  // namespace warplens::app
