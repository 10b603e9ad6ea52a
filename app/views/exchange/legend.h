// What the arrows, colours and rims of the exchange view mean, as far as the collectives drawn have them.
#pragma once

#include <span>
#include <vector>

#include "analysis/warps/collectives.h"
#include "app/ui/legend.h"

namespace warplens::app {

/// `compared`: with another run's beside them.
std::vector<LegendEntry> exchange_legend(const Theme& theme, std::span<const analysis::Collective> bands,
                                         bool compared);

}  // namespace warplens::app
