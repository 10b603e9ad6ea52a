// The parts of the what-if view: the knobs of the timing model, the waves of blocks, and the table of
// standard questions. Each draws at the cursor over the width of the content region and is independent of the
// others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/scene/scene.h"
#include "app/ui/theme.h"
#include "core/timing_options.h"

namespace warplens::app {

/// 19401.4 -> "19,401"; a negative count is 0.
std::string cycle_count(double cycles);
/// Of the words for a change of cycles: dim where the model does not tell the two apart.
ImU32 effect_colour(const Theme& theme, double before, double after);

/// The knobs with their values, in rows. Returns the values set in this frame.
std::optional<TimingOptions> what_if_knobs(const Theme& theme, const Scene& scene,
                                           const TimingOptions& options);

/// How often the grid's blocks fill the GPU with the number of SMs that the knobs set: one bar per wave, the
/// empty part of the last one hatched, and the sentence.
void what_if_waves(const Theme& theme, const Scene& scene, const TimingOptions& options);

/// Another run's answers, drawn as outlines behind the bars, on their axis. Null: there is none.
struct WhatIfGhost {
    const WhatIf* what_if = nullptr;
    std::string_view name = {};  // of its run: "PAD=0"

    /// To the same question; 0: there is none.
    double cycles(const WhatIfAnswer& answer) const;
};

/// The questions as bars of cycles against the unchanged launch, in at most `height` pixels; the knobs with a
/// question set or put back when its button was clicked.
std::optional<TimingOptions> what_if_table(const Theme& theme, const WhatIf& what_if,
                                           const WhatIfGhost& ghost, const TimingOptions& options,
                                           float height, bool interactive);
/// Height of the table with all its rows.
float what_if_table_height(const Theme& theme, const WhatIf& what_if);

}  // namespace warplens::app
