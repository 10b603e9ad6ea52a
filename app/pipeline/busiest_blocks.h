// BusiestBlocks: what to record of a launch whose blocks differ in work, so that the model times the SM that
// ends last. The work of all blocks is known once the grid was executed; the blocks of that SM are then
// executed once more: alone, or with all others where they depend on those.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/pipeline/pipeline.h"
#include "core/block_work.h"
#include "simt/timing/busiest_sm.h"

namespace warplens::app {

/// simt::busiest_sms() of a loaded launch on its GPU.
std::vector<simt::BlocksOfSm> busiest_sms_of(const LoadedLaunch& launch, const std::vector<BlockWork>& grid);

/// Each of these blocks executed what it executed within the whole grid.
bool same_work(const std::vector<BlockWork>& some, const std::vector<BlockWork>& grid);

/// Bounds a run of some blocks alone by what the grid's warps executed: one that waits for a block that does
/// not run is found at once.
void bound_steps(simt::RunOptions& options, const std::vector<BlockWork>& grid);

/// The first `most` blocks of each of these SMs, ascending.
std::vector<std::uint64_t> blocks_of(const std::vector<simt::BlocksOfSm>& sms, std::uint64_t most);

/// The work of every block of the grid, from a run that records nothing. `launch` may lack the contents of
/// its buffers.
Result<std::vector<BlockWork>> work_of_grid(LoadedLaunch launch, const ExecuteOptions& asked = {});

struct BusiestRecording {
    std::vector<simt::BlocksOfSm> sms;
    std::shared_ptr<trace::Trace> trace;  // of their first blocks
};

/// `options` are those of the grid's run. `launch` may lack the contents of its buffers. Blocks that do
/// something else when the others do not run are recorded within the whole grid. None if the blocks hardly
/// differ.
Result<std::optional<BusiestRecording>> record_busiest_sms(LoadedLaunch launch,
                                                           const std::vector<BlockWork>& grid,
                                                           const ExecuteOptions& asked);

}  // namespace warplens::app
