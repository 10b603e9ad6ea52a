// The grids that a launch's device code launches: executed after the blocks of the launch, with the counts of
// each. Internal to the pipeline.
#pragma once

#include <memory>
#include <vector>

#include "analysis/report/launch_tree.h"
#include "app/pipeline/pipeline.h"
#include "simt/functional/launch_tree.h"

namespace warplens::app {

/// Steps below one launch that a picture spends on them, all grids together: a few tenths of a second.
inline constexpr std::uint64_t picture_steps_of_children = 3'000'000;

struct ChildGridsDone {
    simt::ChildGridsRun run;
    analysis::LaunchTree tree;  // the first grid is the host's, whose work is not filled in
};

/// `launches`: of the blocks that were executed. `options`: as those blocks were executed. `step_budget`: no
/// further grid or block begins after it; 0: no limit.
Result<ChildGridsDone> execute_child_grids(const LoadedLaunch& launch,
                                           std::vector<simt::DeviceLaunch> launches,
                                           simt::GlobalMemory& memory, const simt::RunOptions& options,
                                           std::uint64_t step_budget);

}  // namespace warplens::app
