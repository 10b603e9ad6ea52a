// LineTimes: the two columns of Source that come from the timing model, of CUDA and PTX lines, at the level
// of the times that are shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/site_costs.h"
#include "app/ui/theme.h"
#include "app/views/source/listing.h"

namespace warplens::app {

/// "stall cycles, exposed issue slots: modelled, machine level"; empty: they are not known.
std::string line_times_provenance(const std::optional<SiteCosts>& costs);

/// A tooltip: how long warps stalled on the line, and the issue slots that nothing else filled.
void explain_line_times(const Theme& theme, const SiteCosts& costs, const analysis::LineHeat& line);

}  // namespace warplens::app
