// Time a Scene: asks the timing model (simt/timing) about a Scene's trace and derives from its Schedule what
// views draw. The real Model of the Session; `shot` calls it directly. Pure, but it reuses what a Scene's
// timing already holds: the lowered code and the baseline.
#pragma once

#include <functional>
#include <memory>

#include "app/scene/model.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// Never null; SceneTiming::absent is the reason why there is no schedule.
std::shared_ptr<const SceneTiming> time_scene(const Scene& scene, const TimingOptions& options,
                                              const std::function<bool()>& cancelled);

/// Cycles of the whole launch, with no spans kept. `scene` has its timing.
Result<double> launch_cycles(const Scene& scene, const TimingOptions& options,
                             const std::function<bool()>& cancelled);

/// All standard questions answered, one after another. `scene` has its timing with a baseline.
std::shared_ptr<const WhatIf> answer_questions(const Scene& scene, const std::function<bool()>& cancelled);

Model timing_model();

}  // namespace warplens::app
