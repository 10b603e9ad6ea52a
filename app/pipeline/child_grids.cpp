#include "app/pipeline/child_grids.h"

#include <optional>
#include <utility>

#include "app/pipeline/kernel_code.h"
#include "app/pipeline/machine_level.h"
#include "core/symbol_name.h"

namespace warplens::app {
namespace {

analysis::LaunchStream stream_of(std::uint64_t stream) {
    switch (stream) {
        case simt::stream_of_block:
            return analysis::LaunchStream::of_block;
        case simt::tail_stream:
            return analysis::LaunchStream::tail;
        case simt::forget_stream:
            return analysis::LaunchStream::fire_and_forget;
        default:
            return analysis::LaunchStream::own;
    }
}

/// Counts each grid as the host's launch is counted.
class CountedGrids final : public simt::ChildGridListener {
  public:
    explicit CountedGrids(analysis::LaunchTree& tree) : tree_(tree) {}

    trace::Observer* begin(const simt::ChildGrid&, const simt::Kernel& kernel) override {
        return &fold_.emplace(kernel.program());
    }

    void end(const simt::ChildGrid& grid, const simt::RunResult&) override {
        const simt::DeviceLaunch& launch = grid.launch;
        tree_.grids.resize(grid.index + std::size_t{1});
        analysis::LaunchedGrid& counted = tree_.grids[grid.index];
        counted.parent = grid.parent;
        counted.depth = grid.depth;
        counted.kernel = plain_name(launch.entry);
        counted.grid = launch.grid;
        counted.block = launch.block;
        counted.stream = stream_of(launch.stream);
        counted.by_block = launch.by_block;
        counted.by_thread = launch.by_thread;
        counted.site = launch.site;
        counted.file = launch.file;
        counted.line = launch.line;
        counted.work = analysis::work_of(fold_->report());
    }

  private:
    analysis::LaunchTree& tree_;
    std::optional<analysis::LaunchFold> fold_;
};

std::string why_left_out(const simt::ChildGridsRun& run, const simt::ChildGridOptions& options) {
    if (run.cancelled) return "the run was stopped";
    if (options.step_budget != 0 && run.steps >= options.step_budget)
        return "a picture executes grids for a few tenths of a second; `warplens report` executes all";
    return "an error ended the run";
}

}  // namespace

Result<ChildGridsDone> execute_child_grids(const LoadedLaunch& launch,
                                           std::vector<simt::DeviceLaunch> launches,
                                           simt::GlobalMemory& memory, const simt::RunOptions& asked,
                                           std::uint64_t step_budget) {
    ChildGridsDone done;
    const LaunchGeometry& geometry = launch.launch.geometry;
    analysis::LaunchedGrid& host = done.tree.grids.emplace_back();
    host.kernel = plain_name(launch.program.entry);
    host.grid = geometry.grid;
    host.block = geometry.block;
    simt::ModuleKernels kernels([&](const std::string& entry) -> Result<std::shared_ptr<const simt::Kernel>> {
        if (launch.level == Level::machine) return machine_kernel(*launch.built, entry);
        return simt::Kernel::load(*launch.module, entry, launch.program.ptx);
    });
    simt::ChildGridOptions options{.run = asked, .step_budget = step_budget};
    options.run.limits.shared_bytes = static_cast<std::uint64_t>(launch.gpu->max_shared_bytes_per_block);
    options.run.resident_blocks = 0;  // of the launch's own kernel
    options.run.step_budget = 0;      // likewise
    CountedGrids counted(done.tree);
    WARPLENS_TRY(done.run, simt::run_child_grids(std::move(launches), kernels, memory, options, &counted));
    done.tree.left_out = done.run.left_out;
    done.tree.left_out_blocks = done.run.left_out_blocks;
    if (done.tree.left_out + done.tree.left_out_blocks > 0)
        done.tree.why_left_out = why_left_out(done.run, options);
    return done;
}

}  // namespace warplens::app
