// The title of the source view.
#pragma once

#include <string>

#include "app/scene/scene.h"
#include "app/views/shared/headline.h"

namespace warplens::app {

/// Problems come before costs. Else the line to look at first, and whether it costs most: see
/// app/scene/line_costs.h.
std::string source_title(const Scene& scene, Level wanted);
/// The share of issue slots that the waits for the title's line leave empty; empty without times, or with
/// problems.
Headline source_headline(const Scene& scene, Level wanted);

}  // namespace warplens::app
