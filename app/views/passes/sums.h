// How many lines each pass adds, as bars on one scale.
#pragma once

#include "app/scene/passes.h"
#include "app/ui/theme.h"

namespace warplens::app {

/// At the cursor: a row per pass, in columns where the pane is wide.
void draw_pass_sums(const Theme& theme, const ModePasses& mode);

}  // namespace warplens::app
