// SiteCosts: what the waits for each instruction of a Scene's trace cost, at the level of the times that are
// shown. Where the trace is of PTX and the machine code is timed, an instruction's costs are those of the
// machine instructions that the assembler made of it, so that a line's cost and the timeline are of one
// schedule.
#pragma once

#include <optional>

#include "analysis/time/exposed_cost.h"
#include "app/scene/scene.h"
#include "core/provenance.h"

namespace warplens::app {

struct SiteCosts {
    analysis::ExposedCost cost;  // one entry per site of the Scene's program
    Level level = Level::ptx;    // of the schedule
};

/// At the wanted level where its times are known, else at the trace's. Nothing without a schedule.
std::optional<SiteCosts> site_costs(const Scene& scene, Level wanted);

}  // namespace warplens::app
