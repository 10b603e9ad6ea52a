// Empty state: what a view shows when it has nothing to draw — why, and what to do next.
#pragma once

#include <string_view>

#include "app/ui/theme.h"

namespace warplens::app {

/// Centred in the rest of the content region; both may contain `code` between backticks.
void empty_state(const Theme& theme, std::string_view why, std::string_view next_step);
/// Of every view, before the first run has ended. `running`: the kernel; empty: none runs. `asks_for_launch`:
/// it waits for a person to confirm its launch.
void no_run_yet(const Theme& theme, std::string_view running, bool asks_for_launch);

}  // namespace warplens::app
