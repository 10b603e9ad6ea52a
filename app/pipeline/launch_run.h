// LaunchRun: one launch while it executes — its device memory, its fold and, when asked for, its recorder.
// Blocks may be executed in several calls, ascending over all of them. Internal to the pipeline.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/launch_report.h"
#include "analysis/report/launch_tree.h"
#include "app/pipeline/pipeline.h"
#include "core/block_work.h"
#include "simt/functional/engine.h"
#include "simt/functional/launch_tree.h"
#include "simt/functional/memory/memory.h"
#include "trace/fanout.h"
#include "trace/recorder.h"

namespace warplens::app {

/// What fits on the GPU, from the launch's geometry and resources.
analysis::Occupancy launch_occupancy(const trace::Launch& launch, const GpuSpec& gpu);

/// So that the engine's messages name elements of shared arrays as the source does, and say what of the
/// launch is a guess; `launch` outlives the run.
void describe_launch(const LoadedLaunch& launch, simt::RunOptions& options);
/// To execute blocks of a launch once more: what it prints is known.
simt::RunOptions options_again(const ExecuteOptions& asked, std::vector<std::uint64_t> blocks);

class LaunchRun {
  public:
    struct Keep {
        bool keep_trace = false;
        bool keep_initial = false;             // the buffers' first contents, which golden() compares with
        trace::RecorderOptions recorded = {};  // of the trace
        bool whole_trace = false;              // execute() is cancelled when a block does not fit into it
        std::vector<std::uint64_t> addresses = {};  // of the buffers; empty: the engine's own choice
        trace::Observer* listener = nullptr;        // also receives all events
        bool interrupted = false;                   // what a cancelled run has executed
        bool keep_report = true;                    // else report() has problems only
        bool count_requests = true;                 // else report() has no sectors and wavefronts
    };
    static Result<std::unique_ptr<LaunchRun>> start(LoadedLaunch launch, Keep keep);
    /// The same of a launch that may lack the contents of its buffers: they are filled again.
    static Result<std::unique_ptr<LaunchRun>> start_again(LoadedLaunch launch, Keep keep);

    /// Executes the blocks of `options`; fails only when cancelled, unless Keep::interrupted.
    Status execute(const simt::RunOptions& options);

    /// Executes the grids that the blocks executed so far have launched, and all that those launch; without
    /// such grids it does nothing. `step_budget`: no further grid begins after it; 0: no limit. Fails as
    /// execute() does.
    Status execute_children(const simt::RunOptions& options, std::uint64_t step_budget);

    /// The launch with the places of its buffers and of the module's variables.
    trace::Launch launch() const;
    const std::vector<Problem>& problems() const { return problems_; }
    std::uint64_t steps() const { return steps_; }
    /// Of the blocks that were executed with RunOptions::keep_work.
    const std::vector<BlockWork>& work() const { return work_; }
    bool interrupted() const { return interrupted_; }
    bool completed() const { return completed_; }  // no block was stopped by a problem
    std::shared_ptr<analysis::LaunchReport> report() const;
    std::string golden(GoldenMemory& memory) const;  // "passed", "failed: …", "not checked: …", "none"
    std::shared_ptr<trace::Trace> take_trace(const analysis::LaunchReport& report);
    simt::GlobalMemory take_memory() { return std::move(memory_); }

  private:
    LaunchRun(LoadedLaunch launch, Keep keep);
    Status place_buffers();
    std::string_view left_out() const;
    /// The requested blocks that are still to be executed: clusters run whole, and a cooperative launch runs
    /// whole, once. False: none.
    bool choose_blocks(std::vector<std::uint64_t>& blocks);
    void keep_printed(PrintedCalls printed);
    void keep_printed_of_children(PrintedCalls printed);
    std::vector<trace::Buffer> variables() const;

    LoadedLaunch launch_;
    Keep keep_;
    simt::GlobalMemory memory_;
    std::vector<std::uint64_t> addresses_;
    std::vector<std::byte> arguments_;
    analysis::LaunchFold fold_;
    std::optional<trace::Recorder> recorder_;  // only when the trace is kept
    std::optional<trace::Fanout> fanout_;
    trace::Observer* observer_ = nullptr;  // of everything that is kept; null: nothing
    std::vector<Problem> problems_, notes_;
    std::vector<simt::DeviceLaunch> launches_;  // not executed yet
    std::optional<analysis::LaunchTree> tree_;  // none: the kernel launches no grids
    PrintedCalls printed_;
    std::uint64_t steps_ = 0;
    std::vector<BlockWork> work_;
    bool completed_ = true;
    bool interrupted_ = false;
    std::set<std::uint64_t> executed_clusters_;
    bool executed_whole_ = false;
};

}  // namespace warplens::app
