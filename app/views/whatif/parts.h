// The parts of the what-if view: the knobs that only the timing model can turn, the waves of blocks, and the
// table of standard questions. Each draws at the cursor over the width of the content region and knows
// nothing of the other.
#pragma once

#include <optional>
#include <string>

#include "app/scene/scene.h"
#include "app/ui/theme.h"
#include "core/timing_options.h"

namespace warplens::app {

/// 19401.4 -> "19,401"; a negative count is 0.
std::string cycle_count(double cycles);

/// The knobs with their values, in rows. Returns the values set in this frame.
std::optional<TimingOptions> what_if_knobs(const Theme& theme, const Scene& scene,
                                           const TimingOptions& options);

/// How often the GPU, with as many SMs as the knobs say, fills up with the grid's blocks: a bar a wave, what
/// the last leaves empty hatched, and the sentence.
void what_if_waves(const Theme& theme, const Scene& scene, const TimingOptions& options);

/// The questions as bars of cycles against the baseline, in at most `height` pixels; the knobs with a
/// question set or put back when its button was clicked.
std::optional<TimingOptions> what_if_table(const Theme& theme, const WhatIf& what_if,
                                           const TimingOptions& options, float height, bool interactive);
/// Height of the table with all its rows.
float what_if_table_height(const Theme& theme, const WhatIf& what_if);

}  // namespace warplens::app
