// The exchanges of one warp, and which of them is shown.
#pragma once

#include <span>
#include <vector>

#include "analysis/warps/collectives.h"
#include "app/scene/selection.h"
#include "core/lane_mask.h"
#include "trace/trace.h"

namespace warplens::app {

struct WarpExchanges {
    std::uint32_t warp = no_index;  // its record
    std::vector<analysis::Collective> all;
    std::vector<analysis::CollectiveSeries> series;
    std::size_t current = 0;  // of `series`

    /// The warp, or without one (no_index) the first that has an exchange.
    void take(const trace::Trace& trace, std::uint32_t wanted);
    /// Shows the series that holds the spot's step, or else its instruction; keeps the current one where
    /// neither is found; false then.
    bool follow(const Spot& spot);
    /// Shows the last series that begins at the step or before it.
    void follow_play(std::uint64_t step);
    /// The collectives of the current series, as many as can be read.
    std::span<const analysis::Collective> bands() const;
};

/// Lanes whose values reach `lane` after the last of the collectives, for each row from the first to the one
/// below the last. A lane is assumed to keep its value in addition to the received one, as in a sum.
std::vector<LaneMask> lanes_behind(std::span<const analysis::Collective> shown, int lane);

}  // namespace warplens::app
