// The grids that device code launches, executed: each after the grid that launched it, in the order of their
// launch, and its own grids before the next one; tail launches come when all other grids below their parent
// have ended. A GPU may also run a grid while its parent runs, and several at once: the order is the
// engine's, one of those that CUDA allows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "simt/functional/engine.h"

namespace warplens::simt {

/// The kernels of a module, decoded when one is first asked for.
class ModuleKernels {
  public:
    using Load = std::function<Result<std::shared_ptr<const Kernel>>(const std::string& entry)>;
    explicit ModuleKernels(Load load) : load_(std::move(load)) {}
    Result<const Kernel*> find(const std::string& entry);

  private:
    Load load_;
    std::map<std::string, std::shared_ptr<const Kernel>> kernels_;
};

/// One grid of the tree, by its place in the order of execution: 0 is the host's grid.
struct ChildGrid {
    std::uint32_t index = 0, parent = 0;
    std::uint32_t depth = 0;  // levels below the host's grid; a tail launch has its launcher's
    std::string launcher;     // plain name of its kernel; empty: the host's grid launched it
    DeviceLaunch launch;
};

class ChildGridListener {
  public:
    virtual ~ChildGridListener() = default;
    /// What observes the grid; may be null.
    virtual trace::Observer* begin(const ChildGrid& grid, const Kernel& kernel) = 0;
    virtual void end(const ChildGrid& grid, const RunResult& run) = 0;
};

struct ChildGridOptions {
    RunOptions run;                 // of each grid; its blocks, races and depth are set here
    std::uint64_t most_grids = 0;   // 0: the engine's own limit
    std::uint64_t step_budget = 0;  // no further grid or block begins after so many steps; 0: no limit
};
/// The engine's own limit of grids below one launch of the host.
inline constexpr std::uint64_t most_child_grids = 65'536;

struct ChildGridsRun {
    std::uint64_t steps = 0;
    std::uint64_t grids = 0;               // executed
    std::uint64_t left_out = 0;            // known, and not executed: what they would launch is not known
    std::uint64_t left_out_blocks = 0;     // of executed grids, since the run ended before
    std::vector<Problem> problems, notes;  // Problem::child names their kernel
    PrintedCalls printed;                  // at most RunOptions::max_printed
    bool races_watched_in_part = false;
    bool cancelled = false;
    bool completed = true;  // every grid was executed, and ran to its end
};

/// Executes the grids that `launches` names and all that they launch. `listener` may be null. Errors of the
/// device code are problems; the error is a kernel that cannot be decoded.
Result<ChildGridsRun> run_child_grids(std::vector<DeviceLaunch> launches, ModuleKernels& kernels,
                                      GlobalMemory& memory, const ChildGridOptions& options,
                                      ChildGridListener* listener);

}  // namespace warplens::simt
