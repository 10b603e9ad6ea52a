// The CPU engine: executes a kernel's PTX, warp by warp, and reports events to an Observer. It computes
// values and addresses exactly as the PTX ISA defines them; it does not model time. Reconvergence is min-PC:
// the lanes at the lowest PC run first and equal PCs merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/block_work.h"
#include "core/launch.h"
#include "core/printed.h"
#include "core/problem.h"
#include "core/program.h"
#include "core/result.h"
#include "core/variable_contents.h"
#include "ptx/module.h"
#include "simt/functional/device_launch.h"
#include "simt/functional/memory/memory.h"
#include "trace/observer.h"

namespace warplens::simt {

/// A kernel decoded for execution. Immutable; share it between runs and threads.
class Kernel {
  public:
    /// `ptx_text` is the text `module` was parsed from. Fails when the entry is missing; instructions that
    /// the engine does not execute are not a failure: see unsupported().
    static Result<std::shared_ptr<const Kernel>> load(const ptx::Module& module, std::string_view entry,
                                                      std::string ptx_text);
    virtual ~Kernel() = default;
    virtual const Program& program() const = 0;
    /// Bytes of static shared memory the PTX declares (before the launch's dynamic bytes).
    virtual std::uint32_t static_shared_bytes() const = 0;
    /// An instruction form that the engine does not execute: "tex.2d.v4.f32.f32", why, and its sites.
    struct Unsupported {
        std::string spelling;
        std::uint32_t ptx_line;
        std::uint32_t count;
        std::string reason;         // a clause: "it is not in the table of PTX instructions"
        std::vector<SiteId> sites;  // ascending
    };
    virtual const std::vector<Unsupported>& unsupported() const = 0;
    /// Whether it can launch grids: see RunResult::launches.
    virtual bool launches_grids() const = 0;
};

/// Default limit of steps per warp: a second or two of one core. The longest warp of the catalogue takes a
/// hundredth of it.
inline constexpr std::uint64_t default_step_limit = 50'000'000;

/// Default limit of printf calls that a run keeps, counted per thread.
inline constexpr std::uint32_t default_max_printed = 10'000;

/// The limits of cudaDeviceSetLimit, with the driver's defaults.
struct DeviceLimits {
    std::uint64_t heap_bytes = 8 * 1024 * 1024;  // cudaLimitMallocHeapSize: the heap of malloc in device code
    std::uint32_t stack_bytes = 1024;            // cudaLimitStackSize: per thread, for recursive calls
    /// Shared memory of a block on the GPU: of grids that device code launches.
    std::uint64_t shared_bytes = 227 * 1024;
};

/// Grids launched by device code that have not ended: with the driver's default of
/// cudaLimitDevRuntimePendingLaunchCount (2048) an H100 with CUDA 13 holds so many, and fails the next
/// launch. A grid has not ended before those that it launched, so this also limits their levels; tail
/// launches add none.
inline constexpr std::uint32_t most_pending_launches = 2046;

/// State of the race detector for a launch that is executed in several calls of run().
class LaunchRaces;
class StepWatch;
std::shared_ptr<LaunchRaces> watch_races(const Kernel& kernel);

struct RunOptions {
    /// Linear indices to execute, ascending; empty: the whole grid. A block's whole cluster is executed.
    std::vector<std::uint64_t> blocks;
    /// Blocks that are resident on the GPU at the same time, for kernels whose blocks wait for each other:
    /// no more run at the same time. 0: no limit.
    std::uint64_t resident_blocks = 0;
    int threads = 0;                                        // 0: all of the machine
    std::uint64_t max_steps_per_warp = default_step_limit;  // above it the run ends with an endless loop
    std::uint32_t max_problems = 64;                        // distinct (kind, site) pairs kept
    std::uint32_t max_printed = default_max_printed;        // calls of printf kept, the first ones
    DeviceLimits limits;
    std::span<const VariableContents> variables;  // of the module, that do not hold their initializers
    bool stop_at_first_problem = false;
    /// Clauses: why a bad address of global or of shared memory may be right in the program; empty: it is
    /// not. With one it is a note and no problem.
    std::string doubt, shared_doubt;
    bool detect_races = false;  // between lanes, warps and blocks; on one thread, several times slower
    std::shared_ptr<LaunchRaces>
        races;               // with detect_races: from the earlier calls; null: this is the only call
    bool keep_work = false;  // fill RunResult::work
    /// The name of the element at `offset` of a shared array of `bytes`, as the source indexes it:
    /// "tile[1][5]". Without it, or if it has none, elements are counted: "tile[37]".
    std::function<std::optional<std::string>(std::string_view array, std::uint64_t bytes,
                                             std::uint64_t offset)>
        shared_element;
    StepWatch* watch = nullptr;       // called around every instruction, on one thread: block/step_watch.h
    std::uint32_t nesting_depth = 0;  // of this grid, below the one that the host launched
    std::uint64_t step_budget = 0;    // after this many steps no further block begins; 0: no limit
    std::function<bool()> cancelled;  // called regularly, from worker threads
};

struct RunResult {
    std::uint64_t steps = 0;         // warp-instructions executed
    std::uint64_t blocks = 0;        // executed
    std::uint64_t thread_steps = 0;  // the same, summed over active lanes
    std::vector<Problem> problems;   // ascending by block; merged by kind and site
    std::vector<Problem> notes;      // likewise
    std::vector<BlockWork> work;     // of each block, ascending; with RunOptions::keep_work
    PrintedCalls printed;            // at most RunOptions::max_printed
    /// Grids that the blocks launched and that are still to be executed, in order of blocks and of their
    /// launch: see launch_tree.h.
    std::vector<DeviceLaunch> launches;
    bool cancelled = false;
    bool completed = false;  // every chosen block ran to its end
    bool races_watched_in_part =
        false;  // its memory ran out: later accesses to new locations were not checked
};

/// Executes a launch. `arguments` is the parameter space, laid out as Program::parameters says. `observer`
/// may be null. Results, problems and events are the same for any number of threads; a kernel whose blocks
/// can observe each other's order (atomics whose result is used, volatile or acquire loads) runs on one
/// thread. Blocks that wait for each other run together (see co_scheduled_blocks.h); a deadlock is reported
/// as a problem.
RunResult run(const Kernel& kernel, const LaunchGeometry& geometry, const std::vector<std::byte>& arguments,
              GlobalMemory& memory, const RunOptions& options, trace::Observer* observer);

}  // namespace warplens::simt
