// Selection: the one thing every view agrees on. Hovering sets `hover` for a frame, clicking sets `chosen`;
// views draw chosen with an outline and hover with a lighter fill. Indices are into the current Scene's
// trace.
#pragma once

#include <cstdint>
#include <optional>

#include "app/scene/wanted_grid.h"
#include "app/scene/wanted_map.h"
#include "core/program.h"

namespace warplens::app {

inline constexpr std::uint64_t no_access = ~std::uint64_t{0};

struct Spot {
    std::uint32_t warp_record = no_index;  // index into Trace::warps
    std::uint32_t visit = no_index;        // index within that warp's visits
    SiteId site = no_index;
    std::uint64_t access = no_access;  // index into Trace::accesses; implies warp_record and site
    int lane = -1;                     // 0 to 31; -1: none
    std::uint32_t step = no_index;     // of the warp (trace::Step::index); implies warp_record and site
    std::uint32_t cycle = no_index;    // of the schedule: the position of the play head
    std::uint32_t source_line = 0;     // line of the kernel's source; 0: none

    friend bool operator==(const Spot&, const Spot&) = default;
};

/// Cycles of the schedule, `last` left out.
struct WantedCycles {
    std::uint32_t first = 0, last = 0;
    friend bool operator==(const WantedCycles&, const WantedCycles&) = default;
};

/// Whose times the timeline shows.
enum class TimelineSource : std::uint8_t { measured, modelled, both };

/// Which listings the source view shows.
struct ShownCode {
    bool cuda = true, ptx = true, machine = false;
    friend bool operator==(const ShownCode&, const ShownCode&) = default;
};

struct Selection {
    Spot chosen;
    Spot hover;       // as of the last frame: what views read
    Spot next_hover;  // what views write during this frame; the frame copies it to `hover` at its end
    std::optional<WantedCycles> wanted_cycles = std::nullopt;      // the timeline shows them, then forgets it
    std::optional<TimelineSource> wanted_timeline = std::nullopt;  // likewise
    std::optional<ShownCode> wanted_code = std::nullopt;           // the source view, likewise
    std::optional<WantedMap> wanted_map = std::nullopt;            // likewise, of the map
    std::optional<WantedGrid> wanted_grid = std::nullopt;          // likewise, of the grid
    std::optional<WantedCycles> shown_cycles = std::nullopt;       // what the timeline shows; empty: all
};

}  // namespace warplens::app
