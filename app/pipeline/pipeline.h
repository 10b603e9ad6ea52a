// Pipeline: a kernel and its parameters in, a report, a trace or a Scene out. It joins the stages —
// catalogue, compiler, parser, engine, analyses — and keeps what is useful for the next run. It draws nothing
// and prints nothing; the window and the command line both use it. Safe to call from several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/report/launch_report.h"
#include "app/pipeline/golden_memory.h"
#include "app/pipeline/grid_times.h"
#include "app/pipeline/run_request.h"
#include "app/scene/scene.h"
#include "core/provenance.h"
#include "instrumentation/catalog/entry_facts.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/compile/compiler.h"
#include "ptx/module.h"
#include "simt/functional/engine.h"
#include "trace/recorder.h"
#include "trace/trace.h"

namespace warplens::simt {
struct MachineProgram;
}

namespace warplens::app {

/// What is to be launched.
struct LaunchRequest {
    std::shared_ptr<const instrumentation::KernelFile> kernel;
    std::map<std::string, std::string> overrides;  // by parameter name
    std::string gpu;                               // GpuSpec name; empty: default_gpu()
    std::string target = {};                       // machine to compile for, "sm_90"; empty: that of the GPU
    Level level = Level::ptx;                      // whose instructions are executed
    std::function<bool()> cancelled = {};          // asked while earlier launches are executed
};

struct KernelCode;

/// A launch ready to execute: compiled, parsed, its buffers filled.
struct LoadedLaunch {
    std::shared_ptr<const instrumentation::KernelFile> kernel;
    std::shared_ptr<const instrumentation::KernelFile> fitted;  // the same with guessed lengths fitted
    std::shared_ptr<const simt::Kernel> code;
    std::shared_ptr<const ptx::Module> module;  // what `code` was decoded from
    std::shared_ptr<const KernelCode> built;    // what the compiler made: PTX and machine code
    Program program;                            // code->program() with the sources' texts filled in
    instrumentation::PreparedLaunch prepared;
    trace::Launch launch;
    simt::DeviceLimits limits;  // of the CPU engine's run
    const GpuSpec* gpu = nullptr;
    std::vector<analysis::UnsupportedForm> unsupported;      // what the engine does not execute
    Level level = Level::ptx;                                // of `code` and `program`
    std::shared_ptr<const simt::MachineProgram> timed_code;  // at the machine level; else the PTX is lowered
    std::string note;   // sentences: what is not known of it, and what was run before it; empty mostly
    std::string doubt;  // as KernelFile's, with what earlier launches should have written and have not
    std::vector<std::shared_ptr<const std::vector<std::byte>>> written = {};  // by buffer: earlier_runs.h
};

struct ExecuteOptions {
    std::vector<std::uint64_t> blocks;  // linear, ascending; empty: the whole grid
    bool keep_trace = false;            // else the report streams and memory stays small
    std::uint64_t trace_bytes = trace::RecorderOptions{}.memory_limit;  // of events, at most
    bool whole_trace = false;        // the run is interrupted when a block of it does not fit into the trace
    bool model_time = false;         // fill the report's schedule and roofline
    bool time_machine_code = false;  // its times: of the machine code where it can be had, else of the PTX
    bool check_golden = true;        // only when the whole grid ran
    bool count_requests = true;      // else the report has no sectors and wavefronts
    bool detect_races = false;       // while it runs; else see `races`
    /// Searched for in a second run. At the machine level that run finds uniform registers that lanes need
    /// for two values instead.
    enum class Races { off, within_budget, on } races = Races::off;
    std::uint64_t max_steps_per_warp = simt::default_step_limit;
    int threads = 0;  // 0: as many as the machine has
    std::function<bool()> cancelled;
    bool keep_interrupted =
        false;  // a cancelled run reports the blocks that it executed, instead of an error
    trace::Observer* listener = nullptr;  // also receives all events
};

struct Executed {
    std::shared_ptr<analysis::LaunchReport> report;
    std::shared_ptr<trace::Trace> trace;  // null unless kept
    simt::GlobalMemory memory;            // the buffers after the launch, in header order
    bool interrupted = false;             // cancelled, with ExecuteOptions::keep_interrupted
};

class EarlierRuns;

/// Owned by a shared_ptr: a Scene that asks it later keeps it.
class Pipeline : public std::enable_shared_from_this<Pipeline> {
  public:
    explicit Pipeline(std::shared_ptr<instrumentation::Compiler> compiler);
    ~Pipeline();

    /// Errors are sentences for a person: compile errors with the user's line, bad parameters, launches that
    /// do not fit.
    Result<LoadedLaunch> load(const LaunchRequest& request);

    /// The same with the guess where an earlier launch has written what a buffer holds, and with the lengths
    /// that are declared.
    Result<LoadedLaunch> load_alone(const LaunchRequest& request);

    /// Only compiles, so that a later load() finds the code.
    Status compile(const LaunchRequest& request);

    /// The kernels of the file, to choose one of and to say how it is launched. Errors as those of load().
    Result<std::vector<instrumentation::EntryFacts>> entries(const LaunchRequest& request);

    /// Executes a loaded launch. A kernel's own faults are problems in the report, not errors.
    Result<Executed> execute(LoadedLaunch launch, const ExecuteOptions& options);

    /// The window's run: executes as many blocks as a picture's time allows (see
    /// app/pipeline/block_sample.h) and keeps their trace. The Scene is not timed: see
    /// app/scene/time_scene.h.
    Result<Scene> run_scene(const RunRequest& request, const std::function<bool()>& cancelled);

    const instrumentation::Compiler& compiler() const { return *compiler_; }
    /// Of all launches that this pipeline loaded.
    GridTimes& grid_times() { return grid_times_; }

  private:
    struct CodeCache;
    Result<std::shared_ptr<const KernelCode>> code_for(const LaunchRequest& request, const GpuSpec& gpu,
                                                       const instrumentation::Values& values);
    std::shared_ptr<instrumentation::Compiler> compiler_;
    std::unique_ptr<CodeCache> cache_;
    std::unique_ptr<EarlierRuns> earlier_;
    GoldenMemory golden_;
    GridTimes grid_times_;
};

/// The report of a recorded launch: what the engine's own run would have folded, over the blocks recorded.
std::shared_ptr<analysis::LaunchReport> fold_trace(const trace::Trace& trace);

}  // namespace warplens::app
