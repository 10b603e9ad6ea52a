// `shot --cells`: what the grid view shows, as text.
#pragma once

#include <string_view>

#include "app/scene/wanted_grid.h"
#include "core/result.h"

namespace warplens::app {

/// "color=cycles,fold=worst", or one of the two.
Result<WantedGrid> parse_grid_option(std::string_view text);

}  // namespace warplens::app
