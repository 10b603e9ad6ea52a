// The part of a Scene that comparisons use: its report with the modelled time.
#pragma once

#include "analysis/compare/run_facts.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// Of a Scene with a report, with the times and the counts of these levels, which it must have.
analysis::RunFacts facts_of(const Scene& scene, Level level, Level counts = Level::ptx);

}  // namespace warplens::app
