// What a comparison reads of a Scene: its report with the time that the model gave it.
#pragma once

#include "analysis/compare/run_facts.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// Of a Scene with a report.
analysis::RunFacts facts_of(const Scene& scene);

}  // namespace warplens::app
