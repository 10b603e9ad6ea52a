// What is selected on request — `--select line=54,warp=3` of `shot` — as the Spot of a Scene. What is
// selected by default is app/scene/default_selection.h's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "core/result.h"

namespace warplens::app {

struct SpotRequest {
    std::optional<std::uint32_t> line;   // of the source
    std::optional<std::uint32_t> site;   // as `report` numbers them
    std::optional<std::uint64_t> block;  // linear index in the grid
    std::optional<std::uint32_t> warp;   // in the block
    std::optional<std::uint32_t> lane;
    std::optional<std::uint64_t> step;   // of the warp
    std::optional<std::uint32_t> cycle;  // of the schedule: the play head

    friend bool operator==(const SpotRequest&, const SpotRequest&) = default;
};

/// "line=54,warp=3": names of SpotRequest's members with integers, each at most once.
Result<SpotRequest> parse_spot_request(std::string_view text);

/// Of what was requested, the access that costs most in the view; if there is none, the instruction or the
/// warp alone. The rest is chosen as default_selection chooses it. Errors say what the scene holds instead.
Result<Spot> requested_selection(const Scene& scene, std::string_view view, const SpotRequest& request);

}  // namespace warplens::app
